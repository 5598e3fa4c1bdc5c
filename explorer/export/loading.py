"""How a script comes by the data on screen: by name, or from files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvers import Dataset, read_hif, read_table
from solvers.datasets import all_datasets, pricing, reading_options
from solvers.errors import DataError

from ..document.recipes import recipe_of
from .call import Call

#: Files that the bundle has beside its script.
HYPERGRAPH, TABLE = "hypergraph.json", "table.parquet"
_BUNDLED = 'The bundle of the Frontier page, "Everything", has {} beside its script.'
_OWN = 'Beside this script: your table, and its costs as "Hypergraph (HIF)" gives them.'


def bundled_data(name: str, options: Mapping[str, Any]) -> Call:
    """Return what makes a bundled data set."""
    return Call(all_datasets()[name], **options)


def loading(dataset: Dataset | None, origin: Mapping[str, Any] | None = None) -> Call:
    """Return what makes the session's data set again.

    A table, or costs, of a person's own are read from files beside the script: those
    of the bundle, unless `origin` tells of the person's own.

    `origin`: ``table_file``, ``label``, ``dataset_options`` and ``hypergraph_file``,
    where the table was read from a file.
    """
    if dataset is None:
        raise DataError("There are no data yet; open a table or bundled data first.")
    recipe = recipe_of(dataset)
    if recipe is not None:
        made = bundled_data(recipe.name, recipe.options)
        if recipe_of(dataset, as_priced=True) is not None:
            return made
        costs = Call(read_hif, HYPERGRAPH)
        return Call(pricing, made, costs).noted(_BUNDLED.format("this file"))
    if origin and "table_file" in origin:
        table, label = str(origin["table_file"]), origin["label"]
        options, priced = origin["dataset_options"], origin.get("hypergraph_file")
        note = _OWN
    else:
        read = reading_options(dataset)
        table, label, priced = TABLE, read.pop("label"), HYPERGRAPH
        note = _BUNDLED.format("both files")
        options = {key: said for key, said in read.items() if said or said == 0}
    if priced is not None:
        options = {**options, "hypergraph": Call(read_hif, str(priced))}
    return Call(read_table, table, label, **options).noted(note)
