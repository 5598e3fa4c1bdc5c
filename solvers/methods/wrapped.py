"""The cost-aware method inside of scikit-learn's wrappers, and what reaches it."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from ..costs.alignment import order_by_name
from ..costs.hypergraph import FeatureHypergraph
from ..errors import DataError, listed


def innermost(estimator: Any) -> Any:
    """Return what a fitted pipeline, search or threshold has at its end."""
    if hasattr(estimator, "prediction_cost"):
        return estimator
    for inner in ("best_estimator_", "estimator_"):
        if hasattr(estimator, inner):
            return innermost(getattr(estimator, inner))
    if hasattr(estimator, "steps"):
        return innermost(estimator.steps[-1][1])
    return estimator


def order_on_arrival(pipeline: Any) -> list[int] | None:
    """Return where each feature stands among the columns that reach a pipeline's end.

    None where they stand in the order of its method's hypergraph. Refused is a method
    that was given them in another order by a step that had dropped their names: it has
    learned from other columns than its hypergraph describes.
    """
    model, arriving = innermost(pipeline), _names_out(pipeline)
    hypergraph = getattr(model, "hypergraph", None)
    if arriving is None or not isinstance(hypergraph, FeatureHypergraph):
        return None
    if set(arriving) != set(hypergraph.features):
        return None  # a bare array by other names: by position
    order = order_by_name(arriving, hypergraph.features, "The pipeline")
    if order is not None and not hasattr(model, "feature_names_in_"):
        raise DataError(
            f"{type(model).__name__} was given {listed(arriving)} without their names, "
            f"and took them for {listed(hypergraph.features)}; let the steps before it "
            'keep names by set_output(transform="pandas"), and fit again.'
        )
    return order


def _names_out(pipeline: Any) -> list[str] | None:
    """Return the names of the columns that reach the last step, None if not known."""
    if len(pipeline.steps) < 2:
        return None
    try:
        return list(Pipeline(pipeline.steps[:-1]).get_feature_names_out())
    except (AttributeError, ValueError):  # a step that names nothing
        return None
