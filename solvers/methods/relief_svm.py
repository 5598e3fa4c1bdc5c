"""Feature selection as it is usually done: Relief first, then one machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ..costs.hypergraph import FeatureHypergraph
from ..errors import DataError
from ..numerics.relief import relief_weights
from ..values.knobs import STANDARDISE_KNOB, Number
from .grouped import C_KNOB, GroupedSVM, GroupedTraining, Groups

__all__ = ["ReliefSVMClassifier"]

# Models that `path` yields, at most.
_PATH_POINTS = 30


@dataclass(eq=False, repr=False)
class ReliefSVMClassifier(GroupedSVM):
    """A linear support vector machine on the features that Relief ranks first.

    Minimises ``1/2 |w|^2 + C sum_i hinge(y_i (w . x_i + b))`` on the selected columns
    in units of their spread, one class against the rest where there are more than two.
    Costs play no part in the choice; a feature that is used pays for its whole group.

    Parameters
    ----------
    hypergraph : FeatureHypergraph, optional
        Prices of the features; one unit each by default.
    groups : sequence of sequences of int or str, optional
        Features that come together; by default those that need the same components.
    C : float, default=1.0
        Weight of the losses; a row's is multiplied by its sample weight.
    n_selected : int, optional
        How many features are used; all of them by default.
    n_draws : int, default=1000
        Relief looks at so many rows, drawn at random where there are more.
    random_state : int or None, default=0
        Seed of the draw.
    standardise : bool, default=True
        Measure columns in units of their standard deviation, so that neither unit nor
        zero of one counts; weights are given for the rows as they are. False is the
        problem as published, on X as given.

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
    knobs: ClassVar = {
        "C": C_KNOB,
        "n_selected": Number(
            "Features used",
            1,
            np.inf,
            integer=True,
            optional=True,
            shown=(1, 60),
            doc="How many of the features that Relief ranks first are used.",
        ),
        "n_draws": Number(
            "Rows drawn",
            1,
            np.inf,
            scale="log",
            integer=True,
            shown=(10, 10_000),
            doc="How many rows Relief looks at.",
        ),
        "standardise": STANDARDISE_KNOB,
    }

    hypergraph: FeatureHypergraph | None = None
    groups: Groups | None = None
    C: float = 1.0
    n_selected: int | None = None
    n_draws: int = 1000
    random_state: int | None = 0
    standardise: bool = True

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
