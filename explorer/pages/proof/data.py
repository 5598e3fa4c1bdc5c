"""The tables of the proof page: the rows that models are trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset, FeatureHypergraph, split_dataset
from solvers.errors import DataError

from ...session.state import bundled
from ...widgets.text import cost_text, counted

#: What the page can prove something of, by what it is called.
SOURCES = {
    "The open data set": "session",
    "Heart, thirteen medical tests": "heart",
    "Breast cancer, 30 features": "breast_cancer",
    "Signals, 54 features": "signals",
    "Generated sources, 100 features": "sources",
}
# More rows than this are not waited for; the page says how many it takes.
MAX_ROWS = 2000


@dataclass(frozen=True, eq=False)
class ProofData:
    """Training rows, and what their columns need."""

    dataset: Dataset  # Where they come from
    X: NDArray[np.float64]  # (n_rows, n_columns) Encoded columns
    y: NDArray[np.int_]  # (n_rows,) 1 for the positive class
    hypergraph: FeatureHypergraph  # Of the encoded columns
    # (n_columns, n_features) Which feature of the data set each column comes from
    features: NDArray[np.bool_]
    n_train: int  # Training rows that there are; the first `MAX_ROWS` are taken
    weight: NDArray[np.float64] | None = None  # Of the rows; None: all count the same
    groups: NDArray[np.int_] | None = None  # Which rows belong together, where some do

    @property
    def line(self) -> str:
        """What it is, in one line."""
        data, graph = self.dataset, self.hypergraph
        rows = f"{len(self.y)} training rows"
        if self.n_train > len(self.y):
            rows = f"the first {len(self.y)} of {self.n_train} training rows"
        if self.weight is not None:
            rows += ", each with its weight"
        return (
            f"Data: {data.name}, {counted(data.n_features, 'feature')}, "
            f"{counted(graph.n_components, 'component')}, "
            f"{cost_text(graph.total_cost, data.unit)} for all; {rows}. "
            f"{data.costs_note}"
        )

    def names_of(self, columns: NDArray[np.bool_]) -> list[str]:
        """Return the features of the data set that some columns come from."""
        found = np.flatnonzero(self.features[columns].any(axis=0))
        return [self.dataset.feature_names[j] for j in found]

    def columns_of(self, bought: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the columns that some components allow, with what costs nothing."""
        graph = self.hypergraph
        needs = graph.incidence.toarray().astype(bool)
        lacking = ~bought & (graph.component_costs > 0)
        return np.asarray(~needs[lacking].any(axis=0))

    def known(self, names: tuple[str, ...]) -> list[str]:
        """Return which of some names are components here."""
        components = {*(self.hypergraph.component_names or ())}
        return [name for name in names if name in components]


def open_data(source: str, dataset: Dataset | None) -> ProofData:
    """Return the training rows of a choice.

    `dataset`: the session's own, which "session" means.
    """
    data = dataset if source == "session" else bundled(source)
    if data is None:
        raise DataError("No data set is open; choose other data.")
    if data.positive is None:
        raise DataError(
            f"{data.name} has {len(data.classes)} classes; choose a data set of two, "
            "or one that names a positive class."
        )
    split = split_dataset(data)
    table = np.asarray(split.X("train")[:MAX_ROWS], dtype=float)
    labels = split.y("train")[:MAX_ROWS]
    weight, groups = split.weight("train"), split.groups("train")
    return ProofData(
        data,
        table,
        (labels == data.positive).astype(int),
        split.hypergraph,
        split.features_of(np.eye(table.shape[1], dtype=bool)),
        len(split.rows["train"]),
        None if weight is None else weight[:MAX_ROWS],
        None if groups is None else groups[:MAX_ROWS],
    )
