"""Held-out scores: noise in, nothing promised or bought; what is there is found."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from solvers import FeatureHypergraph
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier, training
from solvers.methods.hypergraph_cascade.policies import PolicyObjective
from solvers.methods.hypergraph_cascade.rows import WeightedRows, distinct_rows
from solvers.methods.hypergraph_cascade.settings import Settings
from solvers.methods.hypergraph_cascade.training import held_out_leaf
from tests.each import each


def noise(n_samples, n_features, seed, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples + 2000, n_features))
    return X, rng.integers(0, n_classes, n_samples + 2000)


# Rows, features, what a promise may be over the truth, and what else is set.
NOISE = {
    "few rows, many features": (80, 120, 0.12, {"model": "logistic", "stages": 3}),
    "every kind of model": (240, 8, 0.08, {"stages": 2}),
    "expanded": (160, 10, 0.09, {"model": "expanded", "stages": 3}),
    "boosted": (240, 6, 0.08, {"model": "boosted", "stages": 2}),
    "routed": (400, 8, 0.06, {"model": "logistic", "routing": 1, "stages": 3}),
}


@each(("n_samples", "n_features", "most", "params"), NOISE.values(), ids=NOISE)
def test_of_noise_nothing_is_promised_and_nothing_bought(
    n_samples, n_features, most, params
):
    X, y = noise(n_samples, n_features, 0)
    model = HypergraphCascadeClassifier(objective="accuracy", **params)
    model.fit(X[:n_samples], y[:n_samples])
    test = np.mean(model.predict(X[n_samples:]) == y[n_samples:])
    assert not model.prediction_cost(X).any()
    assert model.policy_.score - test <= most


def test_of_noise_no_f1_is_bought_beyond_that_of_the_free_answer():
    X, y = noise(300, 24, 3)
    model = HypergraphCascadeClassifier(model="logistic", stages=4).fit(
        X[:300], y[:300]
    )
    share = y[:300].mean()
    assert model.policy_.mean == 0
    assert model.policy_.score == pytest.approx(2 * share / (1 + share), abs=0.02)


def test_of_three_classes_of_noise_one_of_a_single_row_nothing_is_bought():
    X, y = noise(150, 60, 4)
    y[7] = 2
    model = HypergraphCascadeClassifier(objective="accuracy", stages=4)
    model.fit(X[:150], y[:150])
    assert model.policy_.mean == 0


def test_what_is_said_of_a_fold_does_not_depend_on_its_labels(monkeypatch):
    X, y = noise(200, 12, 5)
    rows = distinct_rows(X[:200], y[:200], np.ones(200))
    folds = np.arange(200) % 3
    heard = []

    def hears(said, *others):
        heard.append(said.u.copy())
        return held_out_leaf(said, *others)

    dealt = WeightedRows.folds
    monkeypatch.setattr(
        WeightedRows,
        "folds",
        lambda some, *asked: folds if len(some.X) == 200 else dealt(some, *asked),
    )
    monkeypatch.setattr(training, "held_out_leaf", hears)
    objective = PolicyObjective("accuracy", 2)
    settings = Settings("forward", 3, GaussianNB(), 0, objective, "mean", 0)
    for labels in (rows.labels, np.where(folds == 0, 1 - rows.labels, rows.labels)):
        swapped = replace(rows, labels=labels)
        list(
            training.train(
                swapped, FeatureHypergraph.independent(np.ones(12)), settings
            )
        )
    # The stages of all rows may cost something else: those of full cost are the last.
    assert np.array_equal(heard[0][folds == 0, -1], heard[1][folds == 0, -1])
    assert not np.array_equal(heard[0][folds != 0, -1], heard[1][folds != 0, -1])


def test_a_promise_is_what_new_rows_get():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2300, 24))
    y = (X[:, :4].sum(axis=1) + 2 * rng.standard_normal(2300) > 0).astype(int)
    model = HypergraphCascadeClassifier(
        objective="accuracy", model="logistic", stages=6
    ).fit(X[:300], y[:300])
    for budget in (2, 8, 24):
        chosen = model.at_budget(budget)
        test = np.mean(chosen.predict(X[300:]) == y[300:])
        assert chosen.policy_.mean > 0
        assert chosen.policy_.score < test + 0.06


# -------------------------------------------------------------- what a line cannot see


def xor(n_features):
    X = np.random.default_rng(0).standard_normal((2500, n_features))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def test_auto_answers_where_a_line_gives_the_free_answer():
    X, y = xor(5)
    model = HypergraphCascadeClassifier(
        objective="accuracy", order="forward", stages=3, budget=3.0
    ).fit(X[:500], y[:500])
    assert np.mean(model.predict(X[500:]) == y[500:]) > 0.95
    assert model.prediction_cost(X[500:]).mean() <= 3.3


def test_boosted_stages_buy_what_counts_only_together_first():
    X, y = xor(10)
    model = HypergraphCascadeClassifier(
        model="boosted", order="forward", objective="accuracy", stages=4, budget=3.0
    ).fit(X[:700], y[:700])
    assert set(model.members_[0].leaves[0].plan.columns[:2]) == {0, 1}
    assert np.mean(model.predict(X[700:]) == y[700:]) > 0.93
    assert model.prediction_cost(X[700:]).mean() <= 3.3


def test_auto_is_logistic_where_there_are_few_rows():
    X, y = noise(60, 4, 0)
    model = HypergraphCascadeClassifier(stages=3).fit(X[:60], y[:60])
    assert [member.columns.knots for member in model.members_] == [None]
    assert model.training_seconds_ > 0


# ------------------------------------------------------------------------- single rows


@each("n_classes", [2, 3])
def test_single_rows_go_the_way_of_the_batch_where_columns_are_binary(n_classes):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (1200, 7)) * rng.uniform(0.1, 3.0, 7)
    pull = X @ rng.standard_normal((7, n_classes)) + rng.standard_normal(
        (1200, n_classes)
    )
    y = np.argmax(pull - pull.mean(axis=0), axis=1)
    y[0] = n_classes  # a class of one row: it is never held out
    prices = FeatureHypergraph.independent(rng.uniform(1.0, 2.0, 7))
    model = HypergraphCascadeClassifier(
        prices, model="logistic", order="forward", objective="accuracy", stages=5
    ).fit(X[:800], y[:800])
    test = X[800:820]
    for policy in model.policies_[::4]:
        at = model.at_budget(policy.mean)
        exits, labels, costs = (
            at.exit_stages(test),
            at.predict(test),
            at.prediction_cost(test),
        )
        decide = at.decider()
        for number, row in enumerate(test):
            read = dict(zip(prices.features, row, strict=True)).__getitem__
            journey = at.predict_one(read)
            assert at.exit_stages(row[np.newaxis])[0] == exits[number]
            assert journey.stage == exits[number]
            assert journey.cost == pytest.approx(costs[number])
            assert journey.label == decide(read) == labels[number]


def test_every_exit_stands_clear_of_the_scores_of_training_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (900, 6)).astype(float)
    y = (X @ [3, -2, 2, 1, -1, 1] + rng.standard_normal(900) > 2).astype(int)
    model = HypergraphCascadeClassifier(model="logistic", order="forward").fit(X, y)
    for policy in model.policies_:
        scores = model.at_budget(policy.mean).stage_scores(X)
        for stage, low, high in policy.stops[0]:
            for bound in (low, high):
                if np.isfinite(bound):
                    assert np.abs(scores[:, stage] - bound).min() > 1e-9


# -------------------------------------------------------------------- its own frontier


def test_a_point_of_the_frontier_of_auto_is_what_its_parameters_train():
    X, y = xor(3)
    X, y = X[:360], y[:360]
    estimator = HypergraphCascadeClassifier(
        order="forward", stages=2, objective="accuracy"
    )
    models = list(estimator.path(X[:260], y[:260]))
    assert len(models) > 1
    for model in (models[0], models[len(models) // 2], models[-1]):
        afresh = clone(model).fit(X[:260], y[:260])
        assert np.array_equal(
            afresh.decision_function(X[260:]), model.decision_function(X[260:])
        )
        assert np.array_equal(
            afresh.acquired_features(X[260:]), model.acquired_features(X[260:])
        )
