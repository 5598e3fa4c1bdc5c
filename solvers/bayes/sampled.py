"""Rows drawn from a network, agreement estimated from them, and a search by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..checks import check_count
from ..costs.selection import Selection
from ..errors import NetworkError
from .branching import Incumbent, SearchStep, State
from .classifier import BayesianClassifier, checked_threshold
from .cuts import TOLERANCE, Achievable, all_cuts
from .masses import NaiveMasses
from .network import BayesianNetwork
from .pricing import SharedCosts

# Rows drawn from a network, parents before children.


MAX_SAMPLES = 10_000_000


def sample(
    network: BayesianNetwork, n_samples: int, random_state: int | None = 0
) -> dict[str, NDArray[np.intp]]:
    """Return rows drawn from a network.

    Parameters
    ----------
    network : BayesianNetwork
        The distribution.
    n_samples : int
        How many rows, from 1 to ten million.
    random_state : int or None, default=0
        Seed; None for fresh randomness.

    Returns
    -------
    dict of str to ndarray of int, shape (n_samples,)
        Position of the state of each variable.

    Examples
    --------
    >>> coin = BayesianNetwork({"coin": ("head", "tail")}, {}, {"coin": [1, 0]})
    >>> sample(coin, 3)["coin"].tolist()
    [0, 0, 0]
    """
    n_rows = checked_count(n_samples)
    rng = np.random.default_rng(random_state)
    drawn: dict[str, NDArray[np.intp]] = {}
    for name in network.variables:
        rows = network.tables[name][tuple(drawn[of] for of in network.parents[name])]
        # Ancestral sampling by inverse distribution: parents are drawn before.
        levels = np.cumsum(rows, axis=-1)
        levels /= levels[..., -1:]
        # A draw is below 1, so it never reaches a last level, nor an impossible state.
        draws = rng.random((n_rows, 1))
        drawn[name] = (draws >= levels).sum(axis=-1)
    return drawn


def checked_count(n_samples: int) -> int:
    """Return a number of samples, or refuse it."""
    return check_count("n_samples", n_samples, 1, MAX_SAMPLES, NetworkError)


# Agreement estimated from samples, where joint states are too many to list.
#
# What a trimming decides on a sampled row is exact, its posterior is computed; only the
# average over rows is an estimate.


DEFAULT_SAMPLES = 20_000

Rows = NDArray[np.intp]


class Estimate(NamedTuple):
    """A number estimated from samples."""

    value: float  #: The estimate
    standard_error: float  #: Its standard error


@dataclass(frozen=True, eq=False)
class SampledDecisions:
    """Rows drawn from a classifier's network, with the classifier's decisions."""

    classifier: BayesianClassifier  # The original
    # (n_samples, n_features) Rows to choose sets and thresholds by, and fresh ones to
    # judge the choice by
    rows: Rows
    decided: NDArray[np.bool_]  # (n_samples,) What the classifier says of them
    checks: Rows
    checked: NDArray[np.bool_]

    @classmethod
    def draw(
        cls, classifier: BayesianClassifier, n_samples: int, random_state: int | None
    ) -> Self:
        """Return decisions on rows that are drawn now."""
        n_rows = checked_count(n_samples)
        rows = _drawn(classifier, 2 * n_rows, random_state)
        decided = classifier.decide(rows)
        return cls(
            classifier, rows[:n_rows], decided[:n_rows], rows[n_rows:], decided[n_rows:]
        )

    def achievable(self, chosen: Sequence[int]) -> Achievable:
        """Return the best agreement on the rows, and the thresholds that attain it."""
        total = np.full(len(self.rows), 1.0 / len(self.rows))
        posteriors = self._posteriors(list(chosen))
        signed = np.where(self.decided, total, -total)
        return all_cuts(posteriors * total, total, signed).best()

    def _posteriors(self, chosen: list[int]) -> NDArray[np.float64]:
        masses = self.classifier.masses
        if not isinstance(masses, NaiveMasses) or not chosen:
            return masses.posterior(chosen, self.rows[:, chosen])
        # Independent features given the class: their log-odds add up.
        return expit(self._odds[chosen].sum(axis=0) + masses.prior_odds)

    @cached_property
    def _odds(self) -> NDArray[np.float64]:
        """Log-odds of each feature of naive Bayes on each row, (n_features, n_rows)."""
        odds = cast("NaiveMasses", self.classifier.masses).log_odds
        return np.array([of[row] for of, row in zip(odds, self.rows.T, strict=True)])

    def checked_agreement(self, chosen: Sequence[int], threshold: float) -> Estimate:
        """Return the agreement on rows that nothing was chosen by."""
        chosen = list(chosen)
        posteriors = self.classifier.masses.posterior(chosen, self.checks[:, chosen])
        same = (posteriors >= threshold - TOLERANCE) == self.checked
        return _share(same)


def estimate_agreement(
    classifier: BayesianClassifier,
    features: Selection,
    threshold: float,
    *,
    n_samples: int = DEFAULT_SAMPLES,
    random_state: int | None = 0,
) -> Estimate:
    """Return the expected agreement with a trimming, estimated from samples.

    For classifiers whose features have too many joint states for `agreement`.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    features : bool mask, integer positions or names
        What the trimming sees.
    threshold : float
        What it compares with, between 0 and 1.
    n_samples : int, default=20000
        How many rows to draw.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Estimate
        ``value`` and ``standard_error``.
    """
    cut = checked_threshold(threshold)
    chosen = classifier.positions(features)
    rows = _drawn(classifier, n_samples, random_state)
    same = classifier.decide(rows) == classifier.decide(rows, chosen, cut)
    return _share(same)


def _drawn(
    classifier: BayesianClassifier, n_rows: int, random_state: int | None
) -> Rows:
    drawn = sample(classifier.network, n_rows, random_state)
    return np.column_stack([drawn[name] for name in classifier.features])


def _share(same: NDArray[np.bool_]) -> Estimate:
    """Return a share of rows; the error never falls to 0, by one row of either kind."""
    value, n_rows = float(same.mean()), len(same)
    padded = (same.sum() + 1) / (n_rows + 2)
    return Estimate(value, float(np.sqrt(padded * (1 - padded) / n_rows)))


# A search for sets of features by samples: add the best, then drop and exchange.
#
# Nothing is proved about sets that it does not look at.


Set = tuple[int, ...]


def sampled_search(
    samples: SampledDecisions, prices: SharedCosts
) -> Iterator[SearchStep]:
    """Search for a good affordable set of features by samples, step by step.

    One for each better set, and a last one that is "finished". The bound is 1: nothing
    is proved.
    """
    return _Climb(samples, prices).run()


class _Climb:
    """One run: the best set so far, and the score of every set that was looked at."""

    def __init__(self, samples: SampledDecisions, prices: SharedCosts) -> None:
        self.samples = samples
        self.prices = prices
        self.scores: dict[Set, float] = {}
        self.best = Incumbent((), self._score(()), prices.cost(()), 0)

    def run(self) -> Iterator[SearchStep]:
        yield self._step("expanded")
        while (better := self._better()) is not None:
            before = self.best
            cost = self.prices.cost(better)
            self.best = Incumbent(better, self._score(better), cost, before.node + 1)
            yield self._step("improved", before)
        yield self._step("finished")

    def _better(self) -> Set | None:
        added = self._addition()
        return self._exchange() if added is None else added

    def _addition(self) -> Set | None:
        """Return the set with the feature of most gain for each unit of cost."""
        grown = [*self.prices.grown(self.best.chosen)]
        gains = np.array([self._score(chosen) - self.best.score for chosen in grown])
        if not grown or gains.max() <= TOLERANCE:
            return None
        # By marginal cost: what it shares with the set is paid already.
        costlier = [self.prices.cost(chosen) - self.best.cost for chosen in grown]
        free = np.sqrt(np.finfo(float).tiny)
        return grown[int(np.argmax(np.maximum(gains, 0) / np.maximum(costlier, free)))]

    def _exchange(self) -> Set | None:
        """Return a better set with one feature less or replaced, if there is one."""
        for gone in self.best.chosen:
            rest = tuple(j for j in self.best.chosen if j != gone)
            # A feature that no longer helps, now that others are there, is given back.
            if self._score(rest) >= self.best.score - TOLERANCE:
                return rest
            changed = self.prices.exchanged(self.best.chosen, gone)
            better = max(changed, key=self._score, default=rest)
            if self._score(better) > self.best.score + TOLERANCE:
                return better
        return None

    def _score(self, chosen: Set) -> float:
        if chosen not in self.scores:
            self.scores[chosen] = self.samples.achievable(chosen)[0]
        return self.scores[chosen]

    def _step(self, state: State, before: Incumbent | None = None) -> SearchStep:
        best = self.best
        came = sorted(set(best.chosen) - set(before.chosen)) if before else []
        gone = sorted(set(before.chosen) - set(best.chosen)) if before else []
        return SearchStep(
            node=best.node,
            parent=before.node if before else None,
            decision="included" if came else "excluded" if gone else "root",
            feature=next(iter((*came, *gone)), None),
            state=state,
            included=best.chosen,
            cost=best.cost,
            score=best.score,
            bound=1.0,
            best=best,
            upper=1.0,
            evaluations=len(self.scores),
        )
