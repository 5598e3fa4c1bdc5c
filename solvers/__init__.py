"""Cost-aware classifiers on one hypergraph cost model."""

from .base import CostAwareClassifier, LinearClassifier, StaticClassifier
from .datasets import Dataset, all_datasets
from .errors import ThriftscopeError
from .evaluation import (
    evaluate,
    prediction_cost,
    split_dataset,
    trace_frontier,
)
from .frontier import Frontier, FrontierPoint
from .hypergraph import FeatureHypergraph
from .knobs import Choice, Knob, Number, Switch
from .methods import all_methods
from .pipeline import FeaturePipeline, Step

__all__ = [
    "Choice",
    "CostAwareClassifier",
    "Dataset",
    "FeatureHypergraph",
    "FeaturePipeline",
    "Frontier",
    "FrontierPoint",
    "Knob",
    "LinearClassifier",
    "Number",
    "StaticClassifier",
    "Step",
    "Switch",
    "ThriftscopeError",
    "all_datasets",
    "all_methods",
    "evaluate",
    "prediction_cost",
    "split_dataset",
    "trace_frontier",
]
