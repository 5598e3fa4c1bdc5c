"""TEFE: its stages are exact machines, its rows leave where they should."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from solvers import FeatureHypergraph
from solvers.errors import DataError, KnobError
from solvers.methods.tefe import TEFEClassifier
from solvers.numerics.svm_objective import primal_objective
from tests.svm_cases import CASES

PRICES = FeatureHypergraph.independent([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])


def table(n_classes=2, n_samples=150, seed=1):
    return make_classification(
        n_samples,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        flip_y=0.1,
        random_state=seed,
    )


def fitted(n_classes=2, **params):
    return TEFEClassifier(PRICES, **params).fit(*table(n_classes))


# ------------------------------------------------------------------------------- stages


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


# -------------------------------------------------------------------------------- exits


@pytest.mark.parametrize("confidence", ["distance", "raw", "gap"])
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


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("confidence", ["distance", "raw", "gap", "calibrated"])
def test_threshold_infinity_is_the_machine_on_all_features(n_classes, confidence):
    X, _ = table(n_classes)
    model = fitted(n_classes, threshold=np.inf, confidence=confidence)
    assert np.all(model.prediction_cost(X) == 21.0)
    assert model.predict(X).tolist() == model.stage_predictions(X)[:, -1].tolist()


@pytest.mark.parametrize("confidence", ["distance", "raw", "gap", "calibrated"])
def test_a_higher_threshold_never_lets_a_row_leave_earlier(confidence):
    X, _ = table(3)
    model = fitted(3, confidence=confidence)
    stages = [
        model.set_params(threshold=threshold).exit_stages(X)
        for threshold in (-np.inf, 0.0, 0.2, 0.5, 0.8, 1.0, 2.0, np.inf)
    ]
    assert np.all(np.diff(stages, axis=0) >= 0)


@pytest.mark.parametrize("cap", [1.0, 2.9, 6.0, 20.9])
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


def test_distance_does_not_change_with_the_scale_of_a_machine():
    X, _ = table()
    model = fitted()
    before = model.stage_confidences(X)
    model.stage_coef_ = 7.0 * model.stage_coef_
    model.stage_intercept_ = 7.0 * model.stage_intercept_
    assert model.stage_confidences(X) == pytest.approx(before)


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


# --------------------------------------------------------------------- curve and budget


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


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("confidence", ["distance", "raw", "gap", "calibrated"])
def test_single_rows_leave_where_the_batch_does_on_binary_columns(
    confidence, n_classes
):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 6)).astype(float)
    y = (X.sum(axis=1) + rng.normal(size=400)).round().astype(int) % n_classes
    model = TEFEClassifier(PRICES, confidence=confidence).fit(X, y)
    for budget in (2.5, 6.0, 11.0, 17.0):
        model.set_params(threshold=model.threshold_for(budget, X))
        stages, labels = model.exit_stages(X), model.predict(X)
        some = range(0, 400, 13)
        for i in some:
            row = X[[i]]
            assert model.exit_stages(row)[0] == stages[i]
            assert model.predict(row)[0] == labels[i]
            journey = model.predict_one(lambda name, row=row: row[0, int(name[1:])])
            assert (journey.stage, journey.label) == (stages[i], labels[i])


# ----------------------------------------------------------------- progress and journey


def test_training_tells_how_far_it_is():
    X, y = table(3)
    model = TEFEClassifier(PRICES, confidence="calibrated")
    steps = list(model.iter_fit(X, y))
    assert [step.done for step in steps] == list(range(1, 25))
    assert {step.total for step in steps} == {24}  # once, and on three folds
    assert model.predict(X).shape == y.shape


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


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("confidence", ["distance", "gap", "calibrated"])
def test_one_sample_goes_the_way_of_its_row(n_classes, confidence):
    X, y = table(n_classes, seed=2)
    model = TEFEClassifier(PRICES, threshold=0.6, confidence=confidence).fit(X, y)
    for row, stage, label, cost in zip(
        X[:40],
        model.exit_stages(X),
        model.predict(X),
        model.prediction_cost(X),
        strict=False,
    ):
        journey = model.predict_one(lambda name, row=row: row[int(name[1:])])
        assert (journey.stage, journey.label, journey.cost) == (stage, label, cost)


def test_one_sample_is_asked_for_no_more_than_it_needs():
    X, _ = table()
    model = fitted(threshold=0.0)
    asked = []

    def extractor(name):
        asked.append(name)
        return X[0, int(name[1:])]

    journey = model.predict_one(extractor)
    assert asked == ["x1"] == list(journey.features)
    assert [stop.leaves for stop in journey.stops] == [True]


def test_one_sample_respects_the_time_cap():
    X, _ = table()
    model = fitted(threshold=np.inf, time_cap=6.0)
    journey = model.predict_one(lambda name: X[0, int(name[1:])])
    assert journey.cost == 6.0
    assert journey.seconds >= journey.stops[0].seconds > 0


def test_an_object_that_computes_features_lazily_will_do():
    class Sample:
        def feature(self, name):
            return float(name == "x1")

    assert fitted(threshold=0.0).predict_one(Sample()).features == ("x1",)


@pytest.mark.parametrize(("answer", "shown"), [(np.nan, "nan"), ("big", "'big'")])
def test_an_extractor_that_gives_no_number_is_named(answer, shown):
    with pytest.raises(DataError, match=f"gave {shown} for feature 'x1'"):
        fitted().predict_one(lambda name: answer)
