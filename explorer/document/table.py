"""The table whose columns a drawing describes: where they disagree, and read again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers import Dataset, FeatureHypergraph
from solvers.costs.units import conversion
from solvers.datasets import reading_options, written_table
from solvers.errors import DataError

from .drawing import Drawing, Table
from .reading import Reading, TableUse

# Numbers that are made up for a drawing: a twentieth of a second.
MAX_MADE_UP = 2_000_000


@dataclass(frozen=True, eq=False)
class Match:
    """Which feature of a drawing describes which column of its table."""

    order: tuple[int, ...]  # Column of each feature; -1 where there is none
    unpriced: tuple[int, ...]  # Columns that no feature describes
    absent: tuple[int, ...]  # Numbers of features that describe no column

    @property
    def is_whole(self) -> bool:
        """Whether every column has a feature and every feature a column."""
        return bool(self.order) and not self.unpriced and not self.absent


def opened(
    dataset: Dataset,
    first_id: int,
    origin: Mapping[str, Any] | None = None,
    reading: Reading | None = None,
) -> Drawing:
    """Return the drawing of a data set that is being opened.

    `reading`: how it was read, where that is known.
    """
    drawing = Drawing.of(dataset.hypergraph, first_id=first_id)
    table = Table(dataset, drawing.feature_ids, origin or {}, reading)
    return dataclasses.replace(drawing, table=table)


def match(drawing: Drawing) -> Match:
    """Return which feature of a drawing describes which column of its table.

    A feature belongs to the column that it was opened as, or else to the one of its
    name.
    """
    if drawing.table is None:
        return Match((), (), ())
    by_number = {node: j for j, node in enumerate(drawing.table.columns)}
    claimed = {by_number[node] for node in drawing.feature_ids if node in by_number}
    names = drawing.table.dataset.feature_names
    by_name = {name: j for j, name in enumerate(names) if j not in claimed}
    order = tuple(
        by_number[node] if node in by_number else by_name.get(name, -1)
        for node, name in zip(
            drawing.feature_ids, drawing.hypergraph.features, strict=True
        )
    )
    found = set(order)
    return Match(
        order,
        tuple(j for j in range(len(names)) if j not in found),
        tuple(n for n, j in zip(drawing.feature_ids, order, strict=True) if j < 0),
    )


def fitted(drawing: Drawing) -> Dataset:
    """Return the table of a drawing, priced by what is drawn."""
    found = match(drawing)
    if drawing.table is None or not found.is_whole:
        raise DataError("The drawing and the table disagree; settle that first.")
    base, drawn = drawing.table.dataset, drawing.hypergraph
    if base.hypergraph is drawn:
        return base
    is_reordered = found.order != tuple(range(base.n_features))
    pipeline = base.pipeline
    if pipeline is not None and not set(drawn.features) <= set(pipeline.features):
        pipeline = None  # it computes columns of other names
    return dataclasses.replace(
        base,
        X=base.X[:, list(found.order)] if is_reordered else base.X,
        schema=base.schema and base.schema.take(found.order).renamed(drawn.features),
        hypergraph=drawn,
        pipeline=pipeline,
        costs_note=_costs_note(drawing, base),
    )


def _costs_note(drawing: Drawing, base: Dataset) -> str:
    if drawing.costs_note:
        return drawing.costs_note
    is_as_opened = _costs_alike(base.hypergraph, drawing.hypergraph)
    return base.costs_note if is_as_opened else "Edited by hand."


def _costs_alike(one: FeatureHypergraph, other: FeatureHypergraph) -> bool:
    return (
        one.components == other.components
        and one.unit == other.unit
        and bool(np.array_equal(one.component_costs, other.component_costs))
    )


# ---------------------------------------------------------------------------- remedies


def add_missing_features(drawing: Drawing) -> Drawing:
    """Return the drawing with a feature of cost 0 for each column that has none."""
    if drawing.table is None:
        return drawing
    names = drawing.table.dataset.feature_names
    for column in match(drawing).unpriced:
        drawing = drawing.add_feature(names[column])
    return drawing.arrange()


def drop_features(drawing: Drawing) -> Drawing:
    """Return the drawing without the features that describe no column."""
    going = match(drawing).absent
    if not going:
        return drawing
    links = drawing.hypergraph.incidence.astype(int)
    columns = [drawing.columns[node] for node in going]
    users = np.asarray(links.sum(axis=1))
    lost = np.asarray(links[:, columns].sum(axis=1))
    unused = np.flatnonzero((lost > 0) & (lost == users))
    return drawing.delete([*going, *(drawing.component_ids[i] for i in unused)])


def leave_out_columns(drawing: Drawing) -> Drawing:
    """Return the drawing with a table without the columns that no feature describes."""
    table, found = drawing.table, match(drawing)
    if table is None or not found.unpriced:
        return drawing
    kept = [j for j in range(table.dataset.n_features) if j not in set(found.unpriced)]
    if not kept:
        raise DataError(
            "No column of the table is described by the drawing; open another table, "
            "or make up rows for the drawing."
        )
    left = dataclasses.replace(
        table.dataset,
        X=table.dataset.X[:, kept],
        schema=table.dataset.schema and table.dataset.schema.take(kept),
        hypergraph=table.dataset.hypergraph.restrict(kept),
    )
    columns = tuple(table.columns[j] for j in kept)
    gone = [table.dataset.feature_names[j] for j in found.unpriced]
    reading = table.reading and table.reading.without(gone)
    changed = {"dataset": left, "columns": columns, "reading": reading}
    return dataclasses.replace(drawing, table=dataclasses.replace(table, **changed))


def made_up_rows(
    drawing: Drawing, n_samples: int = 4000, noise: float = 1.0, random_state: int = 0
) -> Drawing:
    """Return the drawing with a generated table that fits it.

    Its features are normal; a random half of them, but at least one, decides. A wide
    table has fewer rows, as nobody is served while it is made.
    """
    hypergraph = drawing.hypergraph
    if not hypergraph.n_features:
        raise DataError("Nothing is drawn yet; add a feature first.")
    rng = np.random.default_rng(random_state)
    n_features = hypergraph.n_features
    n_samples = min(n_samples, MAX_MADE_UP // n_features)
    decides = rng.random(n_features) < 0.5
    decides[rng.integers(n_features)] = True
    weights = rng.standard_normal(n_features) * decides
    X = rng.standard_normal((n_samples, n_features))
    dataset = Dataset(
        name="drawn",
        X=X,
        y=np.where(X @ weights + noise * rng.standard_normal(n_samples) > 0, 1, -1),
        hypergraph=hypergraph,
        positive=1,
        source="Made up for a drawing: normal features, labels by a linear rule.",
        costs_note="Drawn here.",
    )
    return dataclasses.replace(drawing, table=Table(dataset, drawing.feature_ids))


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
