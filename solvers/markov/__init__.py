"""Classifiers of graphs whose mistakes cost on nodes and on edges.

LOGREG, MN and CSMN of Sen and Getoor, "Cost-sensitive learning with conditional Markov
networks", ICML 2006, with what it takes to compare them.

>>> from solvers.markov import CostSensitiveMarkovNetwork, grow_graphs
>>> from solvers.markov import misclassification_cost
>>> *training, test = grow_graphs(3, 100, random_state=0)
>>> labels = CostSensitiveMarkovNetwork().fit(training).predict(test)
>>> misclassification_cost(test, labels) < misclassification_cost(test, 1 - labels)
True
"""

from .belief_propagation import max_product, sum_product
from .classifier import HealthReport, Labelling, StructuredClassifier
from .comparison import (
    CurvePoint,
    FoldResult,
    MethodSummary,
    compare,
    leave_one_out,
    split_graph,
    summarise,
    trace_curve,
)
from .decoding import exact_minimum, minimise_energy
from .engines import exact_marginals, exact_maximum
from .expected_cost import expected_costs
from .floor_plan import simulate_lab
from .graph import CostGraph, misclassification_cost, paid_costs
from .growth import attribute_accuracy, grow_graphs
from .lab_files import read_lab, read_sensor_csv, write_lab, write_sensor_csv
from .methods import (
    ConstantLabelClassifier,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    TruthClassifier,
)
from .own_data import read_graph, write_graph
from .pairwise import Beliefs, PairwiseModel
from .scenes import (
    GrownScene,
    OneGraphScene,
    SceneComparison,
    SensorScene,
    compare_scene,
)
from .sensor_graphs import (
    LIGHT_LEVELS,
    LevelEdges,
    ReadingWindow,
    SensorReadings,
    deal_snapshots,
    sensor_folds,
    take_snapshots,
)
from .two_step import InferenceStep, InferenceTrace

__all__ = [
    "LIGHT_LEVELS",
    "Beliefs",
    "ConstantLabelClassifier",
    "CostGraph",
    "CostSensitiveMarkovNetwork",
    "CurvePoint",
    "FoldResult",
    "GrownScene",
    "HealthReport",
    "InferenceStep",
    "InferenceTrace",
    "Labelling",
    "LevelEdges",
    "MarkovNetworkClassifier",
    "MethodSummary",
    "NodeLogisticClassifier",
    "OneGraphScene",
    "PairwiseModel",
    "ReadingWindow",
    "SceneComparison",
    "SensorReadings",
    "SensorScene",
    "StructuredClassifier",
    "TruthClassifier",
    "attribute_accuracy",
    "compare",
    "compare_scene",
    "deal_snapshots",
    "exact_marginals",
    "exact_maximum",
    "exact_minimum",
    "expected_costs",
    "grow_graphs",
    "leave_one_out",
    "max_product",
    "minimise_energy",
    "misclassification_cost",
    "paid_costs",
    "read_graph",
    "read_lab",
    "read_sensor_csv",
    "sensor_folds",
    "simulate_lab",
    "split_graph",
    "sum_product",
    "summarise",
    "take_snapshots",
    "trace_curve",
    "write_graph",
    "write_lab",
    "write_sensor_csv",
]
