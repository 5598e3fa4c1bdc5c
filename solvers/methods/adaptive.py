"""Methods that decide row by row what to compute, and those that train in steps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ..decisions.decision import Decision
from ..decisions.running import run
from ..numerics.arrays import Floats, Mask
from .base import CostAwareClassifier

if TYPE_CHECKING:
    from sklearn.utils import Tags


class AdaptiveClassifier(CostAwareClassifier):
    """A method that looks at what it knows of a row before it computes more.

    A subclass writes its training and its `program`; decisions, acquired features,
    labels and costs all come from one walk by that, and `decide` walks once for all.
    ``_prepared`` is handed checked rows, codes of the classes, weights and the
    hypergraph, as `LabelledRows`; that of two classes alone a `Training`.

    One that knows a quicker walk of many rows writes ``_walk(rows)`` beside it, which
    takes checked rows and returns two arrays: scores of shape
    (n_samples,) for two classes, positive where the second is predicted, or
    (n_samples, n_classes) for more, of which the largest is predicted; and a mask of
    shape (n_samples, n_features) of what each row computed. It must not look at the
    value of a feature that a row did not compute.

    A method of two classes alone says so by ``two_classes_only``, and is refused more.
    """

    two_classes_only: ClassVar[bool] = False

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        """Return the scores of checked rows, and which features each computed.

        As its program says. A method that knows a quicker way to the same overrides it.
        """
        check_is_fitted(self)
        if type(self).program is CostAwareClassifier.program:
            raise TypeError(
                f"{type(self).__name__} does not say how it decides; write program() "
                "or _walk(rows), as docs/add_a_method.md has them."
            )
        n_outputs = 1 if len(self.classes_) == 2 else len(self.classes_)
        found = run(self.program(), rows, n_outputs)
        return found.scores, found.acquired

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return how strongly each row is held to be of each class.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows. What a row does not acquire does not matter to it.

        Returns
        -------
        ndarray of float, shape (n_samples,) or (n_samples, n_classes)
            For two classes positive where the second is predicted; for more, the
            largest is predicted.
        """
        return self._walk(self._check_rows(X))[0]

    def acquired_features(self, X: ArrayLike) -> Mask:
        """Return which features each row computed.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_features)
        """
        return self._walk(self._check_rows(X))[1]

    def decide(self, X: ArrayLike) -> Decision:
        """Return labels, scores, what was computed and what it cost, from one walk.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.

        Returns
        -------
        Decision
        """
        return self._decision(*self._walk(self._check_rows(X)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self.two_classes_only
        return tags


class SteppedClassifier(CostAwareClassifier):
    """A method that trains for long, and says how far it is.

    A subclass writes ``_training_steps``, which leave it fitted, and ``_fitted_models``
    along its knob, which is looked at in deciding alone.
    """

    @abstractmethod
    def _training_steps(self, prepared: Any) -> Iterator[Any]:
        """Learn, and yield what has `done` steps of a `total`."""

    @abstractmethod
    def _fitted_models(self) -> Iterator[Self]:
        """Yield siblings of this fitted model along the knob."""

    def iter_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: Any = None,
        *,
        groups: Any = None,
    ) -> Iterator[Any]:
        """Learn from labelled rows, and yield how far training is.

        Input is checked before the iterator is returned. The estimator is fitted when
        the iterator is exhausted, and only then.
        """
        checked = self._checked(X, y, sample_weight, groups)
        return self._training_steps(self._prepared(checked))

    def _take(self, prepared: Any) -> Self:
        for _ in self._training_steps(prepared):
            pass
        return self

    def _models(self, prepared: Any) -> Iterator[Self | float]:
        for step in self._training_steps(prepared):
            yield step.done / step.total
        yield from self._fitted_models()
