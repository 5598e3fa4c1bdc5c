"""Other ways to choose features within a budget, to compare trimming with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal, TypeAlias

import numpy as np

from ..checks import eager
from ..errors import NetworkError, shown
from ..numerics.arrays import Floats, Mask
from .agreement import agreement
from .branching import branch_and_bound
from .classifier import BayesianClassifier
from .criteria import AchievableAgreement, FixedThresholdAgreement, InformationGain
from .cuts import ThresholdInterval
from .frames import Frame, Frames
from .pricing import Costs, SharedCosts, as_prices
from .trimming import Trimming, trim

# Every affordable set of features, each from the table of a larger one.


MAX_SUBSETS = 200_000


def affordable_masks(prices: SharedCosts) -> Mask:
    """Return every set of features that fits in the budget, the empty one first.

    Shape: (n_subsets, n_features).
    """
    n_features = len(prices.needs)
    masks = np.zeros((1, n_features), dtype=bool)
    paid = np.zeros((1, len(prices.component_costs)), dtype=bool)
    for j in range(n_features):
        wider = paid | prices.needs[j]
        # Costs only grow: a set that does not fit is in no larger one that does.
        fits = prices.fits(wider @ prices.component_costs)
        grown = masks[fits].copy()
        grown[:, j] = True
        masks = np.concatenate([masks, grown])
        paid = np.concatenate([paid, wider[fits]])
        if len(masks) > MAX_SUBSETS:
            raise NetworkError(
                f"More than {MAX_SUBSETS} sets of features fit in the budget "
                f"{prices.budget:g}; lower the budget."
            )
    return masks


def affordable_subsets(
    classifier: BayesianClassifier, prices: SharedCosts
) -> Iterator[tuple[Mask, float]]:
    """Yield every affordable set with its maximum achievable agreement.

    Shape: `mask` (n_features,).
    """
    affordable_masks(prices)  # refuses too many before the first
    frames = Frames(AchievableAgreement(classifier.masses, classifier.decisions))
    n_features = len(classifier.features)
    whole = frames.of(range(n_features))
    stack: list[tuple[Frame, int]] = [(whole, 0)]
    while stack:
        # The first features of a frame are in the set, the others may yet be.
        frame, n_included = stack.pop()
        included = frame.chosen[:n_included]
        rest = frame.chosen[n_included:]
        gone = [*compress(rest, ~prices.affordable(prices.paid(included), rest))]
        frame = frames.without(frame, gone) if gone else frame
        if len(frame.chosen) == n_included:
            score = frames.score(frame, n_included, -np.inf)
            mask = np.zeros(n_features, dtype=bool)
            mask[list(included)] = True
            yield mask, frame.bound if score is None else score
            continue
        excluded = frame.chosen[n_included]
        stack.append((frames.without(frame, (excluded,)), n_included))
        stack.append((frame, n_included + 1))


# Other ways to choose features within a budget, to compare trimming with.


# Information has no shortcut for sets that are too large to list.
MAX_INFORMATION_STATES = 2**24

Kind: TypeAlias = Literal["exact", "top"]


def same_decision_selection(
    classifier: BayesianClassifier, budget: float, costs: Costs = None
) -> Trimming:
    """Return the affordable features that agree most at the same threshold.

    The criterion of FS-SDD [1]_: expected same-decision probability. Its agreement is
    never above that of `trim`, which may move the threshold.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    budget : float
        Most that the features may cost.
    costs : array_like, mapping or FeatureHypergraph, optional
        As for `trim`.

    Returns
    -------
    Trimming
        Its interval holds the original threshold alone.

    References
    ----------
    .. [1] Choi, Darwiche and Van den Broeck, "Optimal feature selection for decision
       robustness in Bayesian networks", IJCAI 2017.
    """
    prices = as_prices(classifier.features, costs, budget)
    criterion = FixedThresholdAgreement(classifier.masses, classifier.decisions)
    *_, last = branch_and_bound(criterion, prices)
    threshold = classifier.threshold
    value = classifier.decisions.agreement(last.best.chosen, threshold)
    return Trimming(
        tuple(classifier.features[j] for j in last.best.chosen),
        value,
        ThresholdInterval(threshold, threshold, includes_low=True),
        last.best.cost,
        last.evaluations,
        bound=value,
    )


def information_gain_selection(
    classifier: BayesianClassifier,
    budget: float,
    costs: Costs = None,
    *,
    kind: Kind = "exact",
) -> Trimming:
    """Return the affordable features that tell most about the class.

    Parameters
    ----------
    classifier : BayesianClassifier
        Its class is positive or not; its threshold plays no part in the choice.
    budget : float
        Most that the features may cost.
    costs : array_like, mapping or FeatureHypergraph, optional
        As for `trim`.
    kind : {"exact", "top"}, default="exact"
        "exact": the set of most information together; "top": features one after the
        other by the information of each alone, as long as they fit.

    Returns
    -------
    Trimming
        With the best new threshold for that set, and the agreement that it attains.
        For that at the original threshold ask `agreement`.
    """
    prices = as_prices(classifier.features, costs, budget)
    if kind not in ("exact", "top"):
        raise NetworkError(f'The kind is {shown(kind)}; use "exact" or "top".')
    if kind == "exact" and classifier.n_states > MAX_INFORMATION_STATES:
        raise NetworkError(
            f"The features have {float(classifier.n_states):.1e} joint states; the "
            f"exact set is found up to {MAX_INFORMATION_STATES}. Use kind='top'."
        )
    criterion = InformationGain(classifier.masses)
    if kind == "exact":
        *_, last = branch_and_bound(criterion, prices)
        chosen, evaluations = last.best.chosen, last.evaluations
    else:
        n_features = len(classifier.features)
        gains = [criterion.bound_of((j,)) for j in range(n_features)]
        chosen, evaluations = (), n_features
        for j in np.argsort(-np.array(gains), kind="stable").tolist():
            if prices.fits(prices.cost((*chosen, j))):
                chosen = tuple(sorted((*chosen, j)))
    value, interval = classifier.decisions.achievable(chosen)
    names = tuple(classifier.features[j] for j in chosen)
    return Trimming(names, value, interval, prices.cost(chosen), evaluations)


@dataclass(frozen=True)
class Comparison:
    """Three selections for one threshold of the original classifier."""

    threshold: float  #: Of the original
    #: The best trimming, the best set at the same threshold, the most informative set
    #: with its best threshold
    trimmed: Trimming
    same_decision: Trimming
    information: Trimming
    #: Agreement of the most informative set at the original threshold
    information_agreement: float


@eager
def compare_over_thresholds(
    classifier: BayesianClassifier,
    budget: float,
    costs: Costs = None,
    thresholds: Floats | None = None,
) -> Iterator[Comparison | None]:
    """Yield trimming, same-decision and information-gain selection over thresholds.

    Parameters
    ----------
    classifier : BayesianClassifier
        Its own threshold plays no part.
    budget : float
        Most that the features may cost.
    costs : array_like, mapping or FeatureHypergraph, optional
        As for `trim`.
    thresholds : ndarray of float, optional
        0.1, 0.2, ... 0.9 by default, as in section 6.3 of the paper.

    Yields
    ------
    Comparison
        One for each threshold, in order.
    """
    as_prices(classifier.features, costs, budget)
    levels = np.arange(1, 10) / 10 if thresholds is None else np.asarray(thresholds)
    originals = [classifier.with_threshold(float(level)) for level in levels]
    yield None  # checked
    informed: Trimming | None = None
    for original in originals:
        if informed is None:
            informed = information_gain_selection(original, budget, costs)
        value, interval = original.decisions.achievable(
            original.positions(informed.features)
        )
        yield Comparison(
            original.threshold,
            trim(original, budget, costs),
            same_decision_selection(original, budget, costs),
            replace(informed, agreement=value, threshold_interval=interval),
            agreement(original, informed.features, original.threshold),
        )


@dataclass(frozen=True, eq=False)
class ScoredSubsets:
    """Every affordable set of features with its agreement, as for Fig. 5."""

    features: tuple[str, ...]  #: Names of the columns of `masks`
    masks: Mask  #: (n_subsets, n_features) The sets
    #: (n_subsets,) Maximum achievable agreement of each
    agreements: Floats
    costs: Floats  #: (n_subsets,) What each costs

    @property
    def best(self) -> int:
        """Row of the first set of highest agreement."""
        return int(np.argmax(self.agreements))

    def pareto(self, accuracies: Floats) -> Mask:
        """Return which sets no other beats in agreement and accuracy at once.

        Parameters
        ----------
        accuracies : ndarray of float, shape (n_subsets,)
            Accuracy of each set, in the same order.

        Returns
        -------
        ndarray of bool, shape (n_subsets,)
            Of sets that are alike in both, the first.
        """
        # By falling agreement: on the front where accuracy beats that of all before.
        order = np.lexsort((-np.asarray(accuracies), -self.agreements))
        front = np.zeros(len(order), dtype=bool)
        highest = -np.inf
        for row in order:
            if accuracies[row] > highest:
                front[row], highest = True, accuracies[row]
        return front


def score_affordable_subsets(
    classifier: BayesianClassifier, budget: float, costs: Costs = None
) -> ScoredSubsets:
    """Return the achievable agreement of all affordable sets of features at once.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    budget : float
        Most that the features may cost.
    costs : array_like, mapping or FeatureHypergraph, optional
        As for `trim`.

    Returns
    -------
    ScoredSubsets

    Raises
    ------
    NetworkError
        If there are more than 200,000 such sets, or too many joint states.
    """
    prices = as_prices(classifier.features, costs, budget)
    found = zip(*affordable_subsets(classifier, prices), strict=True)
    masks, agreements = map(np.array, found)
    costs = prices.costs_of(masks)
    return ScoredSubsets(classifier.features, masks, agreements, costs)
