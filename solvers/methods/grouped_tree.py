"""Decision trees that part rows by every value of a binned feature at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ..decisions.program import Program, ProgramNode, bin_questions
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.cuts import QuantileBins
from .adaptive import AdaptiveClassifier
from .grouped import GroupedClassifier, GroupedTraining

# Share of what a leaf costs; a smaller saving is rounding.
_SAVES_NOTHING = 1e-12

# From weighted counts (n_features, n_bins, n_classes) and the cost that each feature
# adds on the way to the node, a score a feature: the best one is split on, and one of
# minus infinity never is.
SplitScore: TypeAlias = Callable[[Floats, Floats], Floats]


@dataclass(eq=False)
class MultiwayTree:
    """A tree whose nodes ask one binned feature each."""

    # (n_classes,) Weight of each class among the rows that reached each node in
    # training
    counts: list[Floats] = field(default_factory=list)
    # The feature that a node asks, -1 at a leaf
    feature: list[int] = field(default_factory=list)
    # The node that follows for each bin. An unseen bin stops there.
    children: list[dict[int, int]] = field(default_factory=list)
    # (n_features,) What has been computed when a row stops at a node
    acquired: list[Mask] = field(default_factory=list)

    @classmethod
    def grow(
        cls,
        binned: Integers,
        labels: Integers,
        weights: Floats,
        needs: Mask,
        costs: Floats,
        group_of: Integers,
        score: SplitScore,
    ) -> MultiwayTree:
        """Return the tree that always splits on the feature of the best score.

        Shapes: `binned` (n_samples, n_features), `labels` (n_samples,), `weights`
        (n_samples,), `needs` (n_groups, n_components), `costs` (n_components,),
        `group_of` (n_features,).
        Grown until nodes are pure, no feature parts the rows or none is worth it.
        `costs`: cost of each component; paid once on each way through the tree.

        Notes
        -----
        Each level costs O(n_samples n_features).
        """
        tree = cls()
        n_bins, n_classes = int(binned.max(initial=0)) + 1, int(labels.max()) + 1
        nothing = np.zeros(needs.shape[1], dtype=bool)
        root = tree._added(np.zeros(len(group_of), dtype=bool))
        waiting = [(np.arange(len(labels)), root, nothing)]
        while waiting:
            rows, node, paid = waiting.pop()
            counts = _class_counts(
                binned[rows], labels[rows], weights[rows], n_bins, n_classes
            )
            tree.counts[node] = counts[0].sum(axis=0)
            added = ((needs & ~paid) @ costs)[group_of]
            chosen = _best_split(counts, added, score)
            if chosen < 0:
                continue
            group = group_of[chosen]
            tree.feature[node] = chosen
            known = tree.acquired[node] | (group_of == group)
            tree.acquired[node] = known
            for value in np.unique(binned[rows, chosen]):
                child = tree._added(known)
                tree.children[node][int(value)] = child
                reached = rows[binned[rows, chosen] == value]
                waiting.append((reached, child, paid | needs[group]))
        return tree

    def pruned(
        self, mistakes: Floats, needs: Mask, costs: Floats, group_of: Integers
    ) -> MultiwayTree:
        """Return the part of the tree whose questions save more than they cost.

        Of all trees that stop early it is the one of least mistakes plus tests on the
        rows that it was grown from, the smallest of equals.

        Shapes: `mistakes` (n_classes, n_classes), what each answer costs where each
        class is true; `needs` and others as for `grow`.
        """
        counts, known = np.array(self.counts), self._known()
        total = (counts @ mistakes).min(axis=1)
        asks = np.zeros(len(total), dtype=bool)
        for node in range(len(total) - 1, -1, -1):  # children stand behind parents
            feature = self.feature[node]
            if feature < 0:
                continue
            paid = needs[np.unique(group_of[known[node]])].any(axis=0)
            price = float((needs[group_of[feature]] & ~paid) @ costs)
            below = sum(total[child] for child in self.children[node].values())
            asked = counts[node].sum() * price + below
            asks[node] = asked < total[node] * (1.0 - _SAVES_NOTHING)
            total[node] = min(asked, total[node])
        return self._kept(asks, known)

    def _known(self) -> list[Mask]:
        """Return what is computed when a row comes to each node, before it asks."""
        known = [np.zeros_like(self.acquired[0])] * len(self.acquired)
        for node, children in enumerate(self.children):
            for child in children.values():
                known[child] = self.acquired[node]
        return known

    def _kept(self, asks: Mask, known: list[Mask]) -> MultiwayTree:
        """Return the tree of the questions that are asked, from the root on."""
        tree, waiting = MultiwayTree(), [0]
        place = {0: tree._added(known[0])}
        while waiting:
            node = waiting.pop()
            here = place[node]
            tree.counts[here] = self.counts[node]
            if not asks[node]:
                continue
            tree.feature[here] = self.feature[node]
            tree.acquired[here] = self.acquired[node]
            for value, child in self.children[node].items():
                place[child] = tree._added(known[child])
                tree.children[here][value] = place[child]
                waiting.append(child)
        return tree

    def _added(self, known: Mask) -> int:
        """Add a leaf and return its index."""
        self.counts.append(np.zeros(0))
        self.feature.append(-1)
        self.children.append({})
        self.acquired.append(known)
        return len(self.feature) - 1

    def leaves(self, binned: Integers) -> Integers:
        """Return the node at which each row stops.

        Shapes: `binned` (n_samples, n_features) -> (n_samples,).
        A row of a bin that no training row had there stops at the node that asked.
        """
        stopped = np.zeros(len(binned), dtype=np.int64)
        waiting = [(np.arange(len(binned)), 0)]
        while waiting:
            rows, node = waiting.pop()
            stopped[rows] = node
            if self.feature[node] < 0:
                continue
            values = binned[rows, self.feature[node]]
            for value, child in self.children[node].items():
                reached = rows[values == value]
                if reached.size:
                    waiting.append((reached, child))
        return stopped


def _class_counts(
    binned: NDArray, labels: NDArray, weights: NDArray, n_bins: int, n_classes: int
) -> Floats:
    """Return the weight of each class in each bin of each feature."""
    n_features = binned.shape[1]
    cells = binned * n_classes + labels[:, np.newaxis]
    cells += np.arange(n_features) * (n_bins * n_classes)
    counts = np.bincount(
        cells.ravel(),
        weights=np.repeat(weights, n_features),
        minlength=n_features * n_bins * n_classes,
    )
    return counts.astype(np.float64).reshape(n_features, n_bins, n_classes)


def _best_split(counts: NDArray, added: NDArray, score: SplitScore) -> int:
    """Return the feature of the best score, or -1 if none may be split on."""
    if np.count_nonzero(counts[0].sum(axis=0)) < 2:
        return -1
    parts = np.count_nonzero(counts.sum(axis=2), axis=1) > 1
    if not parts.any():
        return -1
    scores = np.where(parts, score(counts, added), -np.inf)
    best = int(np.argmax(scores))
    return best if scores[best] > -np.inf else -1


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
        shares, costs = self._shares(leaves), self._priced()
        if costs is not None:  # by how much the second answer is cheaper
            expected = shares @ costs
            two = len(self.classes_) == 2
            return expected[:, 0] - expected[:, 1] if two else -expected
        return shares[:, 1] - shares[:, 0] if len(self.classes_) == 2 else shares

    def _leaves(self, rows: Floats) -> Integers:
        return self.tree_.leaves(self.bins_.transform(rows))
