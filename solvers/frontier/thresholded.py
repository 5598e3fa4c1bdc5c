"""A model with its decision threshold, as one scikit-learn classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier

from ..datasets.base import Dataset


def with_threshold(model: Any, threshold: float, dataset: Dataset) -> Any:
    """Return what predicts labels as a point of a frontier does.

    The model alone where there are more than two classes, and so no threshold.

    Notes
    -----
    Rows at the threshold are called positive, as when the threshold was tuned.
    """
    if dataset.positive is None or len(model.classes_) > 2:
        return model
    positive = dataset.positive
    classifier = FixedThresholdClassifier(
        FrozenEstimator(model),
        threshold=threshold,
        pos_label=positive.item() if isinstance(positive, np.generic) else positive,
        response_method="decision_function",
    )
    # Frozen: a label of each class is enough to wire the two together.
    is_positive = dataset.y == positive
    rows = [np.argmin(is_positive), np.argmax(is_positive)]
    nothing = np.zeros((len(rows), model.n_features_in_))
    return classifier.fit(nothing, dataset.y[rows])
