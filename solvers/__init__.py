"""Cost-aware classifiers on one hypergraph cost model."""

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
