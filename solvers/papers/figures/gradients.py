"""One gradient of the published inner problem, in the order it is multiplied out.

The inner problem of Algorithm 2 has the term ``rho/2 ||P B - c||^2`` with
``P = [H, H]`` and ``B = [w+; w-] >= 0``. Its gradient is ``rho P'(P B - c)``. The
authors' code multiplies ``P' P B`` from left to right, which forms a product of two
matrices at every step; with brackets, ``P' (P B)``, two products with a vector do.

References
----------
Li et al., "Accelerated cost-aware classification over large-scale sparse feature
dependency hypergraphs", 2019, Algorithm 2, line 12, and section 5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers

_FLOAT, _INDEX = 8, 4  # bytes
Gradient: TypeAlias = Callable[[NDArray, NDArray, float], Floats]


@dataclass(frozen=True, eq=False)
class BlockShapes:
    """How large the blocks of a hypergraph are."""

    # (n_blocks,) Of each block; as floats, since their products are large
    n_components: Floats
    n_features: Floats
    n_incidences: int  # How many pairs of feature and component there are

    @classmethod
    def of(cls, hypergraph: FeatureHypergraph) -> BlockShapes:
        """Return the shapes of a hypergraph's blocks."""
        components, features = hypergraph.connected_components()
        n = int(components.max()) + 1
        return cls(
            np.bincount(components, minlength=n).astype(float),
            np.bincount(features, minlength=n).astype(float),
            int(hypergraph.incidence.nnz),
        )

    @property
    def n_blocks(self) -> int:
        """Number of blocks, K in the paper."""
        return len(self.n_features)

    @property
    def largest(self) -> int:
        """Features of the largest block."""
        return int(self.n_features.max())

    def merged(self) -> BlockShapes:
        """Return the shapes with everything in one block."""
        whole = (self.n_components, self.n_features)
        d, m = (np.array([sizes.sum()]) for sizes in whole)
        return BlockShapes(d, m, self.n_incidences)


class ProductOrder(Protocol):
    """A way to multiply the gradient out."""

    @property
    def title(self) -> str:
        """What it is called."""

    def n_products(self, shapes: BlockShapes) -> float:
        """Return how many pairs of numbers one evaluation multiplies."""

    def n_bytes(self, shapes: BlockShapes) -> float:
        """Return the sizes of all arrays that are held at once, H included.

        In bytes, beyond B and c.
        """

    def prepared(self, hypergraph: FeatureHypergraph) -> Gradient:
        """Return what evaluates the gradient of a hypergraph's term.

        Takes B, shape (2 n_features,), c, shape (n_components,), and rho.
        """


@dataclass(frozen=True)
class DenseOrder:
    """Dense matrices, of the whole hypergraph or block by block.

    Notes
    -----
    `n_products` counts ``P' P`` in full; BLAS computes one half of it, as it is
    symmetric.
    """

    title: str  # What it is called
    # Whether each block has a matrix of its own (ACAFH), or all share one (CAFH)
    by_block: bool
    brackets: bool  # ``P' (P B)`` rather than ``(P' P) B``

    def n_products(self, shapes: BlockShapes) -> float:
        d, width = self._sizes(shapes)
        if self.brackets:
            return float(np.sum(2 * d * width))
        return float(np.sum(d * width**2 + width**2 + d * width))

    def n_bytes(self, shapes: BlockShapes) -> float:
        d, width = self._sizes(shapes)
        square = 0.0 if self.brackets else float(np.max(width) ** 2)
        vectors = width.sum() + 2 * np.max(width) + (np.max(d) if self.brackets else 0)
        return float(_FLOAT * (np.sum(d * width) + square + vectors))

    def prepared(self, hypergraph: FeatureHypergraph) -> Gradient:
        blocks = _blocks(hypergraph, by_block=self.by_block)
        multiply = _with_brackets if self.brackets else _left_to_right

        def gradient(halves: NDArray, target: NDArray, rho: float) -> NDArray:
            slope = np.empty_like(halves)
            for P, rows, columns in blocks:
                slope[columns] = multiply(P, halves[columns], target[rows], rho)
            return slope

        return gradient

    def _sizes(self, shapes: BlockShapes) -> tuple[NDArray, NDArray]:
        """Return rows and columns of each P."""
        found = shapes if self.by_block else shapes.merged()
        return found.n_components, 2 * found.n_features


@dataclass(frozen=True)
class SparseOrder:
    """H held sparse, and ``H' (H (w+ + w-) - c)`` once for both halves: ours."""

    title: str  # What it is called

    def n_products(self, shapes: BlockShapes) -> float:
        return float(2 * shapes.n_incidences)

    def n_bytes(self, shapes: BlockShapes) -> float:
        d, m = shapes.n_components.sum(), shapes.n_features.sum()
        matrix = shapes.n_incidences * (_FLOAT + _INDEX) + _INDEX * (d + 1)
        # The sum of both halves and its gradient, that of both, the gap.
        return float(matrix + _FLOAT * (m + m + 2 * m + 2 * d))

    def prepared(self, hypergraph: FeatureHypergraph) -> Gradient:
        H = hypergraph.incidence.astype(np.float64)
        m = hypergraph.n_features

        def gradient(halves: NDArray, target: NDArray, rho: float) -> NDArray:
            slope = rho * (H.T @ (H @ (halves[:m] + halves[m:]) - target))
            return np.concatenate([slope, slope])

        return gradient


_Block: TypeAlias = tuple[Floats, Integers, Integers]


def _blocks(hypergraph: FeatureHypergraph, *, by_block: bool) -> list[_Block]:
    """Return P, rows and columns of each block, or of one that holds everything."""
    d, m = hypergraph.incidence.shape
    components, features = np.zeros(d, dtype=int), np.zeros(m, dtype=int)
    if by_block:
        components, features = hypergraph.connected_components()
    rows, columns = hypergraph.incidence.tocoo().coords
    n = int(components.max()) + 1
    parts = (_members(of, n) for of in (components, features, components[rows]))
    found = []
    for i, j, k in zip(*parts, strict=True):
        H = np.zeros((len(i), len(j)))
        H[np.searchsorted(i, rows[k]), np.searchsorted(j, columns[k])] = 1.0
        found.append((np.hstack([H, H]), i, np.concatenate([j, j + m])))
    return found


def _members(labels: Integers, n: int) -> list[Integers]:
    """Return where each of n labels stands, in rising order."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels, minlength=n))[:-1])


def _left_to_right(P: NDArray, B: NDArray, target: NDArray, rho: float) -> NDArray:
    return rho * ((P.T @ P) @ B - P.T @ target)


def _with_brackets(P: NDArray, B: NDArray, target: NDArray, rho: float) -> NDArray:
    return rho * (P.T @ (P @ B - target))


ORDERS: tuple[ProductOrder, ...] = (
    DenseOrder("CAFH as published", by_block=False, brackets=False),
    DenseOrder("CAFH with brackets", by_block=False, brackets=True),
    DenseOrder("ACAFH as published", by_block=True, brackets=False),
    DenseOrder("ACAFH with brackets", by_block=True, brackets=True),
    SparseOrder("Sparse (ours)"),
)
