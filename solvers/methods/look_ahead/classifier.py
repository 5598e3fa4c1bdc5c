"""Look-ahead: each row buys what is expected to tell it most for its price.

What a purchase tells is the expected drop of the entropy of the row's class, by a model
of the columns in each class. One purchase may tell nothing itself and say which others
tell: a *parent*, whose pattern parts the rows. It is looked past, to what comes next.

References
----------
Webb, Boughton and Wang, "Not so naive Bayes: aggregating one-dependence estimators",
2005: classifiers with one super-parent.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np
from scipy.special import logsumexp

from ...costs.budgets import room_of
from ...numerics.arrays import Floats, Mask
from ...numerics.distinct_rows import merged_rows
from ...numerics.inner_folds import deal_folds, in_turn
from ...values.fields import declared
from ...values.knobs import BUDGET_KNOB, Number
from ..adaptive import AdaptiveClassifier
from ..base import Prices
from ..rows import LabelledRows
from .shop import FOLDS, Shop

_STEPS = 16  # of the path


@declared
class LookAheadClassifier(AdaptiveClassifier):
    """Buys row by row what tells most for its price, and looks past what only routes.

    Columns are cut into bins; within a class, and within a pattern of the parent, they
    are normal (after a change of scale that makes all rows normal) and independent.
    Means of classes that chance alone may have parted are one. Held-out rows choose the
    parent, if any, and by how much a sum of columns that repeat one another is
    believed.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    parent_ : tuple of str
        The features whose pattern says how the others are read; empty where none
        improves held-out log loss by two standard errors.
    temper_ : float
        What the evidence of a column counts, 1 where columns are held independent.

    Notes
    -----
    Looks one purchase ahead, and two past the parent. A walk takes O(n_features
    n_classes) a row and purchase. What it buys next depends on all that it knows, so it
    has no program and is not exported.

    Examples
    --------
    >>> from solvers.datasets import make_cube
    >>> data = make_cube(random_state=0)
    >>> model = LookAheadClassifier(data.hypergraph, budget=5)
    >>> model = model.fit(data.X[:800], data.y[:800])
    >>> model.parent_[0], len(model.parent_)
    ('context 0', 5)
    >>> decision = model.decide(data.X[800:])
    >>> bool(np.mean(decision.labels == data.y[800:]) > 0.55)
    True
    """

    title: ClassVar[str] = "Look-ahead"
    path_knob: ClassVar[str | None] = "budget"

    hypergraph: Prices = None
    budget: Annotated[
        float | None,
        BUDGET_KNOB,
        "What a row may pay at most; None for no limit.",
    ] = None
    least_gain: Annotated[
        float,
        Number("Least gain", 0.0, 1e6, shown=(0.0, 5.0)),
        "A row stops where no purchase is expected to lower its uncertainty by this "
        "share of that of all rows, times the share of all costs that it takes.",
    ] = 0.3
    random_state: Annotated[int | None, "Seed of the folds."] = 0

    def _prepared(self, known: LabelledRows) -> Shop:
        # Copies of a row are one row of more weight, so that no fold parts them.
        X, labels, weights, groups = merged_rows(
            known.X, known.labels, known.weights, known.row_groups
        )
        rows = LabelledRows(X, labels.astype(int), weights, known.hypergraph, groups)
        seed = self.random_state
        fold = deal_folds(rows.labels, FOLDS, seed, groups, freely=in_turn)
        shop = Shop(rows, len(self.classes_), fold)
        self.parent_ = tuple(shop.hypergraph.features[j] for j in shop.parent.columns)
        self.temper_ = shop.temper
        self._shop = shop
        return shop

    def _values(self, shop: Shop) -> list[float]:
        prices = shop.hypergraph.marginal_costs()
        least = prices[prices > 0.0].min(initial=shop.hypergraph.total_cost)
        if least <= 0.0:
            return [0.0]
        steps = np.geomspace(least, shop.hypergraph.total_cost, _STEPS)
        return [0.0, *steps.tolist()]

    def _take(self, shop: Shop) -> Self:
        return self

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        shop = self._shop
        belief, acquired = shop.start(len(rows))
        codes, patterns = shop.read(rows)
        room = np.inf if self.budget is None else room_of(self.budget)
        going = np.arange(len(rows))
        while going.size:
            chosen = shop.choose(belief[going], acquired[going], room, self.least_gain)
            going, chosen = going[chosen >= 0], chosen[chosen >= 0]
            before = acquired[going]
            acquired[going] = shop.bought(before, chosen)
            new = acquired[going] & ~before
            belief[going] += shop.evidence(codes[going], patterns[going], new)
        scores = logsumexp(belief, axis=2)
        scores -= logsumexp(scores, axis=1, keepdims=True)
        return (
            scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
        ), acquired
