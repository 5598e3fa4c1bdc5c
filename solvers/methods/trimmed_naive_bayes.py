"""Naive Bayes that is trimmed to a budget, with a new threshold to agree most."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from ..bayes import (
    BayesianClassifier,
    CutPoints,
    learn_cut_points,
    learn_naive_bayes,
    trim,
)
from ..bayes.many_labels import ClassTables, trim_labels
from ..decisions.program import Program, ProgramNode, bin_questions
from ..errors import DataError
from ..numerics.arrays import Floats
from ..values.distinct_names import free_name
from ..values.fields import declared
from ..values.knobs import Number
from .base import LabelledRows, Prices
from .static import StaticClassifier

__all__ = ["TrimmedNaiveBayesClassifier"]

# Up to here a search takes well under a second; above, sets are compared by samples.
EXACT_STATES = 2**20
# Of sparse rows, zeros counted: 400 MB as floats.
MOST_VALUES = 50_000_000


@declared
class TrimmedNaiveBayesClassifier(StaticClassifier):
    """Naive Bayes over binned features, trimmed to agree most with itself untrimmed.

    Columns are cut into bins of equal weight and naive Bayes is learned on all of
    them. Then the affordable features and the new threshold are found that most often
    decide as the full model does (ECA-Trim [1]_), shared components paid once. Of more
    than two classes each has an offset in place of the threshold, and the class of the
    largest score is called.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        The labels, sorted; the second of two counts as positive.
    cut_points_ : CutPoints
        Where the columns are cut.
    original_ : BayesianClassifier or ClassTables
        The full model; of more than two classes its tables, as logarithms.
    trimming_ : Trimming or LabelTrimming
        What was found; ``exact`` and ``gap`` say how much is proved.
    support_ : ndarray of bool, shape (n_features,)
        The features that are kept.
    cost_ : float
        What one prediction costs.

    Notes
    -----
    Agreement with the full model is maximised, not accuracy: the labels count only
    through the full model.

    References
    ----------
    .. [1] Choi and Van den Broeck, "On robust trimming of Bayesian network
       classifiers", IJCAI 2018.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = TrimmedNaiveBayesClassifier(budget=2).fit(X[:, :8], y)
    >>> int(model.support_.sum()), model.cost_
    (2, 2.0)
    """

    title: ClassVar[str] = "Trimmed naive Bayes"
    takes_sparse: ClassVar[bool] = True
    path_knob: ClassVar[str | None] = "budget"
    takes_many_classes: ClassVar[bool] = True

    budget: Annotated[
        float | None,
        Number(
            "Feature budget B",
            0.0,
            optional=True,
            doc="Most that the features of one prediction may cost.",
        ),
        "Feature budget B, in the hypergraph's unit; None for no limit.",
    ] = None
    threshold: Annotated[
        float,
        Number(
            "Decision threshold T",
            0.0,
            1.0,
            open=True,
            doc="The full model says positive from this posterior on.",
        ),
        "Decision threshold T of the full model, strictly between 0 and 1; more than "
        "two classes have none.",
    ] = 0.5
    n_bins: Annotated[
        int,
        Number("Bins", 2, 16, integer=True, doc="States that a column is cut into."),
    ] = 3
    laplace: Annotated[
        float,
        Number(
            "Laplace rows",
            1e-6,
            100.0,
            scale="log",
            doc="Rows of each bin that are imagined, so that none is impossible.",
        ),
    ] = 1.0
    hypergraph: Prices = None
    n_budgets: Annotated[int, "Budgets that `path` goes through."] = 12
    max_evaluations: Annotated[
        int | None, "Where a search stops with the best so far; None for never."
    ] = 5000
    n_samples: Annotated[
        int,
        "Rows that sets are compared by where joint states are too many to be exact.",
    ] = 5000
    random_state: Annotated[int | None, "Seed of those rows."] = 0

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log-odds of each row above those of the new threshold.

        Of more than two classes a score for each, (n_samples, n_classes).
        """
        rows = _dense(self._check_rows(X))
        rows = np.where(self.support_, rows, 0.0)
        codes = self.cut_points_.codes(rows)
        if isinstance(self.original_, ClassTables):
            chosen = self.trimming_.features
            return self.original_.scores(codes, chosen) + self.trimming_.offsets
        posteriors = self.original_.posterior(codes, self.support_)
        return _log_odds(posteriors) - _log_odds(np.array(self.trimming_.threshold))

    def program(self) -> Program:
        """Return a table of log-odds a feature; what the tables say is added up."""
        check_is_fitted(self)
        chosen = np.flatnonzero(self.support_)
        base = tuple(self._known_of_nothing().tolist())
        nodes, roots = [ProgramNode(base, buys=tuple(chosen.tolist()))], [0]
        for feature in chosen.tolist():
            cuts = self.cut_points_.cuts[feature].tolist()
            said = self._told_by(feature, len(cuts) + 1)
            begin = len(nodes)
            answers = range(begin + len(cuts), begin + len(cuts) + len(said))
            roots.append(begin)
            nodes += bin_questions(feature, cuts, answers, begin)
            nodes += [ProgramNode(tuple(values)) for values in said.tolist()]
        return Program(tuple(nodes), tuple(roots))

    def _prior(self) -> Floats:
        none_known = np.zeros((1, self.n_features_in_), dtype=int)
        return _exact_log_odds(self.original_.posterior(none_known, []))

    def _known_of_nothing(self) -> Floats:
        """Return the scores before anything is seen, (n_outputs,)."""
        if isinstance(self.original_, ClassTables):
            return self.original_.prior + self.trimming_.offsets
        threshold = self.trimming_.threshold
        return self._prior() - np.log(threshold) + np.log1p(-threshold)

    def _told_by(self, feature: int, n_bins: int) -> Floats:
        """Return what each bin of a feature adds, (n_bins, n_outputs)."""
        if isinstance(self.original_, ClassTables):
            return self.original_.features[feature]
        codes = np.zeros((n_bins, self.n_features_in_), dtype=int)
        codes[:, feature] = np.arange(n_bins)
        shares = self.original_.posterior(codes, [feature])
        return (_exact_log_odds(shares) - self._prior())[:, np.newaxis]

    def _prepared(self, training: LabelledRows) -> LabelledRows:
        """Learn the full model."""
        names = training.hypergraph.features
        table = _dense(training.X)
        self.cut_points_: CutPoints = learn_cut_points(
            table, self.n_bins, training.weights
        )
        target = free_name("class", names)
        network = learn_naive_bayes(
            self.cut_points_.codes(table),
            training.labels,
            feature_states=self.cut_points_.states,
            feature_names=names,
            target=target,
            laplace=self.laplace,
            sample_weight=training.weights,
        )
        self.original_: Any = (
            BayesianClassifier(network, target, "1", names, self.threshold)
            if len(self.classes_) == 2
            else ClassTables.of(network, target)
        )
        return training

    def _values(self, _: object) -> list[float]:
        """Return budgets from the cheapest feature to all of them, evenly in ratio."""
        hypergraph = self._hypergraph()
        alone = hypergraph.marginal_costs()
        total = hypergraph.total_cost
        least = min(alone[alone > 0], default=total)
        if total <= 0:
            return [0.0]
        levels = np.geomspace(least, total, self.n_budgets)
        levels[-1] = total  # geomspace may end a rounding error below it
        return [float(level) for level in np.unique(levels)]

    def _take(self, _: object) -> Self:
        """Trim: not from another point, since a point is what its parameters find."""
        budget = np.inf if self.budget is None else self.budget
        support = np.zeros(self.n_features_in_, dtype=bool)
        self.trimming_: Any
        if isinstance(self.original_, ClassTables):
            self.trimming_ = trim_labels(
                self.original_,
                self._hypergraph().features,
                budget,
                self._hypergraph(),
                n_samples=self.n_samples,
                random_state=self.random_state,
            )
            support[list(self.trimming_.features)] = True
            self._set_support(support)
            return self
        self.trimming_ = found = trim(
            self.original_,
            budget,
            self._hypergraph(),
            max_evaluations=self.max_evaluations,
            exact=self.original_.n_states <= EXACT_STATES,
            n_samples=self.n_samples,
            random_state=self.random_state,
        )
        support[list(self.original_.positions(list(found.features)))] = True
        self._set_support(support)
        return self


def _dense(X: Any) -> Floats:
    """Return rows with their zeros: each value is in some bin, and is looked at."""
    if not sparse.issparse(X):
        return X
    n_rows, n_columns = X.shape
    if n_rows * n_columns > MOST_VALUES:
        raise DataError(
            f"Trimmed naive Bayes bins all {n_rows * n_columns:,} values of "
            f"{n_rows:,} rows and {n_columns:,} columns, and {MOST_VALUES:,} at most; "
            "leave columns out, or use a linear method."
        )
    return X.toarray()


def _log_odds(posteriors: Floats) -> Floats:
    inside = np.clip(posteriors, 1e-300, None)
    return np.log(inside) - np.log(np.clip(1.0 - posteriors, 1e-300, None))


def _exact_log_odds(shares: Floats) -> Floats:
    return np.asarray(np.log(shares) - np.log1p(-shares))
