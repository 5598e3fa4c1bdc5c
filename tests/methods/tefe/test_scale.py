"""Neither unit nor zero of a column counts for the cascade and its machines."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.numerics.svm_stages import ColumnScale
from tests.each import each
from tests.svm_cases import noisy

METHODS = [TEFEClassifier, StaticPrefixClassifier, ReliefSVMClassifier]
POWERS = 2.0 ** np.array([30, -40, 0, 7, -3])
X, Y = noisy(n_samples=120)
NEW, _ = noisy(n_samples=40, seed=1)

every_method = each("method", METHODS)


@every_method
def test_powers_of_two_change_no_digit(method):
    plain, scaled = method().fit(X, Y), method().fit(X * POWERS, Y)
    decisions = plain.decision_function(NEW)
    assert np.array_equal(scaled.decision_function(NEW * POWERS), decisions)


@every_method
def test_another_zero_changes_nothing(method):
    zeros = np.array([1e4, 0.0, -1e4, 3.0, 1e6])
    plain, moved = method().fit(X, Y), method().fit(X + zeros, Y)
    assert moved.decision_function(NEW + zeros) == pytest.approx(
        plain.decision_function(NEW), abs=1e-7
    )


@each("solver", ["interior_point", "path"])
def test_columns_of_1e8_are_certified_at_every_stage(solver):
    model = TEFEClassifier(solver=solver).fit(1e8 * X, Y)  # a warning fails
    assert model.stage_gap_.max() <= 1e-8
    assert model.score(1e8 * X, Y) == TEFEClassifier(solver=solver).fit(X, Y).score(
        X, Y
    )


@each("method", METHODS[1:])
def test_rivals_certify_columns_of_1e8_too(method):
    assert method().fit(1e8 * X * [1, 1e-4, 1, 1, 1e4], Y).gap_ <= 1e-8


@each("kind", ["distance", "raw", "gap"])
def test_rows_leave_where_they_do_on_columns_scaled_before(kind):
    units = np.array([1e5, 1e-5, 1.0, 60.0, 0.01])
    scaler = StandardScaler().fit(units * (X + 2.0))
    inside = TEFEClassifier(confidence=kind).fit(units * (X + 2.0), Y)
    before = TEFEClassifier(confidence=kind, standardise=False)
    before.fit(scaler.transform(units * (X + 2.0)), Y)
    new = units * (NEW + 2.0)
    sure = before.stage_confidences(scaler.transform(new))
    assert inside.stage_confidences(new) == pytest.approx(sure, abs=1e-9)


def test_a_row_of_weight_two_is_a_row_written_twice():
    weights = np.where(np.arange(len(X)) % 3, 1.0, 2.0)
    rows = np.repeat(np.arange(len(X)), weights.astype(int))
    weighed = TEFEClassifier().fit(X, Y, weights)
    written = TEFEClassifier().fit(X[rows], Y[rows])
    assert weighed.spread_ == pytest.approx(written.spread_, rel=1e-13)
    assert weighed.stage_margins(NEW) == pytest.approx(
        written.stage_margins(NEW), abs=1e-8
    )


@each("value", [0.0, 0.1, 1e8 + 0.1, -1e300])
def test_a_constant_column_has_no_weight(value):
    rows = X.copy()
    rows[:, 2] = value
    model = TEFEClassifier().fit(rows, Y)
    assert model.spread_[2] == 1.0
    assert not model.stage_coef_[:, :, 2].any()


@each("size", [1e-300, 1e-12, 1.0, 1e12, 1e300])
def test_a_scale_neither_overflows_nor_vanishes(size):
    scale = ColumnScale.of(size * X, np.ones(len(X)))
    standardised = scale.standardised(size * X)
    assert np.abs(standardised.mean(axis=0)).max() <= 1e-13
    assert standardised.std(axis=0) == pytest.approx(np.ones(5), rel=1e-12)
