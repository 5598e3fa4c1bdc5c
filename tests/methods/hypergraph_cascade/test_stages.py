"""Where stages end, the models that answer there, and how sure those may be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from solvers.methods.hypergraph_cascade.order import ColumnOrder
from solvers.methods.hypergraph_cascade.rows import WeightedRows
from solvers.methods.hypergraph_cascade.stages import (
    SURE,
    Platt,
    Shares,
    StageModel,
    calibrate,
    confidences,
    fit_platt,
    fit_shares,
    importances,
    log_losses,
    prior_model,
    stage_plan,
    train_clone,
    train_logistic,
)
from tests.each import each


def _order(prices):
    """Columns that each cost something of their own; a free one ends no stage."""
    spent = np.cumsum(prices)
    ends = np.append(np.array(prices[1:]) > 0, True)
    return ColumnOrder(np.arange(len(prices)), spent, ends)


def _rows(n_classes=2, n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) * [1.0, 10.0, 0.1] + [0, 5, 0]
    scores = X[:, 0] + rng.standard_normal(n)
    labels = np.digitize(scores, np.linspace(-1, 1, n_classes + 1)[1:-1])
    return WeightedRows(X, labels, rng.uniform(0.5, 2.0, n), n_classes)


def test_without_a_number_a_stage_ends_wherever_it_can():
    plan = stage_plan(_order([0.0, 1.0, 0.0, 2.0]), None)
    assert plan.ends.tolist() == [1, 3, 4]
    assert plan.costs.tolist() == [0.0, 1.0, 3.0]
    assert plan.bought(1).tolist() == [0, 1, 2]


def test_stages_are_closer_while_little_has_been_paid():
    plan = stage_plan(_order([1.0] * 100), 10)
    gaps = np.diff(plan.costs)
    # A tenth of the full cost, or a third of that up to 12 of 100.
    assert gaps[plan.costs[:-1] < 12].tolist() == [4.0] * 3
    assert set(gaps[plan.costs[:-1] >= 12]) <= {10.0, 8.0}


def test_a_stage_may_end_before_one_purchase_that_is_a_share_by_itself():
    order = _order([1.0, 2.0, 90.0, 5.0, 60.0])
    assert stage_plan(order, 5).costs.tolist() == [0.0, 93.0, 158.0]
    early = stage_plan(order, 5, before_jumps=True)
    assert early.costs.tolist() == [0.0, 3.0, 93.0, 98.0, 158.0]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 6))
@settings(max_examples=25)
def test_stages_begin_with_what_is_free_and_end_with_everything(prices, n_stages):
    plan = stage_plan(_order([float(price) for price in prices]), n_stages, 2.0)
    assert plan.costs[0] == 2.0
    assert plan.costs[-1] == 2.0 + sum(prices)
    assert plan.ends[-1] == len(prices)
    assert (np.diff(plan.costs) > 0).all()
    assert [sum(prices[:end]) + 2.0 for end in plan.ends] == plan.costs.tolist()


@each("n_classes", [2, 3])
def test_the_prior_says_the_shares_of_the_classes(n_classes):
    rows = _rows(n_classes)
    outputs = prior_model(rows).outputs(np.zeros((1, 0)))[0]
    shares = np.bincount(rows.labels, rows.weights) / rows.weights.sum()
    wanted = [np.log(shares[1] / shares[0])] if n_classes == 2 else np.log(shares)
    assert outputs == pytest.approx(wanted)


@each("n_classes", [2, 3])
def test_logistic_stages_are_scikit_learn_s_on_standardised_columns(n_classes):
    rows = _rows(n_classes)
    scaler = StandardScaler().fit(rows.X, sample_weight=rows.weights)
    plain = LogisticRegression(C=0.5, max_iter=2000)
    plain.fit(scaler.transform(rows.X), rows.labels, sample_weight=rows.weights)
    outputs = train_logistic(rows.X, rows, 0.5).outputs(rows.X)
    wanted = plain.predict_log_proba(scaler.transform(rows.X))
    if n_classes == 2:
        wanted = wanted[:, 1:] - wanted[:, :1]
    assert outputs == pytest.approx(wanted, abs=1e-6)


def test_a_constant_column_weighs_nothing():
    rows = _rows()
    rows.X[:, 1] = 5.0
    assert train_logistic(rows.X, rows, 1.0).coef[0, 1] == 0.0


@each("template", [GaussianNB(), LinearSVC()])
def test_estimators_answer_by_probabilities_or_decisions(template):
    rows = _rows()
    model = train_clone(rows.X, rows, template)
    assert not hasattr(template, "classes_")
    outputs = model.outputs(rows.X)[:, 0]
    called = (outputs > 0).astype(int)
    assert (called == model.estimator.predict(rows.X)).all()
    if hasattr(template, "predict_proba"):
        chances = model.estimator.predict_proba(rows.X)[:, 1]
        inside = np.abs(outputs) < SURE
        assert 1 / (1 + np.exp(-outputs[inside])) == pytest.approx(chances[inside])


def test_no_row_is_surer_than_the_bound():
    model = StageModel(np.array([[1e6]]), np.zeros(1))
    assert model.outputs(np.array([[-1.0], [1.0]])).ravel().tolist() == [-SURE, SURE]


@each("n_classes", [2, 3])
def test_one_row_is_answered_as_in_a_batch(n_classes):
    rows = _rows(n_classes)
    model = train_logistic(rows.X, rows, 1.0)
    batch = model.outputs(rows.X[:5])
    for values, wanted in zip(rows.X[:5], batch, strict=True):
        alone = model.answer(values)
        assert alone - alone[0] == pytest.approx(wanted - wanted[0])


def test_rows_of_several_classes_are_told_apart_by_the_lead_of_the_best():
    assert confidences(np.array([[-1.5], [2.0]])).tolist() == [-1.5, 2.0]
    assert confidences(np.array([[0.0, 3.0, 1.0], [2.0, 2.0, 0.0]])).tolist() == [2, 0]


def _noisy_rows(seed, n=80):
    rng = np.random.default_rng(seed)
    u = 3 * rng.standard_normal(n)
    hits = rng.random(n) < 1 / (1 + np.exp(-0.7 * u - 0.4))
    return u, hits, rng.uniform(0.5, 2.0, n)


@given(st.integers(0, 999))
@settings(max_examples=15)
def test_platt_s_curve_is_the_best_by_a_generic_minimiser(seed):
    u, hits, weights = _noisy_rows(seed)
    up, down = weights[hits].sum(), weights[~hits].sum()
    target = np.where(hits, (up + 1) / (up + 2), 1 / (down + 2))

    def loss(w):
        odds = w[0] * u + w[1]
        return weights @ (np.logaddexp(0, odds) - target * odds)

    found = fit_platt(u, hits, weights)
    best = minimize(loss, [0.0, 0.0], method="BFGS").fun
    assert loss([found.slope, found.intercept]) == pytest.approx(best, rel=1e-6)


def test_scores_that_are_all_the_same_tell_the_share_alone():
    hits = np.array([True, True, False, True])
    found = fit_platt(np.full(4, 2.5), hits, np.ones(4))
    assert found.slope == 0.0
    targets = np.array([4 / 5, 4 / 5, 1 / 3, 4 / 5]).mean()
    assert found.belief(np.array([2.5]))[0] == pytest.approx(
        np.log(targets / (1 - targets))
    )


@each("shift", [0.0, 1e6])
def test_another_zero_and_unit_of_the_score_changes_no_odds(shift):
    u, hits, weights = _noisy_rows(1)
    plain = fit_platt(u, hits, weights).belief(u)
    moved = fit_platt(100 * u + shift, hits, weights).belief(100 * u + shift)
    assert moved == pytest.approx(plain, abs=1e-5)


@given(st.integers(0, 999))
@settings(max_examples=15)
def test_shares_are_isotonic_regression(seed):
    u, hits, weights = _noisy_rows(seed)
    found = fit_shares(u, hits, weights)
    plain = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    plain.fit(u, hits.astype(float), sample_weight=weights)
    new = np.linspace(u.min() - 1, u.max() + 1, 50)
    assert found.belief(new) == pytest.approx(plain.predict(new))
    assert (np.diff(found.belief(new)) >= -1e-12).all()


@each("is_binary", [True, False])
def test_a_row_is_believed_by_a_curve_that_did_not_see_its_fold(is_binary):
    u, hits, weights = _noisy_rows(2)
    folds = np.arange(80) % 4
    belief, curve = calibrate(u, hits, weights, folds, is_binary)
    assert isinstance(curve, Platt if is_binary else Shares)
    for fold in range(4):
        flipped = hits.copy()
        flipped[folds == fold] ^= True
        other, _ = calibrate(u, flipped, weights, folds, is_binary)
        held = folds == fold
        assert (other[held] == belief[held]).all()
        assert (other[~held] != belief[~held]).any()


def test_rows_that_were_never_held_out_are_believed_by_the_whole_curve():
    u, hits, weights = _noisy_rows(3)
    folds = np.full(80, -1)
    belief, curve = calibrate(u, hits, weights, folds, True)
    assert belief == pytest.approx(curve.belief(u))


def _labelled_rows(make_label, n=400, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, 4))
    return WeightedRows(X, make_label(X).astype(int), np.ones(n), 2)


@each("n_classes", [2, 3])
def test_the_mean_of_log_losses_is_that_of_scikit_learn(n_classes):
    rng = np.random.default_rng(n_classes)
    labels = rng.integers(0, n_classes, 50)
    outputs = rng.standard_normal((50, 1 if n_classes == 2 else n_classes))
    logits = np.column_stack([np.zeros(50), outputs]) if n_classes == 2 else outputs
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    wanted = log_loss(labels, chances, labels=np.arange(n_classes))
    assert log_losses(outputs, labels).mean() == pytest.approx(wanted)


def test_what_two_features_say_only_together_counts_for_both():
    found = importances(_labelled_rows(lambda X: X[:, 0] * X[:, 1] > 0), 0)
    assert min(found[:2]) > 10 * max(found[2:])


def test_every_feature_keeps_a_small_worth():
    found = importances(_labelled_rows(lambda X: X[:, 2] > 0), 0)
    assert found.argmax() == 2
    assert (found > 0).all()


def test_the_same_seed_gives_the_same_worth():
    rows = _labelled_rows(lambda X: X[:, 0] > 0)
    assert (importances(rows, 5) == importances(rows, 5)).all()
