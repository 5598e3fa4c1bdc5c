"""What a component is charged for the weights that lean on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.prox import lp_prox, mcp_prox, scad_prox, scad_value

# Slope of l_p at 0: infinite, but products with zeros stay zero.
LOCKED = 1e100

# Up to here a dense copy of the incidence is kept; products with it are quicker than
# with the sparse one up to there.
_DENSE_ENTRIES = 1_000_000
_DENSE_PRODUCTS = 50_000


class ComponentPenalty(ABC):
    """R(m): concave, not decreasing, 0 at 0; m is the sum of |w| on a component."""

    title: ClassVar[str]  # What people call it

    @abstractmethod
    def value(self, m: NDArray) -> Floats:
        """Return R."""

    @abstractmethod
    def slope(self, m: NDArray) -> Floats:
        """Return R'; as good as infinite at 0 for l_p."""

    @abstractmethod
    def second_derivative(self, m: NDArray) -> Floats:
        """Return R'' for m above 0."""

    @abstractmethod
    def prox(self, a: NDArray, t: NDArray) -> Floats:
        """Return the minimiser of ``(m - a)^2 / 2 + t R(m)`` over m >= 0."""


@dataclass(frozen=True)
class Lp(ComponentPenalty):
    """``m^p``: the closer p is to 0, the closer to paying each component once.

    Parameters
    ----------
    p : float
        0 < p <= 1; at 1 it is the weighted l1 norm.
    """

    title: ClassVar[str] = "ℓp quasi-norm"

    p: float

    def value(self, m: NDArray) -> Floats:
        return np.sqrt(m) if self.p == 0.5 else np.power(m, self.p)

    def slope(self, m: NDArray) -> Floats:
        if self.p == 1:
            return np.ones_like(m)
        slope = np.full_like(m, LOCKED)
        used = m > 0
        slope[used] = np.minimum(self.p * self.value(m[used]) / m[used], LOCKED)
        return slope

    def second_derivative(self, m: NDArray) -> Floats:
        with np.errstate(over="ignore"):
            return -self.p * (1.0 - self.p) * np.power(m, self.p - 2.0)

    def prox(self, a: NDArray, t: NDArray) -> Floats:
        return lp_prox(a, t, self.p)


@dataclass(frozen=True)
class Mcp(ComponentPenalty):
    """Minimax concave penalty ``m - m^2 / (2 gamma)``, flat above gamma."""

    title: ClassVar[str] = "MCP"

    gamma: float  # Above 1

    def value(self, m: NDArray) -> Floats:
        capped = np.minimum(m, self.gamma)
        return capped - capped**2 / (2.0 * self.gamma)

    def slope(self, m: NDArray) -> Floats:
        return np.maximum(1.0 - m / self.gamma, 0.0)

    def second_derivative(self, m: NDArray) -> Floats:
        return np.where(m < self.gamma, -1.0 / self.gamma, 0.0)

    def prox(self, a: NDArray, t: NDArray) -> Floats:
        return mcp_prox(a, t, self.gamma)


@dataclass(frozen=True)
class Scad(ComponentPenalty):
    """Smoothly clipped absolute deviation: ``m`` up to 1, flat above gamma."""

    title: ClassVar[str] = "SCAD"

    gamma: float  # Above 1

    def value(self, m: NDArray) -> Floats:
        return scad_value(m, self.gamma)

    def slope(self, m: NDArray) -> Floats:
        return np.clip((self.gamma - m) / (self.gamma - 1.0), 0.0, 1.0)

    def second_derivative(self, m: NDArray) -> Floats:
        inside = (m > 1.0) & (m < self.gamma)
        return np.where(inside, -1.0 / (self.gamma - 1.0), 0.0)

    def prox(self, a: NDArray, t: NDArray) -> Floats:
        return scad_prox(a, t, self.gamma)


#: Every penalty by its name, as the knob, the app and scripts call it.
PENALTIES: Mapping[str, type[Lp | Mcp | Scad]] = {"lp": Lp, "mcp": Mcp, "scad": Scad}


def component_penalty(name: str, p: float, gamma: float) -> ComponentPenalty:
    """Return a penalty by name, with those of `p` and `gamma` that shape it."""
    kind = PENALTIES[name]
    given = {"p": float(p), "gamma": float(gamma)}
    return kind(**{field.name: given[field.name] for field in fields(kind)})


