"""One support vector machine on the cheapest groups of features, for every row.

What a cascade must beat: a prefix of its order, the same for everyone. The paper leaves
it out, and it often wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

import numpy as np

from ..errors import DataError
from ..numerics.svm_stages import StageSolution
from ..values.fields import declared
from ..values.knobs import Number
from .base import Prices
from .grouped import (
    GivenGroups,
    GroupedSVM,
    GroupedTraining,
    GroupOrder,
    LossWeight,
    Standardise,
)

__all__ = ["StaticPrefixClassifier"]


@declared
class StaticPrefixClassifier(GroupedSVM):
    """A linear support vector machine on the first few groups of features.

    Minimises ``1/2 |w|^2 + C sum_i hinge(y_i (w . x_i + b))`` on columns in
    units of their spread, one class against the rest where there are more than two.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of float, shape (n_outputs, n_features)
        Weights; one row for two classes, one a class for more.
    intercept_ : ndarray of float, shape (n_outputs,)
        Intercepts.
    groups_ : tuple of ndarray of int
        All groups, in order.
    support_ : ndarray of bool, shape (n_features,)
        The features that are computed.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    gap_ : float
        The largest relative duality gap.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> from solvers.methods.static_prefix import StaticPrefixClassifier
    >>> X = np.array([[-1.0, -1.0], [1.0, 1.0]])
    >>> model = StaticPrefixClassifier(
    ...     FeatureHypergraph.independent([5.0, 2.0]), n_groups=1
    ... ).fit(X, [0, 1])
    >>> model.coef_.round(6).tolist(), model.cost_
    ([[0.0, 1.0]], 2.0)
    """

    title: ClassVar[str] = "Static prefix"
    path_knob: ClassVar[str | None] = "n_groups"

    hypergraph: Prices = None
    groups: GivenGroups = None
    C: LossWeight = 1.0
    order: GroupOrder = "alone"
    n_groups: Annotated[
        int | None,
        Number(
            "Groups computed",
            1,
            np.inf,
            integer=True,
            optional=True,
            shown=(1, 60),
            doc="How many groups of features every row computes.",
        ),
        "How many groups are computed; all of them by default.",
    ] = None
    standardise: Standardise = True

    def _prepared(self, training: GroupedTraining) -> GroupedTraining:
        self.groups_ = training.ordered(self.order)
        return training

    def _take(self, training: GroupedTraining) -> Self:
        wanted = len(self.groups_) if self.n_groups is None else self.n_groups
        if wanted > len(self.groups_):
            raise DataError(
                f"n_groups is {wanted}, but there are {len(self.groups_)} groups; "
                "compute at most all of them."
            )
        together = [np.concatenate(self.groups_[:wanted])]
        return self._on_acquired(next(self._machines(training, together)))

    def _models(self, training: GroupedTraining) -> Iterator[Self]:
        """Yield the classifier of every prefix, the shortest first."""
        for stage, solved in enumerate(self._machines(training, self.groups_), start=1):
            yield self._sibling(n_groups=stage)._on_acquired(solved)

    def _on_acquired(self, solved: StageSolution) -> Self:
        support = np.zeros(self.n_features_in_, dtype=bool)
        support[solved.columns] = True
        return self._take_machine(solved, support)
