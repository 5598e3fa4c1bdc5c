"""The data set that the options of ``thriftscope run`` name."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from solvers import Dataset
from solvers.datasets import TableFile, all_datasets, opening_table, read_table
from solvers.errors import DataError, shown
from solvers.freed_memory import give_back_memory
from solvers.interchange import HypergraphFile, read_hypergraph

from .table_options import refuse_table_options, table_options

__all__ = ["chosen_dataset"]

# Of a file of one's own on one's own machine; a server takes less.
MAX_BYTES = 2 * 2**30


def chosen_dataset(options: argparse.Namespace) -> Dataset:
    """Return a bundled data set, or a table as the options say it is to be read."""
    if options.data:
        refuse_table_options(options)
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
    chosen = table_options(options)
    if options.hypergraph:
        described = _described(options.hypergraph, options.unit)
        for note in described.notes:
            sys.stdout.write(f"{note}\n")
        chosen["hypergraph"] = described.hypergraph
    elif options.unit:
        raise DataError("Costs have a unit; name their file with --hypergraph.")
    table = _opened(options.table, chosen.pop("sheet", None))
    dataset = read_table(table, options.target, **chosen)
    del table
    give_back_memory()
    return dataset


def _described(path: Path, unit: str | None) -> HypergraphFile:
    """Return what columns cost, in a unit that the file or the person names."""
    described = read_hypergraph(path)
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


def _opened(path: Path, sheet: str | None) -> TableFile:
    """Return a table, read with a bar where it is large."""
    with tqdm(total=1.0, desc="reading", file=sys.stderr, delay=1.0) as bar:
        for step in opening_table(path, MAX_BYTES, sheet):
            if isinstance(step, TableFile):
                return step
            bar.update(step - bar.n)
    raise AssertionError("no table")
