"""What the chosen model decides about rows: on whole parts, and about one by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from solvers import Dataset, FrontierPoint
from solvers.decisions.decision import scores_for
from solvers.decisions.scores import label_scores
from solvers.frontier.evaluation import Split

PARTS = ("validation", "test")
# Thresholds that are drawn; more than this cannot be told apart.
N_THRESHOLDS = 101


@dataclass(frozen=True, eq=False)
class Decided:
    """What a model decided about the rows of both parts."""

    classes: NDArray  # The labels; of two, the positive one second
    truth: Mapping[str, NDArray]  # Labels of the rows, by part
    labels: Mapping[str, NDArray]  # What the model itself says, by part
    # How positive each row is, by part; empty for more classes than two
    beliefs: Mapping[str, NDArray[np.float64]]

    def confusion(self, part: str, threshold: float) -> NDArray[np.int_]:
        """Return how many rows of each class (rows) were called which (columns)."""
        called = self.labels[part]
        if self.beliefs:
            is_positive = self.beliefs[part] >= threshold
            called = np.where(is_positive, self.classes[1], self.classes[0])
        return confusion_matrix(self.truth[part], called, labels=self.classes)

    def thresholds(self) -> NDArray[np.float64]:
        """Return thresholds from none called positive to all, rising."""
        both = np.concatenate([self.beliefs[part] for part in PARTS])
        return np.unique(np.quantile(both, np.linspace(0.0, 1.0, N_THRESHOLDS)))

    def effect(self, part: str, score: str) -> NDArray[np.float64]:
        """Return a score of labels at each of the thresholds."""
        positive = self.truth[part] == self.classes[1]
        return np.array(
            [
                label_scores(positive, self.beliefs[part] >= threshold)[score]
                for threshold in self.thresholds()
            ]
        )


def decided(point: FrontierPoint, split: Split) -> Decided:
    """Return what the model of a point decides about validation and test rows."""
    model, data = point.model, split.dataset
    found = {part: model.decide(split.X(part)) for part in PARTS}
    truth = {part: split.y(part) for part in PARTS}
    labels = {part: decision.labels for part, decision in found.items()}
    classes = model.classes_
    if data.positive is None or len(classes) > 2:
        return Decided(classes, truth, labels, {})
    beliefs = {
        part: scores_for(data.positive, classes, decision.scores)
        for part, decision in found.items()
    }
    return Decided(_positive_last(classes, data), truth, labels, beliefs)


def _positive_last(classes: NDArray, dataset: Dataset) -> NDArray:
    return classes if classes[1] == dataset.positive else classes[::-1]


@dataclass(frozen=True)
class RowAnswer:
    """What a model says about one row, and what it bought to know it."""

    label: str  # The class
    score: float | None  # How positive; None for more classes than two
    cost: float  # Of what was bought, in the unit of the costs
    features: tuple[str, ...]  # What was bought
    components: tuple[str, ...]  # What had to be computed for it


def answer(
    point: FrontierPoint, dataset: Dataset, row: NDArray[np.float64], threshold: float
) -> RowAnswer:
    """Return what the model of a point says about one row.

    Shapes: `row` (n_features,).
    """
    model, hypergraph, encoder = point.model, dataset.hypergraph, point.encoder
    rows = row[np.newaxis]
    decision = model.decide(rows if encoder is None else encoder.encode(rows))
    bought = np.asarray(decision.acquired[0])
    bought = bought if encoder is None else encoder.columns_of(bought)
    label, score = decision.labels[0], None
    if dataset.positive is not None and len(model.classes_) == 2:
        score = float(scores_for(dataset.positive, model.classes_, decision.scores)[0])
        first, second = _positive_last(model.classes_, dataset)
        label = second if score >= threshold else first
    needed = hypergraph.required_components(bought)
    return RowAnswer(
        str(label),
        score,
        float(hypergraph.cost(bought)),
        tuple(dataset.feature_names[j] for j in np.flatnonzero(bought)),
        tuple(hypergraph.components[i] for i in np.flatnonzero(needed)),
    )
