"""Bayesian-network classifiers, and trimmings that decide as they do for less.

>>> from solvers.bayes import bundled_classifier, search_trimmings, trim
>>> quiz = bundled_classifier("quiz")
>>> trim(quiz, budget=1).features
('Q1',)
>>> [event.state for event in search_trimmings(quiz, budget=1)][:3]
['expanded', 'improved', 'bounded']
"""

from .accuracy import AccuracySelection, most_accurate_selection
from .agreement import (
    InstanceTable,
    agreement,
    information_gain,
    instance_table,
    maximum_achievable_agreement,
    maximum_potential_agreement,
    same_decision_probability,
)
from .classifier import BayesianClassifier
from .cuts import Achievable, Cuts, ThresholdInterval
from .elimination import joint, posterior
from .learning import CutPoints, learn_cut_points, learn_naive_bayes, learn_tan
from .network import BayesianNetwork
from .network_json import (
    classifier_from_json,
    classifier_to_json,
    network_to_json,
)
from .readers import (
    BUNDLED,
    CLASSICS,
    bundled_classifier,
    classic_network,
    read_model,
)
from .sampled import Estimate, estimate_agreement, sample
from .selections import (
    Comparison,
    ScoredSubsets,
    compare_over_thresholds,
    information_gain_selection,
    same_decision_selection,
    score_affordable_subsets,
)
from .tables import TABLES, LearnedClassifier, learn_classifier, learned_classifier
from .trimming import SearchEvent, Trimming, search_trimmings, trim

__all__ = [
    "BUNDLED",
    "CLASSICS",
    "TABLES",
    "AccuracySelection",
    "Achievable",
    "BayesianClassifier",
    "BayesianNetwork",
    "Comparison",
    "CutPoints",
    "Cuts",
    "Estimate",
    "InstanceTable",
    "LearnedClassifier",
    "ScoredSubsets",
    "SearchEvent",
    "ThresholdInterval",
    "Trimming",
    "agreement",
    "bundled_classifier",
    "classic_network",
    "classifier_from_json",
    "classifier_to_json",
    "compare_over_thresholds",
    "estimate_agreement",
    "information_gain",
    "information_gain_selection",
    "instance_table",
    "joint",
    "learn_classifier",
    "learn_cut_points",
    "learn_naive_bayes",
    "learn_tan",
    "learned_classifier",
    "maximum_achievable_agreement",
    "maximum_potential_agreement",
    "most_accurate_selection",
    "network_to_json",
    "posterior",
    "read_model",
    "same_decision_probability",
    "same_decision_selection",
    "sample",
    "score_affordable_subsets",
    "search_trimmings",
    "trim",
]
