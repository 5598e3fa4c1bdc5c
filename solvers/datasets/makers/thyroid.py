"""Patients of three kinds, and blood tests of one draw, at the prices of a schedule."""

from __future__ import annotations

import dataclasses

from ...costs.interchange import read_incidence_csv
from ...costs.interchange.sources import sample_data
from ..base import Dataset
from ..options import Facts
from ..table import read_table

__all__ = ["FACTS", "make_thyroid"]

FACTS = Facts(
    7200,
    3,
    "published",
    "CC BY 4.0",
    "three classes, tests of one blood draw, and an index that two of them give free",
    'Answering "normal" is right for 92.7 % of the test rows.',
)


def make_thyroid() -> Dataset:
    """Return 7,200 patients in three classes: sixteen answers and five blood values.

    An answer of the patient costs 1. The blood values share one draw; the free
    thyroxine index (FTI) is the quotient of two of them, TT4 and T4U: it needs both
    assays and nothing of its own. 3,772 rows train and 3,428 test, as the source parts
    them; rows for validation are drawn from those that train.

    Returns
    -------
    Dataset
        21 features, 21 components in 17 blocks; costs in "CAD", and whether a result
        is delayed.

    Notes
    -----
    Classes are called as the source calls them: "normal", "hyperfunction" and
    "subnormal". Their blood values say otherwise: TSH is high and TT4 low in
    "hyperfunction", which is an underactive thyroid. Neither the model nor its answer
    is medical advice. Sources and licences stand in ``sample_data/thyroid/README.md``.
    """
    dataset = read_table(
        sample_data("thyroid", "thyroid.csv"),
        "class",
        name="thyroid",
        hypergraph=read_incidence_csv(sample_data("thyroid", "thyroid_incidence.csv")),
        part="part",
    )
    return dataclasses.replace(
        dataset,
        fractions=(0.39, 0.13, 0.48),
        source=(
            "Thyroid Disease (ann-thyroid), the rows of R. Quinlan: UCI Machine "
            "Learning Repository, 1987, CC BY 4.0; no medical device."
        ),
        costs_note=(
            "Ontario's fee schedule as Turney published it in 1995; the price of the "
            "shared blood draw is inferred from other tests of the same schedule."
        ),
    )
