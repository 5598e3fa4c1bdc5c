"""Every method on one frontier: one split, one rule of thresholds, one charge."""

from .comparison import (
    MethodComparison,
    SampleAnswers,
    answer_samples,
    compare_methods,
)
from .evaluation import (
    evaluate,
    prediction_cost,
    split_dataset,
    time_decisions,
    trace_frontier,
)
from .free_answer import free_scores
from .frontier import Frontier, FrontierPoint
from .selectivity import SelectivityTrace, trace_selectivity

__all__ = [
    "Frontier",
    "FrontierPoint",
    "MethodComparison",
    "SampleAnswers",
    "SelectivityTrace",
    "answer_samples",
    "compare_methods",
    "evaluate",
    "free_scores",
    "prediction_cost",
    "split_dataset",
    "time_decisions",
    "trace_frontier",
    "trace_selectivity",
]
