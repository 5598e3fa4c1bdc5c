"""csDT: decision trees of least total cost, errors and features in one currency."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..values.fields import declared
from .base import Prices
from .grouped import (
    Bins,
    ErrorCost,
    GivenGroups,
    GivenMistakes,
    GroupedTraining,
    usual_error_cost,
)
from .grouped_tree import GroupedTreeClassifier, SplitScore

__all__ = ["CSDTClassifier"]

# Share of the cost of errors at a node; a smaller gain is rounding.
_NO_GAIN = 1e-12


@declared
class CSDTClassifier(GroupedTreeClassifier):
    """A tree that splits while this saves more in errors than the feature costs.

    With n rows at a node, ``n_k`` of class k, a leaf costs
    ``error_cost (n - max_k n_k)``, or, where mistakes have prices c, what its cheapest
    answer does, ``min_a sum_k n_k c_ka``. A split gains what leaves cost less by it,
    minus n times what the feature's group adds on this way; the best gain above 0 is
    taken.

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

    References
    ----------
    .. [1] Ling, Yang, Wang and Zhang, "Decision trees with minimal costs", 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> from solvers.methods.csdt import CSDTClassifier
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0]])
    >>> prices = FeatureHypergraph.independent([3.0])
    >>> y = [0, 0, 1, 1]  # a leaf loses 2 errors; asking costs 4 x 3
    >>> CSDTClassifier(prices, error_cost=5.0).fit(X, y).prediction_cost(X).tolist()
    [0.0, 0.0, 0.0, 0.0]
    >>> CSDTClassifier(prices, error_cost=7.0).fit(X, y).prediction_cost(X).tolist()
    [3.0, 3.0, 3.0, 3.0]
    """

    title: ClassVar[str] = "csDT"
    takes_prices: ClassVar[bool] = True
    path_knob: ClassVar[str | None] = "error_cost"

    hypergraph: Prices = None
    groups: GivenGroups = None
    error_cost: Annotated[
        ErrorCost,
        "What an error costs, in the hypergraph's unit; by default ten times what all "
        "features cost. The papers give none. Of `mistake_costs` the dearest mistake, "
        "to which the others are in proportion; by default as they are.",
    ] = None
    mistake_costs: GivenMistakes = None
    n_bins: Bins = 5

    def _score(self, training: GroupedTraining) -> SplitScore:
        costs, each = self._priced(), self.error_cost
        if costs is not None:
            each = 1.0  # mistakes are in the unit of the prices
        elif each is None:
            each = usual_error_cost(training.hypergraph)

        def score(counts: NDArray, added: NDArray) -> Floats:
            here = each * _mistaken(counts.sum(axis=1), costs)
            below = each * _mistaken(counts, costs).sum(axis=1)
            # Every row at the node pays what the group adds on this way.
            gains = here - below - counts[0].sum() * added
            return np.where(gains > _NO_GAIN * here, gains, -np.inf)

        return score

    def _values(self, _: object) -> list[float]:
        return self._error_costs()


def _mistaken(counts: Floats, costs: Floats | None) -> Floats:
    """Return the weight of rows outside of the largest class, over the last axis.

    Of mistakes that have prices, what the cheapest answer costs these rows.
    """
    if costs is None:
        return np.asarray(counts.sum(axis=-1) - counts.max(axis=-1))
    return np.asarray((counts @ costs).min(axis=-1))
