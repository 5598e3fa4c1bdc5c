"""Thirteen medical tests of 303 patients, at the prices of a fee schedule."""

from __future__ import annotations

import dataclasses

from ...costs.interchange.sources import sample_data
from ...values.knobs import Choice, Knob
from ..base import Dataset
from ..options import Facts, checked_by
from ..table import read_table

__all__ = ["FACTS", "OPTIONS", "make_heart"]

FACTS = Facts(
    303,
    2,
    "published",
    "CC BY 4.0",
    "thirteen medical tests that share a blood draw, a treadmill and a scan",
    "On FFTrees' own split its tree has F1 .82 at 123 CAD in the mean.",
)

OPTIONS: dict[str, Knob] = {
    "split": Choice(
        "Split", ("by chance", "FFTrees"), doc="FFTrees: 150 rows train, 153 test."
    )
}


@checked_by(OPTIONS)
def make_heart(split: str = "by chance") -> Dataset:
    """Return 303 patients: thirteen tests, some of which share a part of their price.

    Cholesterol and blood sugar share drawing blood, three tests share the treadmill,
    and the highest heart rate and the thallium test share a scan. A column stays one
    test, however many numbers encode it; gaps are filled and marked. The positive class
    is "ill": a major vessel is narrowed by more than half; else a patient is "healthy".

    Parameters
    ----------
    split : {"by chance", "FFTrees"}, default="by chance"
        "FFTrees": the same patients, parted as the R package FFTrees parts them, 150 to
        train and 153 to test, their six gaps filled as there.

    Returns
    -------
    Dataset
        13 features, 16 components in 9 blocks; costs in "CAD".

    Notes
    -----
    Rows and prices are real; which tests share what is read from equal discounts.
    Neither the model nor its answer is medical advice. Sources and licences stand in
    ``sample_data/heart/README.md``.
    """
    is_parted = split == "FFTrees"
    dataset = read_table(
        sample_data("heart", "heart_fftrees.csv" if is_parted else "heart.csv"),
        "disease",
        name="heart",
        costs=sample_data("heart", "heart_costs.csv"),
        positive="ill",
        part="part" if is_parted else None,
    )
    return dataclasses.replace(
        dataset,
        source=(
            "Heart Disease, the Cleveland Clinic Foundation's patients: Janosi, "
            "Steinbrunn, Pfisterer and Detrano, UCI Machine Learning Repository, 1988, "
            "CC BY 4.0; no medical device."
        ),
        costs_note=(
            "Ontario's fee schedule as Turney published it in 1995; which tests share "
            "what is read from equal discounts."
        ),
    )
