"""A drawing whose table is read again: kinds, gaps and roles of columns changed."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np

from solvers import Dataset
from solvers.costs.units import conversion
from solvers.datasets import reading_options, written_table

from .drawing import Drawing, Table
from .reading import Reading
from .table import drop_features, match, opened
from .table_use import TableUse


def reading_of(table: Table) -> Reading:
    """Return how a table can be read again.

    Of one whose file is not at hand (a bundled one, one of a session) only what was
    kept of it.
    """
    if table.reading is not None:
        return table.reading
    use = TableUse.of(reading_options(table.dataset))
    prices = {"hypergraph": table.dataset.hypergraph, "missing": "free"}
    return Reading(written_table(table.dataset), use, prices)


def retaken(drawing: Drawing, reading: Reading, dataset: Dataset) -> Drawing:
    """Return the drawing with its table read in another way.

    What was edited of columns that stay stays; columns that come cost what they were
    read to cost.
    """
    old = drawing.table
    if old is None:
        return drawing
    before = old.dataset
    is_same = dataset.feature_names == before.feature_names
    kept = {"pipeline": before.pipeline, "samples": before.samples}
    dataset = replace(
        dataset,
        name=before.name,
        source=before.source,
        costs_note=before.costs_note,
        fractions=before.fractions,
        hypergraph=before.hypergraph if is_same else dataset.hypergraph,
        **(kept if is_same and dataset.schema is None else {}),
    )
    origin = reading.origin(dataset)
    if not is_same and drawing.hypergraph is before.hypergraph:
        return opened(dataset, drawing.next_id, origin, reading)
    numbers = dict(zip(before.feature_names, old.columns, strict=True))
    unused = drawing.next_id
    columns = []
    for name in dataset.feature_names:
        columns.append(numbers.get(name, unused))
        unused += name not in numbers
    taken = dataclasses.replace(
        drawing, next_id=unused, table=Table(dataset, tuple(columns), origin, reading)
    )
    return taken if is_same else _priced(drop_features(taken))


def _priced(drawing: Drawing) -> Drawing:
    """Return the drawing with a feature for each column that has none, as it costs."""
    if drawing.table is None:
        return drawing
    base = drawing.table.dataset.hypergraph
    factor = conversion(base.unit, drawing.hypergraph.unit)
    for column in match(drawing).unpriced:
        needed = []
        for i in np.flatnonzero(base.required_components([column])):
            name = base.components[i]
            if name not in drawing.hypergraph.components:
                cost = float(base.component_costs[i]) * factor
                drawing = drawing.add_component(name, cost, base.kinds[i])
            row = drawing.hypergraph.components.index(name)
            needed.append(drawing.component_ids[row])
        drawing = drawing.add_feature(base.features[column], needed)
    return drawing.arrange()
