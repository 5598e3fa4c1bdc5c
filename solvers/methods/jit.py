"""JIT: decision trees that weigh what a split tells against what it costs."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats, Integers
from ..values.fields import declared
from ..values.knobs import Number
from .base import Prices
from .grouped import Bins, GivenGroups, GivenMistakes, GroupedTraining
from .grouped_tree import GroupedTreeClassifier, SplitScore

__all__ = ["JITClassifier", "information_gains"]

# Bits; less is rounding.
_NO_INFORMATION = 1e-12


@declared
class JITClassifier(GroupedTreeClassifier):
    """ID3 whose splits score ``(1 - cost_weight) gain - cost_weight cost / costliest``.

    The gain is the information, in bits, about the class; the cost is what the
    feature's group adds on this way, 0 once it is paid; the costliest is the group that
    costs most by itself. Trees are not pruned, but where mistakes have prices: then
    questions go that cost more than they save, with all that is asked below them.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    bins_ : QuantileBins
        Where features are cut.
    tree_ : MultiwayTree
        What is asked.

    Notes
    -----
    Decisions are shares of the classes among training rows that stopped alike; of two
    classes, how far that of the second leads.

    How [1]_ scales costs is not told in the paper that compares with it; dividing by
    the costliest group is ours.

    References
    ----------
    .. [1] Dredze, Gevaryahu and Elias-Bachrach, "Learning fast classifiers for image
       spam", 2007, as described in Liu et al., "TEFE", 2008, section 4.1.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> from solvers.methods.jit import JITClassifier
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
    >>> prices = FeatureHypergraph.independent([9.0, 1.0])
    >>> JITClassifier(prices).fit(X, [0, 0, 1, 1]).prediction_cost(X).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """

    title: ClassVar[str] = "JIT"
    takes_prices: ClassVar[bool] = True
    path_knob: ClassVar[str | None] = "cost_weight"

    hypergraph: Prices = None
    groups: GivenGroups = None
    cost_weight: Annotated[
        float,
        Number(
            "Weight of cost",
            0.0,
            1.0,
            doc="From information alone (0) to cost alone (1).",
        ),
        "Between 0, information alone, and 1, cost alone; alpha in [1]_.",
    ] = 0.1
    n_bins: Bins = 5
    mistake_costs: GivenMistakes = None

    def _score(self, training: GroupedTraining) -> SplitScore:
        costliest = max(float((training.needs @ training.costs).max()), 1e-300)
        weight = self.cost_weight

        def score(counts: NDArray, added: NDArray) -> Floats:
            gains = information_gains(counts)
            scores = (1.0 - weight) * gains - weight * added / costliest
            return np.where(gains > _NO_INFORMATION, scores, -np.inf)

        return score

    def _take(self, cut: tuple[GroupedTraining, Integers]) -> Self:
        super()._take(cut)
        costs = self._priced()
        if costs is not None:
            training, _ = cut
            self.tree_ = self.tree_.pruned(
                costs, training.needs, training.costs, training.group_of
            )
        return self

    def _values(self, _: object) -> list[float]:
        return np.linspace(1.0, 0.0, 11).tolist()


def information_gains(counts: Floats) -> Floats:
    """Return how many bits each feature tells about the class.

    Shapes: `counts`, weights of the rows, (n_features, n_bins, n_classes) ->
    (n_features,).
    """
    total = counts[0].sum()
    parts = counts.sum(axis=2)
    remaining = (parts / total * _entropy(counts)).sum(axis=1)
    return np.maximum(_entropy(counts.sum(axis=1)) - remaining, 0.0)


def _entropy(counts: Floats) -> Floats:
    """Return the entropy over the last axis, in bits."""
    shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    logs = np.log2(np.where(shares > 0, shares, 1.0))
    return -(shares * logs).sum(axis=-1)