class Sharing:
    """Which priced component each feature leans on, as sparse matrices.

    Components that cost nothing or that no feature needs are left out, and components
    that the same features need are one: their costs add up, for ``m`` is the same.

    `decompose`: order components block by block (ACAFH), or as they come (CAFH). The
    sums are the same numbers in another order.
    """

    def __init__(self, hypergraph: FeatureHypergraph, decompose: bool = True) -> None:
        incidence = hypergraph.incidence
        needed = np.diff(incidence.indptr) > 0
        rows = np.flatnonzero(needed & (hypergraph.component_costs > 0))
        if decompose and len(rows):
            blocks, _ = hypergraph.connected_components()
            rows = rows[np.argsort(blocks[rows], kind="stable")]
        kept, group = _distinct_rows(incidence, rows)
        self.costs = np.bincount(
            group, hypergraph.component_costs[rows], minlength=len(kept)
        ).astype(float)
        self.incidence = sparse.csr_array(incidence[kept], dtype=np.float64)
        self.by_feature = sparse.csr_array(self.incidence.T)
        entries = self.incidence.shape[0] * self.incidence.shape[1]
        self._dense = self.by_feature.toarray() if entries <= _DENSE_ENTRIES else None
        self._up, self._down = self.incidence, self.by_feature
        if self._dense is not None and entries <= _DENSE_PRODUCTS:
            self._up, self._down = self._dense.T, self._dense
        # What each feature would pay if it shared with nobody.
        self.prices = self.sums(self.costs)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.by_feature.shape[0])

    def loads(self, magnitudes: NDArray) -> Floats:
        """Return H|w|: how much weight leans on each component.

        Shapes: `magnitudes` (n_features,) -> (n_kept_components,).
        """
        return np.asarray(self._up @ magnitudes)

    def sums(self, values: NDArray) -> Floats:
        """Return H'v: for each feature the sum over its components.

        Shapes: `values` (n_kept_components,) -> (n_features,).
        """
        return np.asarray(self._down @ values)

    def cost(self, support: Mask) -> float:
        """Return what some features cost together.

        Shapes: `support` (n_features,).
        """
        return float(self.costs[self.loads(support.astype(float)) > 0].sum())

    def rows_of(self, index: Integers, components: Integers | None = None) -> Floats:
        """Return the dense incidence of a few features and components.

        Shapes: `index` (k,), `components` (c,) -> (k, c).
        """
        if self._dense is not None:
            whole = len(index) == len(self._dense)
            rows = self._dense if whole else self._dense[index]
            return rows if components is None else rows[:, components]
        few = self.by_feature[index]
        return (few if components is None else few[:, components]).toarray()

    def needed(self, index: Integers) -> Integers:
        """Return which components some features lean on, (k,) -> (c,)."""
        leaning = np.zeros(self.n_features)
        leaning[index] = 1.0
        return np.flatnonzero(self.loads(leaning))


def _distinct_rows(
    incidence: sparse.csr_array, rows: Integers
) -> tuple[Integers, Integers]:
    """Return the first of each kind of row, and the kind of every row."""
    if not len(rows):
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    links = sparse.csr_array(incidence[rows], dtype=np.float64)
    # Rows of the same features have the same two random sums, bit by bit; rows of
    # other features share both with a chance of about 1e-30.
    tags = np.random.default_rng(0).random((incidence.shape[1], 2))
    marks = np.column_stack([np.diff(links.indptr), links @ tags])
    _, first, kind = np.unique(marks, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=int)
    place[order] = np.arange(len(order))
    return rows[first[order]], place[kind.ravel()]


@dataclass(frozen=True, eq=False)
class SharedPenalty:
    """The penalty ``alpha sum_i D_i R((H|w|)_i)`` of all weights together.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, eq. (8).
    """

    alpha: float  # Trade-off, λ in [1]_
    shape: ComponentPenalty  # R
    sharing: Sharing  # H and D

    def value(self, magnitudes: NDArray) -> float:
        paid = self.shape.value(self.sharing.loads(magnitudes))
        return self.alpha * float(self.sharing.costs @ paid)

    def slopes(self, magnitudes: NDArray) -> Floats:
        if self.alpha == 0:
            return np.zeros(len(magnitudes))
        rise = self.shape.slope(self.sharing.loads(magnitudes))
        return self.alpha * self.sharing.sums(self.sharing.costs * rise)

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> Floats | None:
        if self.alpha == 0:
            return None
        loads = self.sharing.loads(magnitudes)
        used = np.flatnonzero(loads)
        rows = self.sharing.rows_of(index, used)
        curvatures = (
            self.alpha
            * self.sharing.costs[used]
            * self.shape.second_derivative(loads[used])
        )
        return (rows * curvatures) @ rows.T
