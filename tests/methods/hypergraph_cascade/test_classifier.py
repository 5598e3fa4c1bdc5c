"""The hypergraph cascade: what it pays, what it says, and what a budget buys."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from explorer.export import estimator_skops, load_estimator
from solvers import Dataset, FeatureHypergraph, evaluate, split_dataset
from solvers.errors import KnobError
from solvers.methods.forward_selection import ForwardSelectionClassifier
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.each import each
from tests.methods.hypergraph_cascade.variants import (
    PRICES,
    every_variant,
    table,
    trained,
)
from tests.methods.tables import random_problem


def f1(model, split, part="test"):
    called, truth = model.predict(split.X(part)) == 1, split.y(part) == 1
    return 2 * np.sum(called & truth) / (called.sum() + truth.sum())


def test_dearer_policies_are_better(fitted):
    assert all(np.diff([policy.mean for policy in fitted.policies_]) > 0)
    assert all(np.diff([policy.score for policy in fitted.policies_]) > 0)


def test_new_rows_cost_about_what_was_foreseen(fitted, sources):
    full = sources[0].hypergraph.total_cost
    X = sources[1].X("test")
    for share in (0.1, 0.2, 0.4, 0.6):
        paid = fitted.at_budget(share * full).prediction_cost(X).mean()
        assert paid < share * full * 1.1


def test_forward_selection_is_beaten_at_half_the_cost(fitted, sources):
    data, split = sources
    budget = 0.4 * data.hypergraph.total_cost
    rival = ForwardSelectionClassifier(data.hypergraph, budget=budget)
    rival.fit(split.X("train"), split.y("train"))
    assert f1(fitted.at_budget(budget), split) > f1(rival, split) + 0.03


def test_a_policy_that_stops_at_the_last_stage_is_a_logistic_regression():
    X, y = table()
    model = HypergraphCascadeClassifier(
        PRICES, order="forward", stages=1, model="logistic"
    ).fit(X, y)
    last = model.stage_scores(X)[:, -1]
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    references = [
        LogisticRegression(C=C).fit(scaled, y).decision_function(scaled)
        for C in (0.1, 1.0, 10.0)
    ]
    assert any(np.allclose(last, odds, atol=2e-2) for odds in references)


@each("objective", ["f1", "accuracy"])
def test_more_classes_than_two_are_told_apart(objective):
    X, y = table(n_classes=3, n_samples=600)
    model = HypergraphCascadeClassifier(
        PRICES, "forward", 4, "logistic", objective=objective
    )
    model.fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.6
    cheap = model.at_budget(6.0)
    assert cheap.prediction_cost(X[400:]).mean() < 7.0
    assert cheap.score(X[400:], y[400:]) > 0.45


def regions(n_samples=1600):
    """The sign of a cheap feature says which of two dear groups counts."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, 9))
    weights = rng.standard_normal((2, 4)) * 3
    scores = np.where(X[:, 0] > 0, X[:, 1:5] @ weights[0], X[:, 5:] @ weights[1])
    groups = [[0] + [1] * 4 + [0] * 4, [0] * 5 + [1] * 4]
    incidence = np.vstack([groups, np.eye(9)])
    prices = FeatureHypergraph(incidence, [10.0, 10.0, *[0.5] * 9])
    return Dataset("regions", X, np.where(scores > 0, 1, -1), prices, positive=1)


def test_routing_finds_the_feature_that_says_which_others_count():
    data = regions()
    split = split_dataset(data)
    budget = 0.6 * data.hypergraph.total_cost
    worth = []
    for routing in (0, 1):
        model = HypergraphCascadeClassifier(
            data.hypergraph,
            order="forward",
            model="logistic",
            routing=routing,
            budget=budget,
        )
        model.fit(split.X("train"), split.y("train"))
        worth.append(f1(model, split))
    assert model.members_[-1].tree.splits[0].feature == 0
    assert worth[1] > max(0.9, worth[0] + 0.1)


def test_no_split_is_taken_where_one_model_is_enough(sources):
    data, split = sources
    model = HypergraphCascadeClassifier(
        data.hypergraph, order="forward", stages=2, model="logistic", routing=2
    )
    model.fit(split.X("train"), split.y("train"))
    assert [member.tree.splits for member in model.members_] == [()]


def test_expanded_columns_see_what_a_line_does_not():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1200, 3))
    y = (np.abs(X[:, 1]) > 0.7).astype(int)
    scores = {
        name: HypergraphCascadeClassifier(model=name, order="forward", stages=3)
        .fit(X, y)
        .policies_[-1]
        .score
        for name in ("logistic", "expanded")
    }
    assert scores["logistic"] < 0.75
    assert scores["expanded"] > 0.95


def test_under_max_it_buys_what_forward_selection_buys():
    for seed in range(2):
        X, y, hypergraph = random_problem(seed, n_features=5, n_samples=120)
        rival = {
            round(m.cost_, 9): m.support_
            for m in ForwardSelectionClassifier(hypergraph).path(X, y)
        }
        model = HypergraphCascadeClassifier(hypergraph, accounting="max")
        ours = list(model.path(X, y))
        assert len(ours) > 1
        for found in ours:
            acquired = found.acquired_features(X)
            assert (acquired == acquired[0]).all()
            support = rival[round(found.policy_.max, 9)]
            assert np.array_equal(acquired[0], support)
        stages = ours[0].members_[0].leaves[0].plan.costs
        assert sorted(rival) == pytest.approx(stages.tolist())


