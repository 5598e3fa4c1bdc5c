"""Stages are exact machines of the objective that is documented."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.methods.tefe import TEFEClassifier
from solvers.numerics.svm_optimum import primal_objective
from tests.methods.tefe.trained import PRICES, fitted, table
from tests.svm_cases import CASES


@pytest.mark.parametrize("solver", ["interior_point", "path"])
@pytest.mark.parametrize("case", CASES)
def test_every_stage_is_certified_whatever_the_solver(solver, case):
    X, y = CASES[case]
    model = TEFEClassifier(C=1.0, solver=solver).fit(X, y)
    assert model.stage_gap_.max() <= 1e-8


@pytest.mark.parametrize("n_classes", [2, 4])
def test_both_solvers_train_the_same_stages(n_classes):
    by_path = fitted(n_classes, solver="path")
    by_interior_point = fitted(n_classes)
    X, _ = table(n_classes)
    assert by_path.stage_margins(X) == pytest.approx(
        by_interior_point.stage_margins(X), abs=1e-6
    )


@pytest.mark.parametrize("standardise", [True, False])
def test_a_stage_minimises_the_objective_that_is_documented(standardise):
    X, y = table()
    model = fitted(C=0.3, standardise=standardise)
    units = X.std(axis=0) if standardise else np.ones(6)
    assert model.spread_ == pytest.approx(units, rel=1e-12)
    X = X / units
    signs, caps = np.where(y == 1, 1.0, -1.0), np.full(len(y), 0.3)
    rng = np.random.default_rng(0)
    for stage in range(6):
        coef = model.stage_coef_[0, stage] * units
        intercept = model.stage_intercept_[0, stage]
        best = primal_objective(X, signs, caps, coef, intercept)
        for _ in range(20):
            moved = coef + 1e-3 * rng.standard_normal(6) * (coef != 0)
            shift = 1e-3 * rng.standard_normal()
            assert primal_objective(X, signs, caps, moved, intercept + shift) >= best


@pytest.mark.parametrize("confidence", ["distance", "raw", "gap"])
def test_constant_columns_change_no_margin(confidence):
    X, y = table()
    padded = np.insert(X, 2, 5.0, axis=1)
    groups = [[0], [1, 2], [3], [4], [5], [6]]
    prices = FeatureHypergraph.independent([1, 1, 0, 1, 1, 1, 1])
    plain = TEFEClassifier(confidence=confidence).fit(X, y)
    model = TEFEClassifier(prices, groups, confidence=confidence).fit(padded, y)
    assert model.stage_margins(padded) == pytest.approx(plain.stage_margins(X))
    assert model.predict(padded).tolist() == plain.predict(X).tolist()


def test_calibrated_confidence_is_a_share_and_rises_with_the_gap():
    X, _ = table(3)
    model = fitted(3, confidence="calibrated")
    shares = model.stage_confidences(X)
    may_answer = np.isfinite(shares)
    assert np.all((shares[may_answer] >= 0) & (shares[may_answer] <= 1))
    gaps = model.set_params(confidence="gap").stage_confidences(X)
    for stage in range(6):
        free = may_answer[:, stage]
        order = np.argsort(gaps[free, stage])
        assert np.all(np.diff(shares[free, stage][order]) >= 0)


def test_training_tells_how_far_it_is():
    X, y = table(3)
    model = TEFEClassifier(PRICES, confidence="calibrated")
    steps = list(model.iter_fit(X, y))
    assert [step.done for step in steps] == list(range(1, 25))
    assert {step.total for step in steps} == {24}  # once, and on three folds
    assert model.predict(X).shape == y.shape
