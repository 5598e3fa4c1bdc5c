"""How well a trimming agrees with its classifier: ECA, MAA, MPA and SDP, exactly.

>>> from solvers.bayes import bundled_classifier
>>> quiz = bundled_classifier("quiz")
>>> round(agreement(quiz, ["Q1", "Q3"], threshold=0.1), 4)
0.9082
>>> best = maximum_achievable_agreement(quiz, ["Q1", "Q2"])
>>> round(best.agreement, 4), str(best.threshold_interval)
(0.9748, '(0.07692, 0.3333]')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..costs.selection import Selection
from ..errors import NetworkError
from ..numerics.arrays import Floats
from .classifier import BayesianClassifier, checked_threshold
from .criteria import class_information
from .cuts import TOLERANCE, Achievable, Cuts, all_cuts

# More rows than this are no table for people.
MAX_INSTANCES = 2**16


def agreement(
    classifier: BayesianClassifier, features: Selection, threshold: float
) -> float:
    """Return the expected classification agreement (ECA) with a trimming.

    The probability that a classifier which sees only `features` and compares with
    `threshold` decides as the original does (Definition 2 in [1]_). At the original
    threshold it is the expected same-decision probability.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    features : bool mask, integer positions or names
        What the trimming sees.
    threshold : float
        What it compares with, between 0 and 1.

    Returns
    -------
    float

    Raises
    ------
    NetworkError
        If the threshold is out of range, or there are too many joint states.

    References
    ----------
    .. [1] Choi and Van den Broeck, "On robust trimming of Bayesian network
       classifiers", IJCAI 2018.
    """
    cut = checked_threshold(threshold)
    return classifier.decisions.agreement(classifier.positions(features), cut)


def maximum_achievable_agreement(
    classifier: BayesianClassifier, features: Selection
) -> Achievable:
    """Return the maximum achievable agreement (MAA) of a set of features.

    The best expected agreement over all new thresholds (Definition 3), and the lowest
    interval of thresholds that attain it.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    features : bool mask, integer positions or names
        What a trimming sees.

    Returns
    -------
    Achievable
        ``agreement`` and ``threshold_interval``.
    """
    return classifier.decisions.achievable(classifier.positions(features))


def maximum_potential_agreement(
    classifier: BayesianClassifier, features: Selection
) -> float:
    """Return the maximum potential agreement (MPA) of a set of features.

    What a rule that may decide each joint state of the features as it likes could
    agree (Definition 4). It is at least the achievable agreement of the set and of
    every part of it, and equals it in naive Bayes.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    features : bool mask, integer positions or names
        What the rule sees.

    Returns
    -------
    float
    """
    return classifier.decisions.potential(classifier.positions(features))


def same_decision_probability(
    classifier: BayesianClassifier, evidence: Mapping[str, str]
) -> float:
    """Return how likely a decision on partial evidence is to stay (SDP).

    The probability, given the evidence, that the decision once all features are seen
    is the decision on the evidence alone, at the same threshold (Definition 5).

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    evidence : mapping of str to str
        States of some features, by name.

    Returns
    -------
    float

    Raises
    ------
    NetworkError
        If the evidence has probability zero.
    """
    chosen = classifier.positions(list(evidence))
    network, names = classifier.network, [classifier.features[j] for j in chosen]
    shape = tuple(network.cardinality(name) for name in names)
    states = tuple(network.state_index(name, evidence[name]) for name in names)
    place = int(np.ravel_multi_index(states, shape)) if states else 0
    positive, total = (mass[place] for mass in classifier.masses.of(chosen))
    if total <= 0:
        raise NetworkError(
            f"The evidence {dict(evidence)} has probability 0; give states that can "
            "occur together."
        )
    # (Pr(f) +- D(f)) / 2 is the mass that the original calls positive, or negative.
    signed = classifier.decisions.signed(chosen)[place]
    says_positive = positive - (classifier.threshold - TOLERANCE) * total >= 0
    return float((total + (signed if says_positive else -signed)) / (2 * total))


def information_gain(classifier: BayesianClassifier, features: Selection) -> float:
    """Return the information between the class and a set of features, in bits.

    Parameters
    ----------
    classifier : BayesianClassifier
        Its class is positive or not; its threshold plays no part.
    features : bool mask, integer positions or names
        The set.

    Returns
    -------
    float
    """
    masses = classifier.masses.of(classifier.positions(features))
    return class_information(np.stack(masses))


@dataclass(frozen=True, eq=False)
class InstanceTable:
    """What a set of features can show, as in Table 4 of the paper, and its cuts."""

    features: tuple[str, ...]  #: The features
    #: Joint states of positive probability, by falling posterior
    states: tuple[tuple[str, ...], ...]
    posteriors: Floats  #: (n_instances,) Pr(positive | state)
    #: (n_instances,) Probability of the state together with a positive, or negative,
    #: decision of the original classifier
    positives: Floats
    negatives: Floats
    cuts: Cuts  #: Agreement of every different cut, lowest threshold first
    best: Achievable  #: The best of them


def instance_table(
    classifier: BayesianClassifier, features: Selection
) -> InstanceTable:
    """Return the joint states of a set of features and the cuts between them.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    features : bool mask, integer positions or names
        The set, of at most 65,536 joint states.

    Returns
    -------
    InstanceTable
    """
    chosen = classifier.positions(features)
    size = classifier.masses.size(chosen)
    if size > MAX_INSTANCES:
        raise NetworkError(
            f"The {len(chosen)} features have {size} joint states; a table shows at "
            f"most {MAX_INSTANCES}. Choose fewer features."
        )
    names = tuple(classifier.features[j] for j in chosen)
    states = list(product(*(classifier.network.states[name] for name in names)))
    positive, total = classifier.masses.of(chosen)
    signed = classifier.decisions.signed(chosen)
    cuts = all_cuts(positive, total, signed)
    shown = np.flatnonzero(total > 0)
    posteriors = positive[shown] / total[shown]
    order = np.argsort(-posteriors, kind="stable")
    return InstanceTable(
        names,
        tuple(states[at] for at in shown[order]),
        posteriors[order],
        ((total + signed) / 2)[shown][order],
        ((total - signed) / 2)[shown][order],
        cuts,
        cuts.best(),
    )
