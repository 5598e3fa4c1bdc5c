"""The contract of every method that classifies rows of a table.

scikit-learn's own contract comes first: every method passes ``check_estimator``. On top
of it a method says which features each row made it compute, and so what it paid.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    check_array,
    check_is_fitted,
    validate_data,
)

from ..checks import row_weights
from ..costs.alignment import column_names, generic_names
from ..costs.hypergraph import FeatureHypergraph
from ..decisions.decision import Decision, called
from ..decisions.lazy_features import Extractor, gap_remedy
from ..decisions.procedure import ABOVE_ZERO, Boundary, Procedure, procedure_of
from ..decisions.program import Program, refusal
from ..decisions.walker import Journey, Walker
from ..errors import DataError, DeployError, HypergraphError, shown
from ..numerics.inner_folds import group_codes
from ..values.knobs import Knob, check_knobs

if TYPE_CHECKING:
    from sklearn.utils import Tags

__all__ = [
    "CostAwareClassifier",
    "LabelledRows",
    "Prices",
    "Training",
]


#: What every method takes first.
Prices: TypeAlias = Annotated[
    FeatureHypergraph | None,
    "Features, components and what these cost; one unit a feature, and nothing "
    "shared, by default.",
]

# Below so many values (160 MB) single precision saves nothing that matters.
_LARGE_TABLE = 20_000_000


@dataclass(frozen=True)
class LabelledRows:
    """Checked training data of two classes or more; rows of weight 0 are left out."""

    X: NDArray[np.float64]  # (n_samples, n_features) The rows
    # (n_samples,) Codes of the classes: indices into ``classes_``
    labels: NDArray[np.int_]
    # (n_samples,) Weights of the rows as they were given, above 0
    weights: NDArray[np.float64]
    hypergraph: FeatureHypergraph  # Prices of the columns
    # (n_samples,) Which rows belong together: what ``deal_folds`` never tears
    row_groups: NDArray[np.int_] | None = None


@dataclass(frozen=True)
class Training:
    """Checked training data of a binary problem; rows of weight 0 are left out."""

    X: NDArray[np.float64]  # (n_samples, n_features) The rows
    # (n_samples,) +1 where the label is the second of the sorted classes, -1 elsewhere
    signs: NDArray[np.float64]
    # (n_samples,) Weights of the rows, above 0, that average to one
    weights: NDArray[np.float64]
    hypergraph: FeatureHypergraph  # Prices of the columns
    row_groups: NDArray[np.int_] | None = None  # (n_samples,) As of `LabelledRows`


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
    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
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
    def acquired_features(self, X: ArrayLike) -> NDArray[np.bool_]:
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

    def prediction_cost(self, X: ArrayLike) -> NDArray[np.float64]:
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

    def acquirable_features(self) -> NDArray[np.bool_]:
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

    def _decision(
        self, scores: NDArray[np.float64], acquired: NDArray[np.bool_]
    ) -> Decision:
        """Return the decision that scores and acquired features amount to."""
        labels = self.classes_[called(scores)]
        return Decision(labels, scores, acquired, self._hypergraph())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = self.takes_sparse
        return tags

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> Any:
        """Return what was given as `_prepared` takes it."""
        takes_many = self.__sklearn_tags__().classifier_tags.multi_class
        check = self._check_labelled if takes_many else self._check_training
        return check(X, y, sample_weight, groups)

    def _check_labelled(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any = None
    ) -> LabelledRows:
        """Check parameters and data, and set ``classes_`` and ``n_features_in_``."""
        check_knobs(self)
        rows, targets = validate_data(self, self._aligned(X), y, **self._form_of(X))
        check_classification_targets(targets)
        self.classes_, labels = np.unique(targets, return_inverse=True)
        takes_many = self.__sklearn_tags__().classifier_tags.multi_class
        if len(self.classes_) < 2 or not takes_many:
            self._refuse_other_than_two_classes(targets)
        weights = row_weights(sample_weight, len(labels))
        self._refuse_useless_weights(weights, labels)
        together = group_codes(groups, len(labels))
        # A row of weight 0 is a row that is not there, for scales and medians too.
        kept = weights > 0
        whole = bool(kept.all())
        return LabelledRows(
            rows if whole else rows[kept],
            labels if whole else labels[kept],
            weights if whole else weights[kept],
            self._hypergraph(),
            together if whole or together is None else together[kept],
        )

    def _check_training(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any = None
    ) -> Training:
        """Check as `_check_labelled` does, for a method of two classes."""
        known = self._check_labelled(X, y, sample_weight, groups)
        return Training(
            known.X,
            np.where(known.labels == 1, 1.0, -1.0),
            known.weights / known.weights.mean(),
            known.hypergraph,
            known.row_groups,
        )

    def _refuse_other_than_two_classes(self, y: NDArray) -> None:
        if len(self.classes_) > 2:
            raise DataError(
                "Only binary classification is supported. The type of the target is "
                f"{type_of_target(y)}, with {len(self.classes_)} classes; keep two."
            )
        if len(self.classes_) < 2:
            raise DataError(
                f"Every row is of class {shown(str(self.classes_[0]))}: a classifier "
                "can't train with one class only; give rows of two classes."
            )

    def _refuse_useless_weights(self, weights: NDArray, labels: NDArray) -> None:
        totals = np.bincount(labels, weights=weights)
        if not totals.all():
            unseen = self.classes_.tolist()[int(np.argmin(totals))]
            raise DataError(
                f"Every row of class {shown(unseen)} has weight 0; weigh one of them "
                "above 0, or leave the class out."
            )

    def _check_rows(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        form, X = self._form_of(X), self._aligned(X)
        try:
            return self._validated(X, **form)
        except ValueError as error:
            if "contains NaN" in str(error) and not sparse.issparse(X):
                raise self._gap_in(X) from error
            raise

    def _aligned(self, X: ArrayLike) -> Any:
        """Return rows with their columns in the hypergraph's order, where both name."""
        if isinstance(self.hypergraph, FeatureHypergraph):
            return self.hypergraph.aligned(X)
        return X  # what else it may be is refused with the parameters

    def _validated(self, X: Any, **form: Any) -> Any:
        """Return aligned rows to predict as scikit-learn takes them."""
        names = column_names(X)
        if names and self.hypergraph and names == self._hypergraph().feature_names:
            seen = tuple(getattr(self, "feature_names_in_", ()))
            if seen in ((), generic_names(len(seen))):
                # Fitted without names: the hypergraph answers for these.
                return check_array(X, estimator=self, input_name="X", **form)
        return validate_data(self, X, reset=False, **form)

    def _gap_in(self, X: ArrayLike) -> DataError:
        """Return what names the first missing value of rows."""
        gaps = np.isnan(np.asarray(X, dtype=float))
        row, column = np.argwhere(gaps)[0]
        name = self._feature_names()[column]
        return DataError(
            f"Input X contains NaN: row {row} has no value of {shown(name)}; give a "
            f"finite number{gap_remedy(name)}."
        )

    def _sparse_forms(self, X: ArrayLike) -> list[str] | bool:
        """Return which forms of sparse rows are taken; refuse them where none is."""
        if sparse.issparse(X) and not self.takes_sparse:
            raise DataError(
                f"{self.title or type(self).__name__} takes no sparse rows; give "
                "X.toarray(), or use a linear method, forward selection, LightGBM or "
                "naive Bayes."
            )
        return ["csr", "csc"] if self.takes_sparse else False

    def _form_of(self, X: ArrayLike) -> dict[str, Any]:
        """Return in which form scikit-learn is to give rows."""
        return {"dtype": self._row_type(X), "accept_sparse": self._sparse_forms(X)}

    def _row_type(self, X: ArrayLike) -> type[np.floating]:
        """Return the precision in which rows are held."""
        is_single = self.takes_single and getattr(X, "dtype", None) == np.float32
        return np.float32 if is_single and np.size(X) > _LARGE_TABLE else np.float64

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
