"""What ``thriftscope run`` may be told of the columns and rows of a table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args

import numpy as np

from solvers.datasets import read_kinds
from solvers.datasets.columns import Gaps
from solvers.datasets.table.prices import Missing
from solvers.errors import DataError
from solvers.evaluation import Split
from solvers.interchange import as_text, read_bytes

from .named import comma_names

__all__ = ["add_table_options", "refuse_table_options", "table_options", "table_text"]


def add_table_options(run: argparse.ArgumentParser) -> None:
    """Add the options of a table to a parser."""
    run.add_argument("--sheet", help="of a workbook where several hold something")
    run.add_argument(
        "--kinds", type=Path, help="JSON file of the columns' kinds, with --table"
    )
    run.add_argument(
        "--missing",
        choices=get_args(Gaps),
        help="missing values: filled and marked (default), a value, or rows dropped",
    )
    run.add_argument(
        "--unpriced",
        choices=get_args(Missing),
        help="columns that the costs do not name: the table is refused (default), "
        "they are free, or dropped",
    )
    run.add_argument("--leave-out", help="columns that are not looked at, with commas")
    run.add_argument("--group", help="column whose rows stay on one side of a split")
    run.add_argument("--time", help="column of times: earlier rows train")
    run.add_argument(
        "--part",
        help="column of train, test and, where rows are given for it, validation",
    )
    run.add_argument("--weights", help="column of how much each row counts")
    run.add_argument("--positive", help="label that counts as positive")


def table_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return what ``read_table`` is told."""
    told = {
        "sheet": options.sheet,
        "gaps": options.missing,
        "missing": options.unpriced,
        "group": options.group,
        "time": options.time,
        "part": options.part,
        "weight": options.weights,
        "positive": options.positive,
    }
    found = {name: value for name, value in told.items() if value is not None}
    if options.leave_out:
        found["leave_out"] = comma_names(options.leave_out)
    if options.kinds:
        found["kinds"] = read_kinds(as_text(read_bytes(options.kinds)))
    return found


def refuse_table_options(options: argparse.Namespace) -> None:
    """Refuse what only a table can be told where there is none."""
    if table_options(options):
        raise DataError(
            "Sheets, kinds, gaps, columns left out or without a price, groups, times, "
            "parts, weights and the positive label are those of a table; name one with "
            "--table."
        )


def table_text(split: Split) -> str:
    """Return what was noted of a table, and which columns became what."""
    notes = "".join(f"{note}\n" for note in (*split.dataset.notes, *split.notes))
    return notes + _columns_text(split)


def _columns_text(split: Split) -> str:
    """Return which columns became what; nothing where each is its own number."""
    schema, encoder = split.dataset.schema, split.encoder
    if schema is None or encoder is None:
        return ""
    lines = ["What the columns became:\n"]
    for j, column in enumerate(schema):
        gaps = int(np.isnan(split.dataset.X[:, j]).sum())
        names = [encoder.names_[k] for k in np.flatnonzero(encoder.column_of_ == j)]
        missing = f", {gaps} gap{'s' if gaps > 1 else ''}" if gaps else ""
        lines.append(f"  {column.name} ({column.kind}{missing}): {', '.join(names)}\n")
    return "".join([*lines, "\n"])
