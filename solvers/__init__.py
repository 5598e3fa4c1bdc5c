"""Cost-aware classifiers on one hypergraph cost model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adopted import adopt
    from .costs.hypergraph import FeatureHypergraph
    from .costs.interchange import (
        HypergraphFile,
        from_hif,
        read_costs_csv,
        read_hif,
        read_hypergraph,
        read_incidence_csv,
        to_hif,
        write_hif,
        write_incidence_csv,
    )
    from .costs.prices import ComponentPrices
    from .datasets import Dataset, all_datasets, preview_table, read_table
    from .decisions.decision import Decision
    from .decisions.mistakes import MistakeCosts
    from .errors import ThriftscopeError
    from .features.pipeline import FeaturePipeline, Step
    from .features.tracing import trace_extractor
    from .frontier.comparison import answer_samples, compare_methods
    from .frontier.evaluation import (
        evaluate,
        prediction_cost,
        split_dataset,
        time_decisions,
        trace_frontier,
    )
    from .frontier.free_answer import free_scores
    from .frontier.frontier import Frontier, FrontierPoint
    from .methods import all_methods
    from .methods.adaptive import AdaptiveClassifier
    from .methods.base import CostAwareClassifier
    from .methods.static import LinearClassifier, StaticClassifier
    from .values.knobs import Choice, Knob, Number, Switch

__all__ = [
    "AdaptiveClassifier",
    "Choice",
    "ComponentPrices",
    "CostAwareClassifier",
    "Dataset",
    "Decision",
    "FeatureHypergraph",
    "FeaturePipeline",
    "Frontier",
    "FrontierPoint",
    "HypergraphFile",
    "Knob",
    "LinearClassifier",
    "MistakeCosts",
    "Number",
    "StaticClassifier",
    "Step",
    "Switch",
    "ThriftscopeError",
    "adopt",
    "all_datasets",
    "all_methods",
    "answer_samples",
    "compare_methods",
    "evaluate",
    "free_scores",
    "from_hif",
    "prediction_cost",
    "preview_table",
    "read_costs_csv",
    "read_hif",
    "read_hypergraph",
    "read_incidence_csv",
    "read_table",
    "split_dataset",
    "time_decisions",
    "to_hif",
    "trace_extractor",
    "trace_frontier",
    "write_hif",
    "write_incidence_csv",
]

# What is asked for is imported then: scikit-learn and SciPy take seconds together.
_HOMES = {
    "adopted": ("adopt",),
    "costs.hypergraph": ("FeatureHypergraph",),
    "costs.interchange": (
        "HypergraphFile",
        "from_hif",
        "read_costs_csv",
        "read_hif",
        "read_hypergraph",
        "read_incidence_csv",
        "to_hif",
        "write_hif",
        "write_incidence_csv",
    ),
    "costs.prices": ("ComponentPrices",),
    "datasets": (
        "Dataset",
        "all_datasets",
        "preview_table",
        "read_table",
    ),
    "decisions.decision": ("Decision",),
    "decisions.mistakes": ("MistakeCosts",),
    "errors": ("ThriftscopeError",),
    "features.pipeline": (
        "FeaturePipeline",
        "Step",
    ),
    "features.tracing": ("trace_extractor",),
    "frontier.comparison": (
        "answer_samples",
        "compare_methods",
    ),
    "frontier.evaluation": (
        "evaluate",
        "prediction_cost",
        "split_dataset",
        "time_decisions",
        "trace_frontier",
    ),
    "frontier.free_answer": ("free_scores",),
    "frontier.frontier": (
        "Frontier",
        "FrontierPoint",
    ),
    "methods": ("all_methods",),
    "methods.adaptive": ("AdaptiveClassifier",),
    "methods.base": ("CostAwareClassifier",),
    "methods.static": (
        "LinearClassifier",
        "StaticClassifier",
    ),
    "values.knobs": (
        "Choice",
        "Knob",
        "Number",
        "Switch",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
