"""The classifiers of the structured-costs page, by the names that people read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from solvers.markov import (
    ConstantLabelClassifier,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    StructuredClassifier,
)

MAX_CONSTANTS = 5
ALWAYS = tuple(f"Always {label}" for label in range(MAX_CONSTANTS))
COST_SENSITIVE = ("CSMN", "CSMN (exact)")
EXACT = ("MN (exact)", "CSMN (exact)")
# Fast ones first: results stream in this order.
LEARNING = (
    "LOGREG",
    "LOGREG with edges",
    "MN (pseudo-likelihood)",
    "CSMN",
    "CSMN w/o CSINF",
    "MN",
    "MN (2006)",
    "MN (tree-reweighted)",
)
METHODS = (*LEARNING, *EXACT, *ALWAYS)

_MAKERS: dict[str, Callable[[], StructuredClassifier]] = {
    "LOGREG": NodeLogisticClassifier,
    "LOGREG with edges": partial(NodeLogisticClassifier, edge_aware=True),
    "MN": MarkovNetworkClassifier,
    "MN (2006)": partial(MarkovNetworkClassifier, "warm"),
    "MN (tree-reweighted)": partial(MarkovNetworkClassifier, "tree-reweighted"),
    "MN (pseudo-likelihood)": partial(MarkovNetworkClassifier, "pseudo-likelihood"),
    "MN (exact)": partial(MarkovNetworkClassifier, "exact"),
    "CSMN w/o CSINF": partial(
        CostSensitiveMarkovNetwork, cost_sensitive_inference=False
    ),
    **{
        name: partial(ConstantLabelClassifier, label)
        for label, name in enumerate(ALWAYS)
    },
}


def scene_methods(scene: str, n_labels: int) -> tuple[str, ...]:
    """Return the methods that can be run in a scene."""
    exact = EXACT if scene == "small" else ()
    return (*LEARNING, *exact, *ALWAYS[:n_labels])


def make_classifiers(
    names: Sequence[str], *, averaged: bool = False
) -> dict[str, StructuredClassifier]:
    """Return unfitted classifiers by name.

    `averaged`: whether cost-sensitive inference goes on with averaged marginals.
    """
    makers: dict[str, Callable[[], StructuredClassifier]] = {
        **_MAKERS,
        "CSMN": partial(CostSensitiveMarkovNetwork, average=averaged),
        "CSMN (exact)": partial(
            CostSensitiveMarkovNetwork, inference="exact", average=averaged
        ),
    }
    return {name: makers[name]() for name in names}


def method_title(name: str, labels: Sequence[str]) -> str:
    """Return what a method is called where labels have names."""
    if name in ALWAYS and ALWAYS.index(name) < len(labels):
        return f"Always {labels[ALWAYS.index(name)]}"
    return name
