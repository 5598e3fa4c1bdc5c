"""The tables of the proof page: the rows that models are trained on."""

from __future__ import annotations

from solvers import Dataset
from solvers.errors import DataError
from solvers.frontier.proof import ProofRows

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


class ProofData(ProofRows):
    """Training rows, and what they are in words."""

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


def open_data(source: str, dataset: Dataset | None) -> ProofData:
    """Return the training rows of a choice.

    `dataset`: the session's own, which "session" means.
    """
    data = dataset if source == "session" else bundled(source)
    if data is None:
        raise DataError("No data set is open; choose other data.")
    return ProofData.of(data, MAX_ROWS)
