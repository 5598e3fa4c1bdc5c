"""The hypergraph cascade: what it pays, what it says, and what a budget buys."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from explorer.export import estimator_skops, load_estimator
from solvers import Dataset, FeatureHypergraph, evaluate, split_dataset
from solvers.datasets import make_sources
from solvers.errors import DataError, KnobError
from solvers.methods.forward_selection import ForwardSelectionClassifier
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.methods.tables import random_problem

# Six features of three groups; the components of the first two share "base".
PRICES = FeatureHypergraph(
    [[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]],
    [4.0, 1.0, 2.0, 6.0],
    component_names=("base", "a", "b", "c"),
)
VARIANT = HypergraphCascadeClassifier(
    order="block", model="expanded", routing=1, objective="accuracy", stages=3
)


@parametrize_with_checks([VARIANT])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def table(n_classes=2, n_samples=240):
    return make_classification(
        n_samples,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        class_sep=1.0,
        random_state=1,
    )


@pytest.fixture(scope="module")
def sources():
    """Rows of 8 sources with 4 features each, half to learn from."""
    data = make_sources(8, 4, n_samples=4000)
    return data, split_dataset(data)


@pytest.fixture(scope="module")
def fitted(sources):
    data, split = sources
    model = HypergraphCascadeClassifier(data.hypergraph, model="logistic")
    return model.fit(split.X("train"), split.y("train"))


def f1(model, split, part="test"):
    called, truth = model.predict(split.X(part)) == 1, split.y(part) == 1
    return 2 * np.sum(called & truth) / (called.sum() + truth.sum())


# ----------------------------------------------------------------------------- budgets


def test_a_budget_buys_the_best_policy_that_it_pays_for(fitted, sources):
    full = sources[0].hypergraph.total_cost
    for budget in np.linspace(0, full, 57):
        affordable = [p for p in fitted.policies_ if p.mean <= budget * (1 + 1e-9)]
        best = max(affordable, key=lambda policy: policy.score)
        assert fitted.at_budget(budget).policy_ is best


def test_dearer_policies_are_better(fitted):
    assert all(np.diff([policy.mean for policy in fitted.policies_]) > 0)
    assert all(np.diff([policy.score for policy in fitted.policies_]) > 0)


def test_another_budget_needs_no_training(fitted):
    assert fitted.at_budget(3.0).members_ is fitted.members_
    assert fitted.budget is None


def test_new_rows_cost_about_what_was_foreseen(fitted, sources):
    full = sources[0].hypergraph.total_cost
    X = sources[1].X("test")
    for share in (0.1, 0.2, 0.4, 0.6):
        paid = fitted.at_budget(share * full).prediction_cost(X).mean()
        assert paid < share * full * 1.1


def test_no_budget_is_no_cost(fitted, sources):
    X = sources[1].X("test")
    assert not fitted.at_budget(0.0).prediction_cost(X).any()


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


# ------------------------------------------------------------------------------ charge


VARIANTS = {
    "both": {},
    "block": {"order": "block"},
    "expanded": {"model": "expanded"},
    "boosted": {"model": "boosted", "stages": 3, "order": "forward"},
    "bayes": {"model": GaussianNB(), "stages": 3},
    "routed": {"routing": 2},
    "p95": {"accounting": "p95"},
    "max": {"accounting": "max"},
}


@pytest.fixture(params=VARIANTS.items(), ids=VARIANTS, scope="module")
def variant(request):
    """Rows and a fitted cascade at a middling budget."""
    X, y = table()
    model = HypergraphCascadeClassifier(PRICES, **request.param[1]).fit(X, y)
    middle = model.policies_[len(model.policies_) // 2]
    return X, y, model.at_budget(middle.cost(model.accounting))


def test_rows_pay_the_components_of_the_stage_reached_once(variant):
    X, _, model = variant
    expected = [PRICES.cost(row) for row in model.acquired_features(X)]
    assert model.prediction_cost(X) == pytest.approx(expected)
    member = model.members_[model.policy_.member]
    for leaf, stage, cost in zip(
        model.leaves(X), model.exit_stages(X), expected, strict=True
    ):
        assert member.leaves[leaf].plan.costs[stage] == pytest.approx(cost)


def test_features_of_later_stages_cannot_change_a_prediction(variant):
    X, _, model = variant
    hidden = np.where(model.acquired_features(X), X, 1e6)
    assert np.array_equal(model.decision_function(hidden), model.decision_function(X))
    assert np.array_equal(model.exit_stages(hidden), model.exit_stages(X))


def test_one_row_goes_the_way_of_the_batch(variant):
    X, _, model = variant
    for row, label, cost in zip(
        X[:40], model.predict(X[:40]), model.prediction_cost(X[:40]), strict=True
    ):
        asked = []

        def extractor(name, row=row, asked=asked):
            asked.append(name)
            return row[int(name[1:])]

        journey = model.predict_one(extractor)
        assert journey.label == label
        assert journey.cost == pytest.approx(cost)
        assert len(set(asked)) == len(asked)
        assert PRICES.cost(asked) == pytest.approx(cost)


def test_policies_cost_what_their_training_rows_pay(variant):
    X, _, model = variant
    costs = model.prediction_cost(X)
    assert {round(c, 6) for c in costs} <= {
        round(c, 6)
        for leaf in model.members_[model.policy_.member].leaves
        for c in leaf.plan.costs
    }
    assert model.policy_.mean <= model.policy_.max + 1e-12
    assert model.policy_.p95 <= model.policy_.max


def test_rows_leave_where_the_intervals_say(variant):
    X, _, model = variant
    scores, leaves = model.stage_scores(X), model.leaves(X)
    stages = {(row.leaf, row.stage): row for row in model.stage_table()}
    for number, exit_stage in enumerate(model.exit_stages(X)):
        for stage in range(exit_stage + 1):
            at = stages[(leaves[number], stage)]
            goes_on = at.low < scores[number, stage] < at.high
            assert goes_on == (stage < exit_stage)


def test_the_same_seed_gives_the_same_cascade(variant):
    X, y, model = variant
    again = clone(model).fit(X, y)
    assert np.array_equal(again.decision_function(X), model.decision_function(X))


def test_a_stage_that_gives_no_number_is_refused(fitted):
    with pytest.raises(DataError, match="finite number"):
        fitted.predict_one(lambda name: np.nan)


# ----------------------------------------------------------------------- more classes


@pytest.mark.parametrize("objective", ["f1", "accuracy"])
def test_more_classes_than_two_are_told_apart(objective):
    X, y = table(n_classes=3, n_samples=600)
    model = HypergraphCascadeClassifier(
        PRICES, "both", None, "logistic", objective=objective
    )
    model.fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.6
    cheap = model.at_budget(6.0)
    assert cheap.prediction_cost(X[400:]).mean() < 7.0
    assert cheap.score(X[400:], y[400:]) > 0.45


def test_exit_probabilities_are_probabilities():
    for n_classes in (2, 3):
        X, y = table(n_classes)
        model = HypergraphCascadeClassifier(PRICES, model="logistic").fit(X, y)
        chances = model.at_budget(6.0).exit_probabilities(X)
        assert chances.shape == (len(X), n_classes)
        assert chances.min() >= 0
        assert chances.sum(axis=1) == pytest.approx(1.0)


# ----------------------------------------------------------------------- what is harder


def regions(n_samples=2400):
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
        name: HypergraphCascadeClassifier(model=name).fit(X, y).policies_[-1].score
        for name in ("logistic", "expanded")
    }
    assert scores["logistic"] < 0.75
    assert scores["expanded"] > 0.95


def test_under_max_it_buys_what_forward_selection_buys():
    for seed in range(4):
        X, y, hypergraph = random_problem(seed, n_features=6, n_samples=120)
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
    X = rng.standard_normal((3000, 5))
    y = (X @ [2, 1, 1, 0, 0] + rng.standard_normal(3000) > 4.4).astype(int)
    assert y.mean() < 0.08
    model = HypergraphCascadeClassifier(budget=2.0).fit(X[:1500], y[:1500])
    called = model.predict(X[1500:])
    assert 2 * (called & y[1500:]).sum() / (called.sum() + y[1500:].sum()) > 0.5


# ------------------------------------------------------------------- training and files


def test_progress_counts_to_its_end_and_only_then_is_the_model_fitted():
    X, y = table()
    model = HypergraphCascadeClassifier(PRICES)
    seen = []
    for progress in model.iter_fit(X, y):
        assert not hasattr(model, "policies_")
        seen.append(progress)
    assert [p.done for p in seen] == list(range(1, seen[0].total + 1))
    assert {p.doing for p in seen} >= {"stages", "windows", "prefixes"}
    assert model.policies_


def test_a_model_of_the_path_is_what_its_budget_trains():
    X, y = table()
    estimator = HypergraphCascadeClassifier(PRICES, order="forward", stages=4)
    models = list(estimator.path(X, y))
    assert len(models) > 2
    for model in models:
        afresh = clone(model).fit(X, y)
        assert np.array_equal(afresh.decision_function(X), model.decision_function(X))


def test_classes_of_one_row_are_learned_from():
    X, y = table()
    lonely = np.where(np.arange(len(y)) == 3, 7, y)
    model = HypergraphCascadeClassifier(PRICES, stages=3).fit(X, lonely)
    assert len(model.classes_) == 3


@pytest.mark.parametrize("model", ["logistic", "expanded", "boosted", GaussianNB()])
def test_a_saved_cascade_decides_as_it_did(model):
    X, y = table()
    data = Dataset("six", X, y, PRICES)
    split = split_dataset(data)
    cascade = HypergraphCascadeClassifier(PRICES, model=model, stages=3, budget=6.0)
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


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"order": "random"}, "order is 'random'"),
        ({"stages": 0}, "stages is 0"),
        ({"routing": 3}, "routing is 3"),
        ({"objective": "recall"}, "objective is 'recall'"),
        ({"budget": -1.0}, "budget is -1"),
        ({"model": "svm"}, "model is 'svm'"),
        ({"model": KNeighborsClassifier()}, "takes no sample_weight"),
        ({"model": GaussianNB}, 'use "auto", "logistic"'),
    ],
)
def test_what_makes_no_sense_is_refused_before_training(params, message):
    X, y = table()
    with pytest.raises(KnobError, match=message):
        HypergraphCascadeClassifier(PRICES, **params).path(X, y)


def test_a_budget_below_zero_is_refused_at_the_look_up(fitted):
    with pytest.raises(KnobError, match="budget is -1"):
        fitted.at_budget(-1)
