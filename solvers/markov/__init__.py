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

from .baselines import ConstantLabelClassifier, TruthClassifier
from .belief_propagation import max_product, sum_product
from .classifier import Labelling, StructuredClassifier
from .comparison import (
    CurvePoint,
    FoldResult,
    MethodSummary,
    compare,
    leave_one_out,
    summarise,
    trace_curve,
)
from .cost_sensitive import CostSensitiveMarkovNetwork
from .decoding import minimise_energy
from .engines import exact_marginals, exact_maximum
from .expected_cost import expected_costs
from .floor_plan import simulate_lab
from .graph import CostGraph, misclassification_cost, paid_costs
from .growth import attribute_accuracy, grow_graphs
from .health import HealthReport
from .lab_files import read_lab, read_sensor_csv, write_lab, write_sensor_csv
from .logistic import NodeLogisticClassifier
from .markov_network import MarkovNetworkClassifier
from .oracle import exact_minimum
from .own_data import read_graph, write_graph
from .pairwise import Beliefs, PairwiseModel
from .sensor_graphs import (
    LIGHT_LEVELS,
    LevelEdges,
    ReadingWindow,
    SensorReadings,
    deal_snapshots,
    sensor_folds,
    take_snapshots,
)
from .splitting import split_graph
from .two_step import InferenceStep, InferenceTrace

__all__ = [
    "LIGHT_LEVELS",
    "Beliefs",
    "ConstantLabelClassifier",
    "CostGraph",
    "CostSensitiveMarkovNetwork",
    "CurvePoint",
    "FoldResult",
    "HealthReport",
    "InferenceStep",
    "InferenceTrace",
    "Labelling",
    "LevelEdges",
    "MarkovNetworkClassifier",
    "MethodSummary",
    "NodeLogisticClassifier",
    "PairwiseModel",
    "ReadingWindow",
    "SensorReadings",
    "StructuredClassifier",
    "TruthClassifier",
    "attribute_accuracy",
    "compare",
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
