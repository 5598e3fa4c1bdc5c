"""A method that trains for long says how far it is, whoever trains it."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from solvers.errors import DataError
from solvers.methods.adaptive import AdaptiveClassifier, SteppedClassifier
from tests.each import each

X, Y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1])


class Patient(SteppedClassifier, AdaptiveClassifier):
    """Takes four steps to the mean of its first column."""

    title, knobs, path_knob = "Patient", {}, "shift"

    def __init__(self, hypergraph=None, shift=0.0):
        self.hypergraph = hypergraph
        self.shift = shift

    def _training_steps(self, known):
        for done in range(1, 5):
            yield SimpleNamespace(done=done, total=4)
        self.mean_ = known.X[:, 0].mean()

    def _fitted_models(self):
        return (self._sibling(shift=shift) for shift in (0.0, 1.0))

    def _walk(self, rows):
        acquired = np.broadcast_to([True, False], rows.shape)
        return rows[:, 0] - self.mean_ - self.shift, acquired


def test_who_trains_step_by_step_has_what_fit_gives_and_not_before_the_end():
    model = Patient()
    steps = model.iter_fit(X, Y)
    assert [next(steps).done for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(NotFittedError):
        check_is_fitted(model, "mean_")
    assert list(steps) == []
    assert model.mean_ == Patient().fit(X, Y).mean_ == 3.0


def test_a_path_says_how_far_training_is_and_then_gives_its_models():
    asked = Patient(shift=0.5).fit(X + 1.0, Y)
    *shares, first, last = asked.iter_path(X, Y)
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert [first.shift, last.shift] == [0.0, 1.0]
    assert first.mean_ == last.mean_ == 3.0
    assert (asked.shift, asked.mean_) == (0.5, 4.0)  # nothing of it, nothing in it
    assert [model.shift for model in asked.path(X, Y)] == [0.0, 1.0]


@each("method", [Patient().iter_fit, Patient().path])
def test_rows_are_refused_before_the_first_step(method):
    with pytest.raises(DataError, match="can't train with one"):
        method(X, np.zeros(4))
