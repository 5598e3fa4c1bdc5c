"""What mistakes cost, as ``thriftscope run`` is told of it."""

from __future__ import annotations

import argparse
import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np

from solvers import Dataset, MistakeCosts
from solvers.costs.interchange import as_text, read_bytes
from solvers.errors import DataError, HypergraphError, shown

from ..document.units import typed_number
from .named import number_option

_COLUMNS = ("true", "predicted", "cost")
_MAX_BYTES = 10 * 2**20


def add_mistake_options(run: argparse.ArgumentParser) -> None:
    """Add to a parser what says what mistakes cost."""
    run.add_argument(
        "--miss",
        type=number_option,
        help="what a row of the positive class costs that is not called so",
    )
    run.add_argument(
        "--false-alarm",
        type=number_option,
        help="what a row of the other class costs that is called positive",
    )
    run.add_argument(
        "--mistakes",
        type=Path,
        help="CSV file with columns true, predicted, cost; for any number of classes",
    )
    run.add_argument(
        "--mistake-unit", help="of what mistakes cost; by default that of the prices"
    )
    run.add_argument(
        "--rate",
        type=number_option,
        help="how much of that unit one unit of the prices is worth, such as dollars "
        "for a second of computing",
    )
    run.add_argument("--per", help="the unit that --rate is for, where prices are time")


def chosen_mistakes(
    options: argparse.Namespace, dataset: Dataset
) -> MistakeCosts | None:
    """Return what mistakes cost; None where nothing is said of it."""
    pair = options.miss, options.false_alarm
    unit, rate = options.mistake_unit, options.rate
    if options.mistakes is None and pair == (None, None):
        if (unit, rate, options.per) != (None, None, None):
            raise DataError(
                "A unit or a rate of mistakes is given, and no mistake has a price; "
                "give --miss and --false-alarm."
            )
        return None
    per = (options.per or dataset.unit) if rate is not None else options.per
    if options.mistakes is not None:
        if pair != (None, None):
            raise DataError(
                "Mistakes have prices in a table and by themselves; give --mistakes, "
                "or --miss and --false-alarm."
            )
        costs = read_mistakes(options.mistakes, [str(one) for one in dataset.classes])
        found = MistakeCosts(costs, tuple(dataset.classes), unit, rate, per)
    elif None in pair:
        raise DataError(
            "Mistakes are of two kinds, and one has no price; give --miss and "
            "--false-alarm, 0 where it is free."
        )
    elif len(dataset.classes) > 2:
        raise DataError(
            f"There are {len(dataset.classes)} classes, and a miss is one of two; give "
            "--mistakes with a table of what each mistake costs."
        )
    else:
        found = MistakeCosts.binary(
            miss=pair[0], false_alarm=pair[1], unit=unit, rate=rate, per=per
        )
    found.for_classes(dataset.classes, dataset.positive).in_unit(dataset.unit)
    return found


def read_mistakes(path: Path, classes: list[str]) -> Any:
    """Return what each mistake costs, (n_classes, n_classes), [true, answered].

    What no row speaks of is free.
    """
    text = as_text(read_bytes(path, _MAX_BYTES))
    rows = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise DataError(
            f"{path} has no column {shown(missing[0])}; give {', '.join(_COLUMNS)}."
        )
    costs = np.zeros((len(classes), len(classes)))
    for row in rows:
        for name in _COLUMNS[:2]:
            if row[name] not in classes:
                raise DataError(
                    f"Line {rows.line_num} of {path} names the class "
                    f"{shown(row[name])}; the data have {', '.join(classes)}."
                )
        place = tuple(classes.index(row[name]) for name in _COLUMNS[:2])
        costs[place] = _cost(row["cost"], rows.line_num, path)
    return costs


def _cost(cell: str | None, line: int, path: Path) -> float:
    try:
        found = typed_number(cell or "")
    except HypergraphError as error:
        raise DataError(f"Line {line} of {path}: {error}") from error
    if found is None or not math.isfinite(found):
        raise DataError(
            f"Line {line} of {path} has the cost {shown(cell)}; give a number."
        )
    return found
