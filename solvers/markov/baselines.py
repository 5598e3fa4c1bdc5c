"""What any classifier must be compared with: one label for all, and the truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ..errors import DataError
from .checks import check_count
from .classifier import Labelling, StructuredClassifier
from .graph import CostGraph


@dataclass(eq=False)
class ConstantLabelClassifier(StructuredClassifier):
    """Calls every node the same.

    Parameters
    ----------
    label : int, default=0
        What every node is called.
    """

    label: int = 0

    title: ClassVar[str] = "One label"

    def fit(self, graphs: CostGraph | Iterable[CostGraph]) -> Self:
        """Check the label; there is nothing to learn."""
        check_count("label", self.label, 0)
        return self

    def decide(self, graph: CostGraph) -> Labelling:
        """Call every node of a graph the same."""
        if not 0 <= self.label < graph.n_labels:
            raise DataError(
                f"There is no label {self.label}; labels run from 0 to "
                f"{graph.n_labels - 1}."
            )
        return Labelling(np.full(graph.n_nodes, self.label, dtype=np.intp))


@dataclass(eq=False)
class TruthClassifier(StructuredClassifier):
    """Calls every node what it is: the floor of every cost, 0."""

    title: ClassVar[str] = "Truth"

    def fit(self, graphs: CostGraph | Iterable[CostGraph]) -> Self:
        """Do nothing; the truth need not be learned."""
        return self

    def decide(self, graph: CostGraph) -> Labelling:
        """Return the true labels of a graph."""
        return Labelling(graph.truth.copy())
