"""Binary trees end to end in a few arrays, and what each row looks at on its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Integers, Mask

_LEAF = -1
_PARTS = ("features", "thresholds", "left", "right", "values")


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """One tree: at an inner node a row goes left where its value is not larger.

    A gap, NaN, is larger than all; `gaps_left`: where it goes left all the same.
    """

    # (n_nodes,) Which feature a node looks at; -1 at a leaf. Node 0 is the root.
    features: Integers
    thresholds: Floats  # (n_nodes,) The largest value that goes left
    left: Integers  # (n_nodes,) Children of a node
    right: Integers
    # (n_nodes,) or (n_nodes, n_outputs) What a leaf says
    values: Floats
    gaps_left: Mask | None = None  # (n_nodes,)


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """Several trees whose leaves are added up."""

    tree: DecisionTree  # Their nodes end to end
    roots: Integers  # (n_trees,) The first node of each

    @classmethod
    def of(cls, trees: Sequence[DecisionTree]) -> TreeEnsemble:
        """Put trees end to end."""
        sizes = [len(tree.features) for tree in trees]
        roots = np.cumsum([0, *sizes[:-1]])
        shifts = np.repeat(roots, sizes)
        joined = {
            name: np.concatenate([getattr(tree, name) for tree in trees])
            for name in _PARTS
        }
        joined["left"] = joined["left"] + shifts
        joined["right"] = joined["right"] + shifts
        gaps = [tree.gaps_left for tree in trees if tree.gaps_left is not None]
        gaps_left = np.concatenate(gaps) if len(gaps) == len(trees) else None
        return cls(DecisionTree(**joined, gaps_left=gaps_left), roots)

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots)

    def first(self, n_trees: int) -> TreeEnsemble:
        """Return the first trees alone; the arrays are views."""
        if n_trees >= self.n_trees:
            return self
        end = int(self.roots[n_trees])
        parts = {name: getattr(self.tree, name)[:end] for name in _PARTS}
        gaps = self.tree.gaps_left
        tree = DecisionTree(**parts, gaps_left=None if gaps is None else gaps[:end])
        return TreeEnsemble(tree, self.roots[:n_trees])

    def used(self, n_features: int) -> Mask:
        """Return which features the trees look at anywhere, (n_features,)."""
        used = np.zeros(n_features, dtype=bool)
        used[self.tree.features[self.tree.features != _LEAF]] = True
        return used

    def narrowed(self, columns: Integers) -> TreeEnsemble:
        """Return the same trees for rows that hold only some columns, sorted.

        `columns`: all that the trees look at, at least.
        """
        at = np.searchsorted(columns, self.tree.features)
        features = np.where(self.tree.features == _LEAF, _LEAF, at)
        return TreeEnsemble(replace(self.tree, features=features), self.roots)

    def sums(self, X: NDArray) -> Floats:
        """Return what the leaves of each row add up to.

        Shapes: `X` (n_samples, n_features) -> (n_samples,) or (n_samples, n_outputs).
        """
        return self._walk(X, None)

    def visited(self, X: NDArray) -> Mask:
        """Return which features each row is asked for on its way to the leaves.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_features).
        """
        return self.sums_and_visited(X)[1]

    def sums_and_visited(self, X: NDArray) -> tuple[Floats, Mask]:
        """Return what `sums` and `visited` do, from one walk of each row."""
        seen = np.zeros(X.shape, dtype=bool)
        return self._walk(X, seen), seen

    def _walk(self, X: NDArray, seen: Mask | None) -> Floats:
        total = np.zeros((len(X), *self.tree.values.shape[1:]))
        for root in self.roots:
            total += self.tree.values[self.leaves(X, int(root), seen)]
        return total

    def leaves(self, X: NDArray, root: int, seen: Mask | None = None) -> Integers:
        """Return the leaf of each row in the tree of a root; mark in `seen` its way.

        Shapes: `X`, `seen` (n_samples, n_features) -> (n_samples,).
        """
        nodes = np.full(len(X), root)
        going = np.arange(len(X))
        while len(going):
            at = nodes[going]
            features = self.tree.features[at]
            inner = features != _LEAF
            going, at, features = going[inner], at[inner], features[inner]
            if seen is not None:
                seen[going, features] = True
            values = X[going, features]
            goes_left = values <= self.tree.thresholds[at]
            if self.tree.gaps_left is not None:
                goes_left |= self.tree.gaps_left[at] & np.isnan(values)
            nodes[going] = np.where(goes_left, self.tree.left[at], self.tree.right[at])
        return nodes


def of_doubles(thresholds: Floats) -> Floats:
    """Return the largest doubles that are not above bounds, once they are singles.

    Halfway between two singles rounding is to the even one.
    """
    low = thresholds.astype(np.float32)
    low = np.where(low > thresholds, np.nextafter(low, np.float32(-np.inf)), low)
    high = np.nextafter(low, np.float32(np.inf))
    middle = low.astype(float) / 2 + high.astype(float) / 2
    rounds_down = middle.astype(np.float32) == low
    return np.where(rounds_down, middle, np.nextafter(middle, -np.inf))
