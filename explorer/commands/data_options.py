"""The data that ``thriftscope run`` is told of: bundled, or a table and its columns."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
from tqdm import tqdm

from solvers import Dataset
from solvers.costs.interchange import (
    HypergraphFile,
    as_text,
    read_bytes,
    read_hypergraph,
)
from solvers.datasets import (
    TableFile,
    all_datasets,
    opening_table,
    read_kinds,
    read_table,
)
from solvers.datasets.columns import Gaps
from solvers.datasets.freed_memory import give_back_memory
from solvers.datasets.table.prices import Missing
from solvers.errors import DataError, printable, shown
from solvers.frontier.evaluation import Split
from solvers.values import GAP_MARKS

from .named import comma_names, number_option

# Of a file of one's own on one's own machine; a server takes less.
MAX_BYTES = 2 * 2**30


def add_data_options(
    run: argparse.ArgumentParser,
    table: str = "CSV, Excel, Arrow, Parquet, SVMlight or npz file",
) -> None:
    """Add to a parser what says which data: a table and its prices, or what is bundled.

    `table`: what is asked for as a table.
    """
    data = run.add_mutually_exclusive_group(required=True)
    data.add_argument("--table", type=Path, help=table)
    data.add_argument("--data", help=f"bundled: {', '.join(all_datasets())}")
    run.add_argument("--target", help="column of the labels, with --table")
    _add_table_options(run)
    run.add_argument("--hypergraph", type=Path, help="HIF JSON or incidence CSV file")
    run.add_argument("--unit", help="of the costs, where that file names none")


def _add_table_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("--sheet", help="of a workbook where several hold something")
    run.add_argument(
        "--no-header",
        action="store_true",
        help='the first line of a CSV file is a row; columns are "column 1", ...',
    )
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
    run.add_argument(
        "--free-features",
        action="store_true",
        help="features of a hypergraph that need no component cost nothing",
    )
    run.add_argument(
        "--missing-cost",
        type=number_option,
        help="cost of components of a hypergraph that states none for them",
    )
    run.add_argument(
        "--decimal",
        choices=(".", ","),
        help="what parts decimals in columns that do not tell it themselves",
    )
    run.add_argument(
        "--date-order",
        choices=("dmy", "mdy"),
        help="of day and month in columns that do not tell it themselves",
    )
    # Help is a template, in which a percent sign is written twice.
    usual = " ".join(filter(None, GAP_MARKS)).replace("%", "%%")
    run.add_argument(
        "--gap-marks",
        metavar="WORDS",
        help=f"what cells hold beside nothing where a value is missing, with commas; "
        f"instead of {usual}",
    )
    run.add_argument(
        "--leave-out",
        action="append",
        metavar="COLUMNS",
        help="columns that are not looked at, with commas; a name that has commas "
        "stands in double quotes, as in a CSV file; may be given several times",
    )
    run.add_argument("--group", help="column whose rows stay on one side of a split")
    run.add_argument("--time", help="column of times: earlier rows train")
    run.add_argument(
        "--part",
        help="column of train, test and, where rows are given for it, validation",
    )
    run.add_argument("--weights", help="column of how much each row counts")
    run.add_argument("--positive", help="label that counts as positive")


def chosen_dataset(options: argparse.Namespace) -> Dataset:
    """Return a bundled data set, or a table as the options say it is to be read."""
    if options.data:
        _refuse_table_options(options)
        if options.hypergraph or options.unit:
            raise DataError(
                "A bundled data set has its costs; leave out --hypergraph and --unit."
            )
        if options.data not in all_datasets():
            raise DataError(
                f"There is no data set {shown(options.data)}; choose from "
                f"{', '.join(all_datasets())}."
            )
        return all_datasets()[options.data]()
    if not options.target:
        raise DataError("No label column is named; name it with --target.")
    chosen = _table_options(options)
    if options.hypergraph:
        described = _described(
            options.hypergraph,
            options.unit,
            free_features=options.free_features,
            missing_cost=options.missing_cost,
            decimal=options.decimal or "",
        )
        for note in described.notes:
            sys.stdout.write(f"{note}\n")
        chosen["hypergraph"] = described.hypergraph
    elif options.unit or options.free_features or options.missing_cost is not None:
        raise DataError(
            "--unit, --free-features and --missing-cost are said of costs; name their "
            "file with --hypergraph."
        )
    opening = ("sheet", "has_header", "marks")
    told = {name: chosen.pop(name) for name in opening if name in chosen}
    table = _opened(options.table, **told)
    dataset = read_table(table, options.target, **chosen)
    del table
    give_back_memory()
    return dataset


def _described(path: Path, unit: str | None, **told: Any) -> HypergraphFile:
    """Return what columns cost, in a unit that the file or the person names."""
    described = read_hypergraph(path, **told)
    if not described.names_unit and not unit:
        raise DataError(
            f"{shown(path.name)} does not say what its costs count in; say it with "
            "--unit, such as --unit us or --unit CAD."
        )
    named = described.hypergraph.unit
    if described.names_unit and unit not in (None, named):
        raise DataError(
            f"{shown(path.name)} names the unit {shown(named)}, --unit says "
            f"{shown(unit)}; leave out --unit."
        )
    return described.with_unit(unit)


def _opened(path: Path, **told: Any) -> TableFile:
    """Return a table, read with a bar where it is large."""
    with tqdm(total=1.0, desc="reading", file=sys.stderr, delay=1.0) as bar:
        for step in opening_table(path, MAX_BYTES, **told):
            if isinstance(step, TableFile):
                return step
            bar.update(step - bar.n)
    raise AssertionError("no table")


def _table_options(options: argparse.Namespace) -> dict[str, Any]:
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
    if options.no_header:
        found["has_header"] = False
    if options.leave_out:
        found["leave_out"] = [
            name for text in options.leave_out for name in comma_names(text)
        ]
    marks = {"decimal": options.decimal, "order": options.date_order}
    if options.gap_marks is not None:
        marks["gaps"] = comma_names(options.gap_marks)
    found["marks"] = {key: mark for key, mark in marks.items() if mark is not None}
    if options.kinds:
        found["kinds"] = read_kinds(as_text(read_bytes(options.kinds)))
    return found


def _refuse_table_options(options: argparse.Namespace) -> None:
    """Refuse what only a table can be told where there is none."""
    if any(_table_options(options).values()):
        raise DataError(
            "Sheets, headers, kinds, marks, gaps, columns left out or without a price, "
            "groups, times, parts, weights and the positive label are those of a "
            "table; name one with --table."
        )


def positive_text(split: Split) -> str:
    """Return which label counts as positive, and in how many test rows it stands."""
    positive = split.dataset.positive
    if positive is None:
        return ""
    y = split.y("test")
    return (
        f"Positive is {shown(str(positive))}: {int((y == positive).sum()):,} of "
        f"{len(y):,} test rows."
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
        line = f"  {column.name} ({column.kind}{missing}): {', '.join(names)}"
        lines.append(f"{printable(line)}\n")
    return "".join([*lines, "\n"])
