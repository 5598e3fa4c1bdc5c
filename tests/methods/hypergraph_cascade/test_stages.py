"""Where stages end, and the models that answer there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from solvers.methods.hypergraph_cascade.order import ColumnOrder
from solvers.methods.hypergraph_cascade.rows import WeightedRows
from solvers.methods.hypergraph_cascade.stages import (
    SURE,
    StageModel,
    confidences,
    prior_model,
    stage_plan,
    train_clone,
    train_logistic,
)


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


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 6))
@settings(max_examples=50)
def test_stages_begin_with_what_is_free_and_end_with_everything(prices, n_stages):
    plan = stage_plan(_order([float(price) for price in prices]), n_stages, 2.0)
    assert plan.costs[0] == 2.0
    assert plan.costs[-1] == 2.0 + sum(prices)
    assert plan.ends[-1] == len(prices)
    assert (np.diff(plan.costs) > 0).all()
    assert [sum(prices[:end]) + 2.0 for end in plan.ends] == plan.costs.tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_prior_says_the_shares_of_the_classes(n_classes):
    rows = _rows(n_classes)
    outputs = prior_model(rows).outputs(np.zeros((1, 0)))[0]
    shares = np.bincount(rows.labels, rows.weights) / rows.weights.sum()
    wanted = [np.log(shares[1] / shares[0])] if n_classes == 2 else np.log(shares)
    assert outputs == pytest.approx(wanted)


@pytest.mark.parametrize("n_classes", [2, 3])
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


@pytest.mark.parametrize("template", [GaussianNB(), LinearSVC()])
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


@pytest.mark.parametrize("n_classes", [2, 3])
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
