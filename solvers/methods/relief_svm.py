"""Feature selection as it is usually done: Relief first, then one machine."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np

from ..errors import DataError
from ..numerics.relief import relief_weights
from ..values.fields import declared
from ..values.knobs import Number
from .base import Prices
from .grouped import (
    GivenGroups,
    GroupedSVM,
    GroupedTraining,
    LossWeight,
    Standardise,
)

__all__ = ["ReliefSVMClassifier"]

# Models that `path` yields, at most.
_PATH_POINTS = 30


@declared
class ReliefSVMClassifier(GroupedSVM):
    """A linear support vector machine on the features that Relief ranks first.

    Minimises ``1/2 |w|^2 + C sum_i hinge(y_i (w . x_i + b))`` on the selected columns
    in units of their spread, one class against the rest where there are more than two.
    Costs play no part in the choice; a feature that is used pays for its whole group.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    relief_ : ndarray of float, shape (n_features,)
        How well each feature tells near rows of different classes apart.
    ranking_ : ndarray of int, shape (n_features,)
        Features from the best to the worst.
    coef_ : ndarray of float, shape (n_outputs, n_features)
        Weights; one row for two classes, one a class for more.
    intercept_ : ndarray of float, shape (n_outputs,)
        Intercepts.
    support_ : ndarray of bool, shape (n_features,)
        The features that are computed: the groups of those used.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    gap_ : float
        The largest relative duality gap; a warning tells one above 1e-8.

    References
    ----------
    .. [1] Kira and Rendell, "The feature selection problem: traditional methods and a
       new algorithm", 1992; with a machine on top in Liu et al., "TEFE", 2008,
       section 4.5.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers.methods.relief_svm import ReliefSVMClassifier
    >>> X = np.array([[0.0, 0.2], [0.1, 0.9], [0.9, 0.3], [1.0, 0.8]])
    >>> ReliefSVMClassifier(n_selected=1).fit(X, [0, 0, 1, 1]).support_
    array([ True, False])
    """

    title: ClassVar[str] = "Relief + SVM"
    path_knob: ClassVar[str | None] = "n_selected"

    hypergraph: Prices = None
    groups: GivenGroups = None
    C: LossWeight = 1.0
    n_selected: Annotated[
        int | None,
        Number(
            "Features used",
            1,
            np.inf,
            integer=True,
            optional=True,
            shown=(1, 60),
            doc="How many of the features that Relief ranks first are used.",
        ),
        "How many features are used; all of them by default.",
    ] = None
    n_draws: Annotated[
        int,
        Number(
            "Rows drawn",
            1,
            np.inf,
            scale="log",
            integer=True,
            shown=(10, 10_000),
            doc="How many rows Relief looks at.",
        ),
        "Relief looks at so many rows, drawn at random where there are more.",
    ] = 1000
    random_state: Annotated[int | None, "Seed of the draw."] = 0
    standardise: Standardise = True

    def _prepared(self, training: GroupedTraining) -> GroupedTraining:
        """Rank the features."""
        self.relief_ = relief_weights(
            training.X,
            training.labels,
            training.weights,
            self.n_draws,
            self.random_state,
            training.row_groups,
        )
        self.ranking_ = np.argsort(-self.relief_, kind="stable")
        return training

    def _values(self, _: object) -> list[int]:
        sizes = np.linspace(1, self.n_features_in_, _PATH_POINTS).round().astype(int)
        return np.unique(sizes).tolist()

    def _take(self, training: GroupedTraining) -> Self:
        wanted = self.n_features_in_ if self.n_selected is None else self.n_selected
        if wanted > self.n_features_in_:
            raise DataError(
                f"n_selected is {wanted}, but X has {self.n_features_in_} features; "
                "use at most all of them."
            )
        used = np.sort(self.ranking_[:wanted])
        (solved,) = self._machines(training, [used])
        paid = np.unique(training.group_of[used])
        return self._take_machine(solved, np.isin(training.group_of, paid))
