"""The classifiers of the structured-costs page, by the names that people read."""

from __future__ import annotations

from collections.abc import Sequence

from solvers.markov import (
    ConstantLabelClassifier,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    StructuredClassifier,
)

from ...export.call import Call

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

_CALLS = {
    "LOGREG": Call(NodeLogisticClassifier),
    "LOGREG with edges": Call(NodeLogisticClassifier, edge_aware=True),
    "MN": Call(MarkovNetworkClassifier),
    "MN (2006)": Call(MarkovNetworkClassifier, "warm"),
    "MN (tree-reweighted)": Call(MarkovNetworkClassifier, "tree-reweighted"),
    "MN (pseudo-likelihood)": Call(MarkovNetworkClassifier, "pseudo-likelihood"),
    "MN (exact)": Call(MarkovNetworkClassifier, "exact"),
    "CSMN w/o CSINF": Call(CostSensitiveMarkovNetwork, cost_sensitive_inference=False),
    **{name: Call(ConstantLabelClassifier, label) for label, name in enumerate(ALWAYS)},
}


def scene_methods(scene: str, n_labels: int) -> tuple[str, ...]:
    """Return the methods that can be run in a scene."""
    exact = EXACT if scene == "small" else ()
    return (*LEARNING, *exact, *ALWAYS[:n_labels])


def classifier_calls(
    names: Sequence[str], *, averaged: bool = False
) -> dict[str, Call]:
    """Return the calls that make classifiers, by name.

    `averaged`: whether cost-sensitive inference goes on with averaged marginals.
    """
    asked = {"average": True} if averaged else {}
    csmn = CostSensitiveMarkovNetwork
    calls = {
        **_CALLS,
        "CSMN": Call(csmn, **asked),
        "CSMN (exact)": Call(csmn, inference="exact", **asked),
    }
    return {name: calls[name] for name in names}


def make_classifiers(
    names: Sequence[str], *, averaged: bool = False
) -> dict[str, StructuredClassifier]:
    """Return unfitted classifiers by name, as `classifier_calls` has them."""
    calls = classifier_calls(names, averaged=averaged)
    return {name: call() for name, call in calls.items()}


def method_title(name: str, labels: Sequence[str]) -> str:
    """Return what a method is called where labels have names."""
    if name in ALWAYS and ALWAYS.index(name) < len(labels):
        return f"Always {labels[ALWAYS.index(name)]}"
    return name
