"""Pr(positive, f) and Pr(f) over joint states of features.

Two ways to them: naive Bayes, where features are independent given a binary target,
multiplies; any other network eliminates.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from .elimination import conditional, joint, posterior
from .network import BayesianNetwork

# Joint distributions up to this size are kept, so that subsets only sum them.
KEPT_ENTRIES = 2**22
# Pieces of a large table: products stay in the cache, eliminations are few.
PRODUCT_ENTRIES = 2**15
ELIMINATED_ENTRIES = 2**24

# A state that one class never shows outweighs whatever the other features say.
CERTAIN = 1e6

Masses = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class ClassMasses(ABC):
    """The distribution that a classifier reads: its target and features."""

    # Whether features are independent given a binary target
    is_naive: ClassVar[bool]

    network: BayesianNetwork  # The whole network
    target: str  # The class variable
    positive: int  # Position of the positive state
    # Features, in order; a set of features is given by their positions
    features: tuple[str, ...]

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each feature."""
        return tuple(self.network.cardinality(name) for name in self.features)

    @cached_property
    def prior(self) -> float:
        """Pr(positive)."""
        return float(joint(self.network, (self.target,))[self.positive])

    @property
    def n_states(self) -> int:
        """Number of joint states of all features."""
        return math.prod(self.cardinalities)

    def size(self, chosen: Sequence[int]) -> int:
        """Return the number of joint states of some features."""
        return math.prod(self.cardinalities[j] for j in chosen)

    @abstractmethod
    def of(self, chosen: Sequence[int]) -> Masses:
        """Return Pr(positive, f) and Pr(f) for each joint state of some features.

        Shape: `positive, total` (size(chosen),).
        """

    @abstractmethod
    def chunks(self) -> Iterator[Masses]:
        """Yield the masses of all features in consecutive pieces, in order."""

    @abstractmethod
    def posterior(
        self, chosen: Sequence[int], rows: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return Pr(positive | row) where only some features are seen.

        Shapes: `rows` (n_rows, len(chosen)) -> (n_rows,).
        """

    @abstractmethod
    def can_occur(
        self, chosen: Sequence[int], rows: NDArray[np.integer]
    ) -> NDArray[np.bool_]:
        """Return which rows of some features have a probability above 0.

        Shapes: `rows` (n_rows, len(chosen)) -> (n_rows,).
        """

    def _leading(self, most: int) -> int:
        """Return how many leading features to fix, so that few states remain."""
        rest, lead = self.n_states, 0
        while rest > most:
            rest //= self.cardinalities[lead]
            lead += 1
        return lead


@dataclass(frozen=True, eq=False)
class NaiveMasses(ClassMasses):
    """Features that are independent given a binary target."""

    is_naive: ClassVar[bool] = True

    @cached_property
    def priors(self) -> NDArray[np.float64]:
        """Pr(positive) and Pr(negative), shape (2, 1)."""
        return np.array([[self.prior], [1.0 - self.prior]])

    @cached_property
    def given_class(self) -> tuple[NDArray[np.float64], ...]:
        """Pr(state | positive) and Pr(state | negative), shape (2, cardinality)."""
        order = [self.positive, 1 - self.positive]
        return tuple(
            conditional(self.network, name, self.target)[order]
            for name in self.features
        )

    @cached_property
    def log_odds(self) -> tuple[NDArray[np.float64], ...]:
        """Log-odds that each state of a feature adds, shape (cardinality,)."""
        return tuple(log_ratio(*given) for given in self.given_class)

    @cached_property
    def prior_odds(self) -> float:
        """Log-odds of the positive state before a feature is seen."""
        return float(log_ratio(self.prior, 1.0 - self.prior))

    def of(self, chosen: Sequence[int]) -> Masses:
        both = self.products(chosen) * self.priors
        return both[0], both[0] + both[1]

    def products(self, chosen: Sequence[int]) -> NDArray[np.float64]:
        """Return Pr(f | positive) and Pr(f | negative) of each joint state.

        Shape: (2, size(chosen)).
        """
        table = np.ones((2, 1))
        for j in chosen:
            given = self.given_class[j]
            table = (table[:, :, np.newaxis] * given[:, np.newaxis, :]).reshape(2, -1)
        return table

    def chunks(self) -> Iterator[Masses]:
        lead = self._leading(PRODUCT_ENTRIES)
        positive, total = self.of(range(lead, len(self.features)))
        # Given the class, Pr(lead, rest) factors: pieces scale the same two tables.
        negative = total - positive
        for weights in self.products(range(lead)).T:
            part = weights[0] * positive
            yield part, part + weights[1] * negative

    def posterior(
        self, chosen: Sequence[int], rows: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        weights = np.empty((len(rows), 2))
        weights[:] = self.priors.T
        for column, j in enumerate(chosen):
            weights *= self.given_class[j][:, rows[:, column]].T
            if column % 16 == 15:  # before products of many features underflow
                weights /= np.maximum(weights.max(axis=1, keepdims=True), 1e-300)
        return _scaled(weights[:, 0], weights.sum(axis=1), self.prior)

    def can_occur(
        self, chosen: Sequence[int], rows: NDArray[np.integer]
    ) -> NDArray[np.bool_]:
        # Class by class and without a product, which of many features underflows.
        can = np.repeat(self.priors.T > 0, len(rows), axis=0)
        for column, j in enumerate(chosen):
            can &= self.given_class[j][:, rows[:, column]].T > 0
        return np.asarray(can.any(axis=1))


@dataclass(frozen=True, eq=False)
class NetworkMasses(ClassMasses):
    """Features of any network."""

    is_naive: ClassVar[bool] = False

    def of(self, chosen: Sequence[int]) -> Masses:
        if self._kept is None:
            return self._eliminated(chosen, {})
        positive, total = self._kept
        return marginal(positive, chosen), marginal(total, chosen)

    @cached_property
    def _kept(self) -> Masses | None:
        if self.n_states > KEPT_ENTRIES:
            return None
        positive, total = self._eliminated(range(len(self.features)), {})
        shape = self.cardinalities
        return positive.reshape(shape), total.reshape(shape)

    def _eliminated(self, chosen: Sequence[int], seen: dict[str, int]) -> Masses:
        names = tuple(self.features[j] for j in chosen)
        table = joint(self.network, (self.target, *names), seen)
        flat = table.reshape(table.shape[0], -1)
        return flat[self.positive], flat.sum(axis=0)

    def chunks(self) -> Iterator[Masses]:
        if self._kept is not None:
            yield self._kept[0].ravel(), self._kept[1].ravel()
            return
        lead = self._leading(ELIMINATED_ENTRIES)
        rest = range(lead, len(self.features))
        for places in np.ndindex(*self.cardinalities[:lead]):
            yield self._eliminated(rest, dict(zip(self.features, places, strict=False)))

    def posterior(
        self, chosen: Sequence[int], rows: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        if self._kept is not None:
            positive, total = self.of(chosen)
            shape = [self.cardinalities[j] for j in chosen]
            place = (
                np.ravel_multi_index((*rows.T,), shape) if shape else [0] * len(rows)
            )
            return _scaled(positive[place], total[place], self.prior)
        distinct, place = np.unique(rows, axis=0, return_inverse=True)
        seen = {self.features[j]: distinct[:, k] for k, j in enumerate(chosen)}
        masses = posterior(self.network, self.target, seen)
        found = _scaled(masses[:, self.positive], masses.sum(axis=1), self.prior)
        return found[place.ravel()] if seen else np.full(len(rows), found[0])

    def can_occur(
        self, chosen: Sequence[int], rows: NDArray[np.integer]
    ) -> NDArray[np.bool_]:
        distinct, place = np.unique(rows, axis=0, return_inverse=True)
        seen = {self.features[j]: distinct[:, k] for k, j in enumerate(chosen)}
        if not seen:
            return np.ones(len(rows), dtype=bool)
        total = posterior(self.network, self.target, seen).sum(axis=1)
        return total[place.ravel()] > 0


def class_masses(
    network: BayesianNetwork, target: str, positive: int, features: tuple[str, ...]
) -> ClassMasses:
    """Return the masses of a classifier, multiplied where that is exact."""
    kind = NaiveMasses if _is_naive(network, target, features) else NetworkMasses
    return kind(network, target, positive, features)


def marginal(table: NDArray[np.float64], chosen: Sequence[int]) -> NDArray[np.float64]:
    """Return the sums of a table over all axes but some, flat.

    Shape: (product of the lengths of the chosen axes,).
    """
    kept = set(chosen)
    gone = [axis not in kept for axis in range(table.ndim)]
    summed = sum_axes(table.reshape(1, -1), table.shape, gone)
    shape = [length for length, drop in zip(table.shape, gone, strict=True) if not drop]
    if list(chosen) == sorted(chosen):
        return summed.reshape(-1)
    ranks = np.argsort(np.argsort(chosen))
    return np.ascontiguousarray(summed.reshape(shape).transpose(ranks)).reshape(-1)


def sum_axes(
    rows: NDArray[np.float64], lengths: Sequence[int], gone: Sequence[bool]
) -> NDArray[np.float64]:
    """Return flat tables, one a row, without some of their axes.

    Shapes: `rows` (n_rows, product of lengths) -> (n_rows, product of the other
    lengths).
    """
    before = 1
    place = 0
    while place < len(lengths):
        # Neighbouring axes go at once, and the first of all: long sums are fast sums.
        drop, run = gone[place], 1
        while place < len(lengths) and gone[place] == drop:
            run *= lengths[place]
            place += 1
        if not drop:
            before *= run
            continue
        axes = rows.reshape(len(rows), before, run, -1)
        both = axes[:, :, 0] + axes[:, :, 1] if run == 2 else axes.sum(axis=2)
        rows = both.reshape(len(rows), -1)
    return rows


def _is_naive(network: BayesianNetwork, target: str, features: tuple[str, ...]) -> bool:
    """Return whether the target is binary and parts every feature from the others."""
    if network.cardinality(target) != 2:
        return False
    return all(
        nx.is_d_separator(network.graph, {name}, set(features) - {name}, {target})
        for name in features
        if len(features) > 1
    )


def _scaled(
    positive: NDArray[np.float64], total: NDArray[np.float64], otherwise: float
) -> NDArray[np.float64]:
    start = np.full(len(total), otherwise)
    return np.divide(positive, total, out=start, where=total > 0)


def log_ratio(
    positive: NDArray[np.float64] | float, negative: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Return log(positive / negative), a million where only one of them is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.log(np.maximum(positive, 0.0)) - np.log(np.maximum(negative, 0.0))
    return np.nan_to_num(np.clip(odds, -CERTAIN, CERTAIN), nan=0.0)
