"""The contract of every method that classifies rows of a table.

scikit-learn's own contract comes first: every method passes ``check_estimator``. On top
of it a method says which features each row made it compute, and so what it paid.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.decision import Decision, called
from ..decisions.lazy_features import Extractor
from ..decisions.procedure import ABOVE_ZERO, Boundary, Procedure, procedure_of
from ..decisions.program import Program, refusal
from ..decisions.walker import Journey, Walker
from ..errors import DeployError, HypergraphError
from ..numerics.arrays import Floats, Mask
from ..values.knobs import Knob, check_knobs
from .rows import LabelledRows, Training, labelled_rows, rows_to_predict, training_rows

if TYPE_CHECKING:
    from sklearn.utils import Tags

# What a method imports.
__all__ = ["CostAwareClassifier", "LabelledRows", "Prices", "Training"]

#: What every method takes first.
Prices: TypeAlias = Annotated[
    FeatureHypergraph | None,
    "Features, components and what these cost; one unit a feature, and nothing "
    "shared, by default.",
]


class CostAwareClassifier(ClassifierMixin, BaseEstimator, ABC):
    """scikit-learn classifier that knows what its predictions cost.

    Subclasses take a parameter ``hypergraph``; None means that every feature costs one
    unit and nothing is shared. They declare what a person may turn in `knobs` and the
    one parameter that trades accuracy for cost in `path_knob`. Of training they write
    `_prepared`, what all models along that knob share, `_take`, the rest at one value
    of it, and `_values` of it along a path, or all of a path in `_models`.

    Notes
    -----
    Columns of a frame (pandas, polars, Arrow) are taken by the names that the
    hypergraph gives the features, in any order, when fitting and when predicting; a
    name that one of the two lacks is refused. Everything that is learned or returned a
    feature (``support_``, ``coef_``, ``acquired_features``, ``feature_names_in_``) is
    in the hypergraph's order, and so have bare arrays to be. Without a hypergraph, or
    where its features have no names of their own (x0, x1, ...), the order is that of
    the columns in ``fit``, and scikit-learn refuses another one.
    """

    knobs: ClassVar[Mapping[str, Knob]] = {}
    path_knob: ClassVar[str | None] = None
    title: ClassVar[str] = ""
    #: Whether rows may be sparse: CSR or CSC, as scipy has them.
    takes_sparse: ClassVar[bool] = False
    #: Whether large tables of single precision are learned from as they are.
    takes_single: ClassVar[bool] = False
    #: Whether it tells more than two classes apart.
    takes_many_classes: ClassVar[bool] = False
    #: Whether its label is that of the cheapest answer, once it knows `mistake_costs`.
    takes_prices: ClassVar[bool] = False
    #: Whether rows may have gaps, NaN, because the model knows what to do with them.
    takes_gaps: bool = False
    #: Words of features that come as words: values are their places, from 0; any other
    #: word has the place behind them.
    words: Mapping[int, tuple[str, ...]] = {}
    #: Parameters beside `path_knob` that `_prepared` does not look at.
    late: ClassVar[tuple[str, ...]] = ()
    #: A module that is not of the core, and the extra that brings it.
    requires: ClassVar[tuple[str, str] | None] = None

    hypergraph: FeatureHypergraph | None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: Any = None,
        *,
        groups: Any = None,
    ) -> Self:
        """Learn from labelled rows.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows; the columns of a frame are taken by name.
        y : array_like, shape (n_samples,)
            Their labels.
        sample_weight : array_like of float, shape (n_samples,), optional
            Weights of the rows, 0 or more; a row of weight 0 is not there.
        groups : array_like, shape (n_samples,), optional
            Which rows belong together, as those of one patient. No fold that a method
            deals within training tears a group, and Relief looks for neighbours in
            others; methods without either do not look at it.

        Returns
        -------
        self
        """
        return self._take(self._prepared(self._checked(X, y, sample_weight, groups)))

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> Floats:
        """Return how strongly each row is held to be of the second class.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Positive where the second class is predicted.
        """

    @abstractmethod
    def acquired_features(self, X: ArrayLike) -> Mask:
        """Return which features each row's prediction computed.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_features)
            In the order of the hypergraph.
        """

    def path(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: Any = None,
        *,
        groups: Any = None,
    ) -> Iterator[Self]:
        """Yield fitted models along the method's own knob, warm-started.

        Input is checked before the iterator is returned.

        Parameters
        ----------
        X, y, sample_weight, groups
            As for `fit`.

        Yields
        ------
        CostAwareClassifier
            A clone of this estimator, fitted, with its knob set.
        """
        steps = self.iter_path(X, y, sample_weight, groups=groups)
        return (step for step in steps if not isinstance(step, float))

    def iter_path(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: Any = None,
        *,
        groups: Any = None,
    ) -> Iterator[Self | float]:
        """Return what yields as `path` does, and before how much training is done.

        Parameters
        ----------
        X, y, sample_weight, groups
            As for `fit`.

        Yields
        ------
        CostAwareClassifier or float
            A share of 1, of methods that train for long before their first model, or a
            model of the path.
        """
        template = clone(self)
        checked = template._checked(X, y, sample_weight, groups)
        return template._models(template._prepared(checked))

    def refitter(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: Any = None,
        *,
        groups: Any = None,
    ) -> Callable[..., Self]:
        """Return what fits clones with other parameters to the same rows.

        Parameters
        ----------
        X, y, sample_weight, groups
            As for `fit`.

        Returns
        -------
        callable
            Takes parameters by name and returns a fitted clone that has them.
        """
        template = clone(self)
        prepared = template._prepared(template._checked(X, y, sample_weight, groups))

        def refit(**params: Any) -> Any:
            if not set(params) <= {*self.late, self.path_knob}:
                other = clone(self).set_params(**params)
                return other.fit(X, y, sample_weight, groups=groups)
            model = template._sibling(**params)
            check_knobs(model)
            return model._take(prepared)

        return refit

    @property
    def answers_by_cost(self) -> bool:
        """Whether labels are those of the cheapest answers already."""
        return self.takes_prices and getattr(self, "mistake_costs", None) is not None

    # What a method writes, beside its decision: `_take` at least.

    def _prepared(self, training: Any) -> Any:
        """Return what the models along the knob share, from checked rows.

        What is learned here and set on the estimator, all of them have. It looks at
        every parameter but `late`. `training`: a `Training` of a method of two
        classes, else `LabelledRows`; or what the method's own `_checked` makes of them.
        """
        return training

    @abstractmethod
    def _take(self, prepared: Any) -> Self:
        """Learn at the parameters as they are; return itself."""

    def _models(self, prepared: Any) -> Iterator[Self | float]:
        """Yield fitted siblings along the knob; this is a clone that it may use.

        Numbers between them say what share of the training is done. By default a model
        for each of `_values`; another knob, or models that come from one another, are
        written here.
        """
        if self.path_knob is None:
            yield self._take(prepared)
            return
        for value in self._values(prepared):
            yield self._sibling(**{self.path_knob: value})._take(prepared)

    def _values(self, prepared: Any) -> Iterable[Any]:
        """Return values of the knob along the path; by default the one it has."""
        return (getattr(self, str(self.path_knob)),)

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the predicted class of each row.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray, shape (n_samples,)
        """
        check_is_fitted(self)
        return self.classes_[called(self.decision_function(X))]

    def decide(self, X: ArrayLike) -> Decision:
        """Return labels, scores, what was computed and what it cost, from one call.

        The same as ``predict``, ``decision_function``, ``acquired_features`` and
        ``prediction_cost``. Methods that find score and features on one walk override
        it, so that this one call walks once.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        Decision

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from solvers.methods.forward_selection import ForwardSelectionClassifier
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> decision = ForwardSelectionClassifier(budget=3).fit(X, y).decide(X)
        >>> decision.labels.shape, decision.acquired.shape, decision.cost.max()
        ((569,), (569, 30), np.float64(3.0))
        """
        return self._decision(self.decision_function(X), self.acquired_features(X))

    def prediction_cost(self, X: ArrayLike) -> Floats:
        """Return what the prediction of each row costs.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            In the hypergraph's unit.
        """
        return self._hypergraph().cost_rows(self.acquired_features(X))

    def acquirable_features(self) -> Mask:
        """Return what predictions may compute, whatever rows are to come.

        Whatever a row acquires is in one of the sets, so that no prediction costs more
        than the costliest of them. Methods that know fewer than all features from what
        was fitted override it.

        Returns
        -------
        ndarray of bool, shape (n_sets, n_features)
        """
        check_is_fitted(self)
        return np.ones((1, self.n_features_in_), dtype=bool)

    def procedure(self, cut: Boundary = ABOVE_ZERO) -> Procedure | None:
        """Return the steps by which a person decides as the fitted model does.

        Parameters
        ----------
        cut : Boundary, default=ABOVE_ZERO
            Where the decision begins that calls the second class; of more than two
            classes the model's own label is said.

        Returns
        -------
        Procedure or None
            None where the decision is no sum, tree or chain of sums.
        """
        check_is_fitted(self)
        try:
            program = self.program()
        except DeployError:
            return None
        return procedure_of(program, self.classes_, cut)

    def program(self) -> Program:
        """Return how the fitted model decides about one row.

        What is exported, read aloud or walked by one row is read from it.

        Returns
        -------
        Program

        Raises
        ------
        DeployError
            If the method does not write it, or this model cannot be written so.
        """
        check_is_fitted(self)
        raise refusal(self)

    def walker(self) -> Walker:
        """Return what decides about one sample after the other, in little time.

        What is looked up for that is looked up here, once: it goes on as the model is
        now, whatever that is set to later.

        Returns
        -------
        Walker

        Raises
        ------
        DeployError
            If the method has no program.
        """
        check_is_fitted(self)
        return Walker(self.program(), self._hypergraph(), self.classes_)

    def decider(self) -> Callable[[Extractor], Any]:
        """Return what predicts one sample after the other, in little time.

        Returns
        -------
        callable
            From an extractor, which gives a feature by its name, such as
            ``FeaturePipeline.open(sample)``, to a label: what ``predict`` gives as the
            model is now, whatever it is set to later.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from solvers.methods.tefe import TEFEClassifier
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> decide = TEFEClassifier(threshold=0.5).fit(X, y).decider()
        >>> decide({f"x{j}": value for j, value in enumerate(X[0])}.__getitem__)
        np.int64(0)
        """
        return self.walker().decide

    def predict_one(self, extractor: Extractor) -> Journey:
        """Return one sample's way, computing features only until it may leave.

        Its label is what ``predict`` gives; its seconds are measured. Of many samples
        `walker` makes ready once what all of them need.

        Parameters
        ----------
        extractor : callable or LazySample
            Gives a feature by its name, such as ``FeaturePipeline.open(sample)``. It is
            asked for what the decision needs, and for no more.

        Returns
        -------
        Journey
        """
        return self.walker().walk(extractor)

    def _decision(self, scores: Floats, acquired: Mask) -> Decision:
        """Return the decision that scores and acquired features amount to."""
        labels = self.classes_[called(scores)]
        return Decision(labels, scores, acquired, self._hypergraph())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.takes_many_classes
        tags.input_tags.sparse = self.takes_sparse
        return tags

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> Any:
        """Return what was given as `_prepared` takes it."""
        takes_many = self.__sklearn_tags__().classifier_tags.multi_class
        check = labelled_rows if takes_many else training_rows
        return check(self, X, y, sample_weight, groups)

    def _check_rows(self, X: ArrayLike) -> Floats:
        """Return rows to predict, in the hypergraph's order."""
        check_is_fitted(self)
        return rows_to_predict(self, X)

    def _sibling(self, **params: Any) -> Self:
        """Return a copy with other parameters, which has learned what this one has."""
        return copy.copy(self).set_params(**params)

    def _feature_names(self) -> tuple[str, ...]:
        if self.hypergraph is None and hasattr(self, "feature_names_in_"):
            return tuple(str(name) for name in self.feature_names_in_)
        return self._hypergraph().features

    def _hypergraph(self) -> FeatureHypergraph:
        """Return the hypergraph, or unit costs where none was given."""
        n_features = self.n_features_in_
        if self.hypergraph is None:
            return FeatureHypergraph.independent(np.ones(n_features), unit="features")
        if not isinstance(self.hypergraph, FeatureHypergraph):
            raise HypergraphError(
                f"hypergraph is a {type(self.hypergraph).__name__}; give a "
                "FeatureHypergraph, or FeatureHypergraph.independent(costs)."
            )
        if self.hypergraph.n_features != n_features:
            raise HypergraphError(
                f"X has {n_features} features, but the hypergraph describes "
                f"{self.hypergraph.n_features}; describe every column of X."
            )
        return self.hypergraph
