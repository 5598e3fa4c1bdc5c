"""Every method on one frontier: one split, one rule of thresholds, one charge."""

from .as_good import AccuracyLoss, AsGood, accuracy_loss, cheapest_as_good
from .cluster import Cluster, ClusterError, ClusterQuestion
from .comparison import (
    MethodComparison,
    SampleAnswers,
    answer_samples,
    compare_methods,
)
from .evaluation import (
    evaluate,
    prediction_cost,
    price_mistakes,
    split_dataset,
    time_decisions,
    trace_frontier,
)
from .free_answer import free_scores
from .frontier import Frontier, FrontierPoint
from .proof import BudgetProof, prove_budget
from .selectivity import SelectivityTrace, trace_selectivity
from .testing_stops import TestingStops, where_testing_stops
from .total_cost import (
    TrivialAnswer,
    total_cost,
    trivial_answers,
)

__all__ = [
    "AccuracyLoss",
    "AsGood",
    "BudgetProof",
    "Cluster",
    "ClusterError",
    "ClusterQuestion",
    "Frontier",
    "FrontierPoint",
    "MethodComparison",
    "SampleAnswers",
    "SelectivityTrace",
    "TestingStops",
    "TrivialAnswer",
    "accuracy_loss",
    "answer_samples",
    "cheapest_as_good",
    "compare_methods",
    "evaluate",
    "free_scores",
    "prediction_cost",
    "price_mistakes",
    "prove_budget",
    "split_dataset",
    "time_decisions",
    "total_cost",
    "trace_frontier",
    "trace_selectivity",
    "trivial_answers",
    "where_testing_stops",
]
