"""Setting a trained cascade: thresholds, caps and budgets, and what they bring."""

import numpy as np
import pytest

from solvers.errors import DataError, KnobError
from solvers.methods.tefe import TEFEClassifier
from tests.methods.tefe.trained import PRICES, fitted, table


def test_threshold_cap_and_confidence_need_no_new_training():
    X, y = table(3)
    model = fitted(3)
    model.set_params(threshold=0.4, time_cap=11.0, confidence="gap")
    afresh = TEFEClassifier(PRICES, threshold=0.4, time_cap=11.0, confidence="gap").fit(
        X, y
    )
    assert model.exit_stages(X).tolist() == afresh.exit_stages(X).tolist()


def test_a_cascade_that_was_not_calibrated_says_so():
    with pytest.raises(DataError, match='fit it again with confidence="calibrated"'):
        fitted().set_params(confidence="calibrated").predict(table()[0])


def test_parameters_changed_after_training_are_checked_too():
    with pytest.raises(KnobError, match="Confidence is one of"):
        fitted().set_params(confidence="hope").predict(table()[0])


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("cap", [None, 11.0])
@pytest.mark.parametrize("confidence", ["distance", "raw", "gap", "calibrated"])
def test_the_curve_is_what_the_cascade_does_at_each_threshold(
    n_classes, cap, confidence
):
    X, y = table(n_classes, seed=2)
    model = fitted(n_classes, time_cap=cap, confidence=confidence)
    curve = model.exit_curve(X, y)
    some = curve.thresholds[:: max(1, len(curve.thresholds) // 7)]
    for threshold in [-np.inf, *some, np.inf]:
        at = curve.position(threshold)
        model.set_params(threshold=float(threshold))
        assert curve.cost[at] == pytest.approx(model.prediction_cost(X).mean())
        assert curve.accuracy[at] == pytest.approx(model.score(X, y))
        counts = np.bincount(model.exit_stages(X), minlength=curve.n_stages)
        assert curve.exits[at].tolist() == counts.tolist()


@pytest.mark.parametrize("budget", [1.0, 4.0, 12.5, 20.0, 21.0])
def test_a_threshold_for_a_budget_keeps_it_on_the_rows_it_was_foreseen_on(budget):
    X, _ = table(3, seed=2)
    model = fitted(3)
    threshold = model.threshold_for(budget, X)
    model.set_params(threshold=threshold)
    assert model.prediction_cost(X).mean() <= budget * (1 + 1e-9)
    assert budget < 21.0 or threshold == np.inf


def test_training_rows_are_taken_where_none_are_given():
    X, _ = table(3)
    model = fitted(3)
    assert model.threshold_for(9.0) == model.threshold_for(9.0, X)


def test_two_points_estimate_on_a_straight_line():
    X, _ = table(seed=2)
    model = fitted()
    base, slope = model.exit_curve(X, table(seed=2)[1]).straight_line()
    estimate = model.threshold_for(9.0, X, rule="two_points")
    assert base + slope * estimate == pytest.approx(9.0)


def test_a_budget_below_the_first_stage_is_refused():
    with pytest.raises(DataError, match=r"budget is 0\.5, .* costs 1"):
        fitted().threshold_for(0.5)
    with pytest.raises(DataError, match="budget is nan"):
        fitted().threshold_for(np.nan)
    with pytest.raises(DataError, match='use "curve" or "two_points"'):
        fitted().threshold_for(5.0, rule="guess")


def test_the_curve_refuses_labels_that_were_never_seen():
    X, y = table()
    with pytest.raises(DataError, match="No row of class 9"):
        fitted().exit_curve(X, np.where(y == 1, 9, 0))
    with pytest.raises(DataError, match="one label for each row"):
        fitted().exit_curve(X, y[:-1])


def test_the_published_path_is_in_the_order_of_acquisition():
    X, y = table()
    model = fitted(solver="path")
    ends = [point for point in model.solution_path(X, y) if point.beta == 0.0]
    columns = np.concatenate(model.stage_groups_)
    for stage, point in enumerate(ends):
        weights = model.stage_coef_[0, stage] * model.spread_
        expected = weights[columns[: stage + 1]]
        assert point.coef == pytest.approx(expected, abs=1e-6)
    with pytest.raises(DataError, match="no output 1"):
        model.solution_path(X, y, output=1)
