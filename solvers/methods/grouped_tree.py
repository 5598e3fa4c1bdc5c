"""Cost-sensitive decision trees over binned features: all but how splits are scored."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ..decisions.program import Program, ProgramNode, bin_questions
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.multiway_tree import MultiwayTree, SplitScore
from ..numerics.quantile_bins import QuantileBins
from .adaptive import AdaptiveClassifier
from .grouped import GroupedClassifier, GroupedTraining

__all__ = ["GroupedTreeClassifier"]


class GroupedTreeClassifier(GroupedClassifier, AdaptiveClassifier):
    """A multiway tree; asking a feature pays for its group, once on each row's way.

    Subclasses say in `_score` what a split is worth, and in `_values` along which
    values of their knob a path runs.
    """

    n_bins: int
    bins_: QuantileBins  # Where features are cut
    tree_: MultiwayTree  # What is asked

    @abstractmethod
    def _score(self, training: GroupedTraining) -> SplitScore:
        """Return what a split is worth, at the estimator's parameters."""

    def _prepared(self, training: GroupedTraining) -> tuple[GroupedTraining, Integers]:
        """Cut features into bins; return the rows, and the bins of their values."""
        self.bins_ = QuantileBins.fit(training.X, training.weights, self.n_bins)
        return training, self.bins_.transform(training.X)

    def _take(self, cut: tuple[GroupedTraining, Integers]) -> Self:
        training, binned = cut
        self.tree_ = MultiwayTree.grow(
            binned,
            training.labels,
            training.weights,
            training.needs,
            training.costs,
            training.group_of,
            self._score(training),
        )
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the shares of the classes among training rows that stopped alike.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_classes).
        """
        return self._shares(self._leaves(self._check_rows(X)))

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        leaves = self._leaves(rows)
        return self._scores(leaves), np.array(self.tree_.acquired)[leaves]

    def acquirable_features(self) -> Mask:
        """Return what is computed on the way to each node."""
        check_is_fitted(self)
        return np.array(self.tree_.acquired)

    def program(self) -> Program:
        """Return the tree: of each feature asked, its bins one after the other."""
        check_is_fitted(self)
        nodes: list[ProgramNode] = []
        self._grow(0, np.zeros(self.n_features_in_, dtype=bool), nodes)
        return Program(tuple(nodes))

    def _grow(self, place: int, known: Mask, nodes: list[ProgramNode]) -> int:
        """Add a node, its bins in turn, and all below; return where it stands."""
        tree, here = self.tree_, len(nodes)
        feature = tree.feature[place]
        if feature < 0:
            return self._answer(place, nodes)
        edges = self.bins_.edges[feature].tolist()
        nodes += [ProgramNode()] * len(edges)
        acquired, children = tree.acquired[place], tree.children[place]
        # For a bin that no training row had, the answer where it was asked.
        ways = [
            self._grow(children[value], acquired, nodes)
            if value in children
            else self._answer(place, nodes)
            for value in range(len(edges) + 1)
        ]
        buys = np.flatnonzero(acquired & ~known).tolist()
        asked = slice(here, here + len(edges))
        nodes[asked] = bin_questions(feature, edges, ways, here, buys)
        return here

    def _answer(self, place: int, nodes: list[ProgramNode]) -> int:
        """Add the answer at a place of the tree; return where it stands."""
        scores = self._scores(np.array([place]))[0]
        nodes.append(ProgramNode(tuple(np.atleast_1d(scores).tolist())))
        return len(nodes) - 1

    def _shares(self, leaves: Integers) -> Floats:
        counts = np.array(self.tree_.counts)[leaves]
        return counts / counts.sum(axis=1, keepdims=True)

    def _scores(self, leaves: Integers) -> Floats:
        shares = self._shares(leaves)
        return shares[:, 1] - shares[:, 0] if len(self.classes_) == 2 else shares

    def _leaves(self, rows: Floats) -> Integers:
        return self.tree_.leaves(self.bins_.transform(rows))
