"""TEFE: its rows leave where they should, whatever a trained cascade is set to."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.errors import DataError, KnobError
from solvers.methods.tefe import TEFEClassifier
from tests.each import each
from tests.methods.tefe.trained import PRICES, fitted, table


def test_stages_acquire_features_in_the_order_of_their_cost():
    model = fitted()
    assert [group.tolist() for group in model.stage_groups_] == [
        [1],
        [2],
        [0],
        [4],
        [3],
        [5],
    ]
    assert model.stage_costs_.tolist() == [1.0, 3.0, 6.0, 10.0, 15.0, 21.0]


def test_weights_are_zero_where_a_stage_has_not_acquired_a_feature():
    model = fitted(n_classes=3)
    assert model.stage_coef_.shape == (3, 6, 6)
    assert model.stage_intercept_.shape == (3, 6)
    for stage in range(6):
        unknown = np.concatenate([*model.stage_groups_[stage + 1 :], np.array([], int)])
        assert not model.stage_coef_[:, stage, unknown].any()


def test_shared_components_are_charged_once_along_the_cascade():
    shared = FeatureHypergraph(
        [[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [10.0, 1.0, 1.0, 8.0]
    )
    X, y = table()
    for order, costs in (("alone", [8, 19, 20]), ("amortised", [11, 12, 20])):
        model = TEFEClassifier(shared, order=order).fit(X[:, :3], y)
        assert model.stage_costs_.tolist() == costs


def test_features_of_the_same_components_make_one_stage():
    together = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 1.0])
    X, y = table()
    model = TEFEClassifier(together).fit(X[:, :3], y)
    assert [group.tolist() for group in model.stage_groups_] == [[2], [0, 1]]


def test_the_order_inside_a_group_does_not_matter():
    X, y = table()
    groups = [[0, 1, 2], [3, 4, 5]]
    turned = [[2, 0, 1], [5, 4, 3]]
    margins = [
        TEFEClassifier(groups=g, solver=solver).fit(X, y).stage_margins(X)
        for g in (groups, turned)
        for solver in ("interior_point", "path")
    ]
    for other in margins[1:]:
        assert other == pytest.approx(margins[0], abs=1e-6)


def test_swapped_labels_swap_the_predictions():
    X, y = table()
    model, swapped = fitted(), TEFEClassifier(PRICES).fit(X, 1 - y)
    assert swapped.predict(X).tolist() == (1 - model.predict(X)).tolist()
    assert swapped.exit_stages(X).tolist() == model.exit_stages(X).tolist()


def test_the_order_of_the_rows_does_not_matter():
    X, y = table()
    turned = TEFEClassifier(PRICES).fit(X[::-1], y[::-1])
    assert turned.stage_margins(X) == pytest.approx(fitted().stage_margins(X), abs=1e-8)


@each("confidence", ["distance", "raw", "gap"])
def test_threshold_zero_lets_every_row_leave_at_once_with_two_classes(confidence):
    X, _ = table()
    model = fitted(threshold=0.0, confidence=confidence)
    assert not model.exit_stages(X).any()
    assert model.prediction_cost(X).tolist() == [1.0] * len(X)


def test_with_more_classes_a_row_leaves_only_where_one_class_claims_it():
    X, _ = table(4)
    model = fitted(4, threshold=0.0)
    claimed = (model.stage_margins(X)[:, :, 0] > 0).sum(axis=1) == 1
    assert np.array_equal(model.exit_stages(X) == 0, claimed)
    assert not claimed.all()


@each("n_classes", [2, 4])
@each("confidence", ["distance", "raw", "gap", "calibrated"])
def test_threshold_infinity_is_the_machine_on_all_features(n_classes, confidence):
    X, _ = table(n_classes)
    model = fitted(n_classes, threshold=np.inf, confidence=confidence)
    assert np.all(model.prediction_cost(X) == 21.0)
    assert model.predict(X).tolist() == model.stage_predictions(X)[:, -1].tolist()


@each("confidence", ["distance", "raw", "gap", "calibrated"])
def test_a_higher_threshold_never_lets_a_row_leave_earlier(confidence):
    X, _ = table(3)
    model = fitted(3, confidence=confidence)
    stages = [
        model.set_params(threshold=threshold).exit_stages(X)
        for threshold in (-np.inf, 0.0, 0.2, 0.5, 0.8, 1.0, 2.0, np.inf)
    ]
    assert np.all(np.diff(stages, axis=0) >= 0)


@each("confidence", ["distance", "raw", "gap", "calibrated"])
@each("n_classes", [2, 3])
def test_no_row_goes_further_than_rows_may(n_classes, confidence):
    X, y = table(n_classes)
    X[:, 1] = 0.0  # the first stage's feature says nothing: nobody leaves there
    model = TEFEClassifier(PRICES, confidence=confidence).fit(X, y)
    rows = np.random.default_rng(0).standard_t(1.0, (500, X.shape[1])) * 100.0
    for threshold in (-np.inf, -1.0, 0.0, 0.5, np.inf):
        model.set_params(threshold=threshold)
        (most,) = model.acquirable_features()
        acquired = model.acquired_features(rows)
        assert not (acquired & ~most).any()
        if n_classes == 2 and threshold <= 0:
            assert most.sum() <= 2


@each("cap", [1.0, 2.9, 6.0, 20.9])
def test_no_row_costs_more_than_the_time_cap(cap):
    X, _ = table(3)
    model = fitted(3, threshold=np.inf, time_cap=cap)
    allowed = model.stage_costs_[model.stage_costs_ <= cap].max()
    assert np.all(model.prediction_cost(X) == allowed)


def test_a_cap_of_exactly_a_stage_is_not_lost_to_rounding():
    prices = FeatureHypergraph.independent([0.1, 0.2, 0.3])
    X, y = table()
    model = TEFEClassifier(prices, threshold=np.inf, time_cap=0.6).fit(X[:, :3], y)
    assert np.all(model.exit_stages(X[:, :3]) == 2)


def test_a_cap_below_the_first_stage_is_refused():
    with pytest.raises(DataError, match=r"time_cap is 0\.5, .* costs 1"):
        fitted(time_cap=0.5)
    with pytest.raises(DataError, match=r"time_cap is 0\.5"):
        fitted().set_params(time_cap=0.5).predict(table()[0])


def test_no_row_leaves_where_the_weights_vanish():
    X, y = table()
    X[:, 1] = 3.0  # the cheapest feature is constant: its machine says the same of all
    model = TEFEClassifier(PRICES, threshold=0.0).fit(X, y)
    assert model.stage_blocked_[0].tolist() == [True] + [False] * 5
    assert np.all(model.exit_stages(X) == 1)
    assert np.isneginf(model.stage_confidences(X)[:, 0]).all()


def test_distance_does_not_change_with_the_scale_of_a_machine():
    X, _ = table()
    model = fitted()
    before = model.stage_confidences(X)
    model.stage_coef_ = 7.0 * model.stage_coef_
    model.stage_intercept_ = 7.0 * model.stage_intercept_
    assert model.stage_confidences(X) == pytest.approx(before)


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


@each("n_classes", [2, 4])
@each("cap", [None, 11.0])
@each("confidence", ["distance", "raw", "gap", "calibrated"])
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


@each("budget", [1.0, 4.0, 12.5, 20.0, 21.0])
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