def test_f1_of_rare_positives_is_not_that_of_saying_no():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2400, 5))
    y = (X @ [2, 1, 1, 0, 0] + rng.standard_normal(2400) > 4.4).astype(int)
    assert y.mean() < 0.08
    model = HypergraphCascadeClassifier(
        budget=2.0, model="logistic", order="forward", stages=3
    ).fit(X[:1200], y[:1200])
    called = model.predict(X[1200:])
    assert 2 * (called & y[1200:]).sum() / (called.sum() + y[1200:].sum()) > 0.5


def test_a_model_of_the_path_is_what_its_budget_trains():
    X, y = table()
    estimator = HypergraphCascadeClassifier(PRICES, order="forward", stages=2)
    models = list(estimator.path(X, y))
    assert len(models) > 2
    for model in (models[0], models[len(models) // 2], models[-1]):
        afresh = clone(model).fit(X, y)
        assert np.array_equal(afresh.decision_function(X), model.decision_function(X))


def test_it_says_how_much_of_training_is_done_before_its_first_model():
    X, y = table()
    model = HypergraphCascadeClassifier(PRICES, stages=2, model="logistic")
    steps = list(model.iter_path(X, y))
    shares = [step for step in steps if isinstance(step, float)]
    assert shares == sorted(shares)
    assert (shares, len(shares) > 5) == (steps[: len(shares)], True)
    assert shares[-1] == 1.0
    assert len(steps) - len(shares) == len(list(model.path(X, y))) > 0


def test_classes_of_one_row_are_learned_from():
    X, y = table()
    lonely = np.where(np.arange(len(y)) == 3, 7, y)
    model = HypergraphCascadeClassifier(PRICES, order="forward", stages=2)
    model.fit(X, lonely)
    assert len(model.classes_) == 3


@each("model", ["logistic", "expanded", "boosted", GaussianNB()])
def test_a_saved_cascade_decides_as_it_did(model):
    X, y = table()
    data = Dataset("six", X, y, PRICES)
    split = split_dataset(data)
    cascade = HypergraphCascadeClassifier(
        PRICES, model=model, order="forward", stages=2, budget=6.0
    )
    cascade.fit(split.X("train"), split.y("train"))
    point = evaluate(cascade, split, name="hypergraph_cascade")
    trees = (
        "sklearn._loss._loss.CyHalfBinomialLoss",
        "sklearn._loss.link.Interval",
        "sklearn._loss.link.LogitLink",
        "sklearn._loss.loss.HalfBinomialLoss",
        "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    )
    saved = estimator_skops(point, data)
    loaded = load_estimator(saved, trusted=trees if model == "boosted" else ())
    right = loaded.predict(split.X("test")) == split.y("test")
    assert np.mean(right) == point.scores["test"]["accuracy"]


def test_a_budget_buys_the_best_policy_that_it_pays_for(fitted, sources):
    full = sources[0].hypergraph.total_cost
    for budget in np.linspace(0, full, 57):
        affordable = [p for p in fitted.policies_ if p.mean <= budget * (1 + 1e-9)]
        best = max(affordable, key=lambda policy: policy.score)
        assert fitted.at_budget(budget).policy_ is best


def test_another_budget_needs_no_training(fitted):
    assert fitted.at_budget(3.0).members_ is fitted.members_
    assert fitted.budget is None


def test_no_budget_is_no_cost(fitted, sources):
    X = sources[1].X("test")
    assert not fitted.at_budget(0.0).prediction_cost(X).any()


@every_variant
def test_rows_pay_the_components_of_the_stage_reached_once(name):
    X, _, model = trained(name)
    expected = [PRICES.cost(row) for row in model.acquired_features(X)]
    assert model.prediction_cost(X) == pytest.approx(expected)
    member = model.members_[model.policy_.member]
    for leaf, stage, cost in zip(
        model.leaves(X), model.exit_stages(X), expected, strict=True
    ):
        assert member.leaves[leaf].plan.costs[stage] == pytest.approx(cost)


@every_variant
def test_features_of_later_stages_cannot_change_a_prediction(name):
    X, _, model = trained(name)
    hidden = np.where(model.acquired_features(X), X, 1e6)
    assert np.array_equal(model.decision_function(hidden), model.decision_function(X))
    assert np.array_equal(model.exit_stages(hidden), model.exit_stages(X))


@every_variant
def test_rows_leave_where_the_intervals_say(name):
    X, _, model = trained(name)
    scores, leaves = model.stage_scores(X), model.leaves(X)
    stages = {(row.leaf, row.stage): row for row in model.stage_table()}
    for number, exit_stage in enumerate(model.exit_stages(X)):
        for stage in range(exit_stage + 1):
            at = stages[(leaves[number], stage)]
            goes_on = at.low < scores[number, stage] < at.high
            assert goes_on == (stage < exit_stage)


def test_exit_probabilities_are_probabilities():
    for n_classes in (2, 3):
        X, y = table(n_classes)
        model = HypergraphCascadeClassifier(
            PRICES, model="logistic", order="forward", stages=3
        ).fit(X, y)
        chances = model.at_budget(6.0).exit_probabilities(X)
        assert chances.shape == (len(X), n_classes)
        assert chances.min() >= 0
        assert chances.sum(axis=1) == pytest.approx(1.0)


def test_a_budget_below_zero_is_refused_at_the_look_up(fitted):
    with pytest.raises(KnobError, match="budget is -1"):
        fitted.at_budget(-1)
