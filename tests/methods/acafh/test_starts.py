"""Starts of descents: what they are, and that earlier questions do not change them."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers import FeatureHypergraph, split_dataset
from solvers.datasets import make_motions
from solvers.methods.acafh import ACAFHClassifier
from solvers.methods.acafh.penalties import Lp, Scad, SharedPenalty, Sharing
from solvers.methods.acafh.starts import Pool, Starts, elimination_order
from solvers.numerics.curvature import HessianCache
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import LinearFit
from tests.each import each
from tests.methods.tables import random_problem

ROOT = Lp(0.5)


def _starts(seed=0, n_free=0, n_features=6):
    X, y, hypergraph = random_problem(seed, n_features=n_features, n_samples=150)
    if n_free:
        costs = np.where(np.arange(n_features) < n_free, 0.0, 1.0)
        hypergraph = FeatureHypergraph.independent(costs)
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    return X, y, Starts(loss, Sharing(hypergraph), 1e-6, 500)


def _found(starts, alpha, shape=ROOT):
    penalty = SharedPenalty(alpha, shape, starts.sharing)
    return starts.of(penalty, starts.hessians_near(penalty))


def test_the_dense_fit_is_that_of_scikit_learn_without_a_penalty():
    X, y, starts = _starts()
    plain = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X, y)
    dense = starts.dense_fit
    assert dense.loss == pytest.approx(
        np.logaddexp(0, -y * plain.decision_function(X)).mean(), abs=1e-4
    )


def test_the_null_fit_uses_features_that_cost_nothing_alone():
    _, _, starts = _starts(n_free=2)
    assert np.flatnonzero(starts.null_fit.weights).tolist() == [0, 1]
    assert not _starts()[2].null_fit.weights.any()


def test_every_kind_of_start_is_there_and_the_null_model_first():
    _, _, starts = _starts()
    kinds = [kind for kind, _, _ in _found(starts, 0.01)]
    assert kinds[0] == "null"
    assert {"dense", "l1", "elimination", "ladder"} <= set(kinds)


@each("shape", [Lp(0.5), Scad(3.0)], ids=str)
def test_what_was_asked_before_changes_no_start(shape):
    fresh = _found(_starts()[2], 0.01, shape)
    _, _, asked = _starts()
    for alpha in (0.3, 0.001, 0.05):
        _found(asked, alpha, Lp(0.7))
        _found(asked, alpha, shape)
    again = _found(asked, 0.01, shape)
    assert [kind for kind, *_ in again] == [kind for kind, *_ in fresh]
    for (_, one, _), (_, other, _) in zip(again, fresh, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


@each("share", [0.0, 0.2, 0.5, 1.0])
def test_selections_within_a_budget_cost_no_more(share):
    _, _, starts = _starts()
    budget = share * starts.sharing.costs.sum()
    found = starts.within(budget, Lp(0.5))
    assert all(starts.sharing.cost(support) <= budget for support in found)
    if share == 1.0:
        assert any(support.sum() >= 3 for support in found)


def test_from_the_null_alpha_on_no_eliminated_fit_beats_the_null_model():
    _, _, starts = _starts()
    shape = Lp(0.5)
    alpha = starts.null_alpha(shape)
    penalty = SharedPenalty(alpha * (1 + 1e-9), shape, starts.sharing)
    for weights, intercept in starts.pool.best(penalty, 50):
        used = np.flatnonzero(weights)
        loss = starts.loss.value(starts.loss.odds(used, weights[used], intercept))
        assert loss + penalty.value(np.abs(weights)) >= starts.null_fit.loss - 1e-9


def test_a_descent_ends_below_its_start_and_counts_its_steps():
    _, _, starts = _starts()
    penalty = SharedPenalty(0.01, Lp(0.5), starts.sharing)
    dense, before = starts.dense_fit, starts.n_iter
    cache = HessianCache(starts.loss)
    fit = starts.descend(penalty, dense.weights, dense.intercept, 1e-6, cache)
    assert fit.objective <= dense.loss + penalty.value(np.abs(dense.weights))
    assert starts.n_iter == before + fit.n_iter > before


def test_more_features_than_rows_start_from_those_that_l1_leaves():
    X, y, hypergraph = random_problem(1, n_features=60, n_samples=40)
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    starts = Starts(loss, Sharing(hypergraph), 1e-6, 500)
    kept = starts.dense_fit.weights != 0
    assert 0 < kept.sum() < 60
    assert [kind for kind, *_ in _found(starts, 0.01)].count("ladder") == 0


SHARING = Sharing(FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [2.0, 1.0]))
FITS = [
    ([0.0, 0.0, 0.0], 0.69),
    ([1.0, 0.0, 0.0], 0.50),
    ([1.0, 0.5, 0.0], 0.45),
    ([0.0, 0.0, 2.0], 0.55),
    ([1.0, 0.5, 1.0], 0.30),
]


def _fit(weights, loss):
    return LinearFit(np.array(weights), 0.1, loss, 0.0, 1, 0.0, np.zeros(0))


@pytest.fixture
def pool():
    filled = Pool(SHARING)
    for weights, loss in FITS:
        filled.add(_fit(weights, loss))
    return filled


@each("alpha", [0.0, 0.03, 0.1, 1.0])
def test_the_best_are_those_of_least_objective(pool, alpha):
    penalty = SharedPenalty(alpha, Lp(0.5), SHARING)
    totals = [loss + penalty.value(np.array(weights)) for weights, loss in FITS]
    wanted = [FITS[i][0] for i in np.argsort(totals)[:3]]
    found = [weights.tolist() for weights, _ in pool.best(penalty, 3)]
    assert found == wanted


def test_of_multiples_of_one_decision_the_best_alone_is_given():
    pool = Pool(SHARING)
    losses = {1.0: 0.4, 0.5: 0.41, 0.1: 0.6}
    pool.add_scaled(np.array([0]), np.array([4.0]), 0.2, losses)
    penalty = SharedPenalty(0.05, Lp(0.5), SHARING)
    ((weights, intercept),) = pool.best(penalty, 5)
    assert weights.tolist() == [2.0, 0.0, 0.0]
    assert intercept == pytest.approx(0.1)


@each(
    ("budget", "chosen"),
    [(0.5, []), (1.0, [2]), (2.5, [0, 1]), (3.0, [0, 1, 2])],
)
def test_within_a_budget_the_least_loss_is_chosen(pool, budget, chosen):
    assert np.flatnonzero(pool.within(budget)).tolist() == chosen


def test_at_the_break_even_the_best_fit_is_worth_the_null_model(pool):
    alpha = pool.break_even(Lp(0.5), 0.69)
    penalty = SharedPenalty(alpha, Lp(0.5), SHARING)
    totals = [loss + penalty.value(np.array(weights)) for weights, loss in FITS]
    assert min(totals) == pytest.approx(0.69)


def test_a_pool_that_is_empty_gives_nothing():
    pool = Pool(SHARING)
    penalty = SharedPenalty(0.1, Lp(0.5), SHARING)
    assert pool.best(penalty, 3) == []
    assert pool.within(9.0) is None
    assert pool.break_even(Lp(0.5), 0.69) == 0.0


def test_a_fit_like_one_that_is_there_is_not_kept_again(pool):
    penalty = SharedPenalty(0.0, Lp(0.5), SHARING)
    pool.add(_fit([1.0, 0.5, 1.0], 0.30))
    pool.add(_fit([9.0, 0.5, 1.0], 0.30 + 1e-9))
    assert pool.best(penalty, 1)[0][0].tolist() == [1.0, 0.5, 1.0]


def _model(seed, k=5):
    """A Hessian of k features and an intercept, and the weights of its minimum."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.standard_normal((60, k)), np.ones(60)])
    return table.T @ table / 60, rng.standard_normal(k + 1)


def _restricted(matrix, weights, kept):
    """Weights of the least quadratic around a minimum where some must be 0."""
    free = np.append(kept, len(matrix) - 1)
    found = np.zeros(len(weights))
    right = (matrix @ weights)[free]
    found[free] = np.linalg.solve(matrix[np.ix_(free, free)], right)
    return found


def _harm(matrix, weights, other):
    return 0.5 * (other - weights) @ matrix @ (other - weights)


@each("seed", range(4))
def test_weights_after_each_drop_are_the_best_of_those_that_are_left(seed):
    matrix, weights = _model(seed)
    sharing = Sharing(FeatureHypergraph.independent(np.ones(5)))
    order, steps = elimination_order(matrix, weights, np.arange(5), sharing)
    assert sorted(order.tolist()) == list(range(5))
    for t in range(6):
        kept = np.setdiff1d(np.arange(5), order[:t])
        wanted = _restricted(matrix, weights, kept)
        assert steps[t] == pytest.approx(wanted, abs=1e-6)


@each("seed", range(4))
def test_of_equal_prices_the_next_drop_is_the_least_harmful(seed):
    matrix, weights = _model(seed)
    sharing = Sharing(FeatureHypergraph.independent(np.ones(5)))
    order, steps = elimination_order(matrix, weights, np.arange(5), sharing)
    for t in range(4):
        kept = np.setdiff1d(np.arange(5), order[:t])
        here = _harm(matrix, weights, steps[t])
        harms = {
            j: _harm(
                matrix, weights, _restricted(matrix, weights, np.setdiff1d(kept, j))
            )
            - here
            for j in kept
        }
        assert min(harms, key=harms.get) == order[t]


def test_a_feature_that_saves_more_goes_before_an_equal_one():
    matrix, weights = np.eye(4), np.array([1.0, 1.0, 1.0, 0.0])
    sharing = Sharing(FeatureHypergraph.independent([1.0, 9.0, 3.0]))
    order, _ = elimination_order(matrix, weights, np.arange(3), sharing)
    assert order.tolist() == [1, 2, 0]


def test_users_of_a_component_share_what_dropping_them_saves_until_one_is_left():
    # Harm over saving: 1 / 2, 1.44 / 2 and 1.8 / 3; once the first is gone the second
    # saves all of the 4, which is 0.36, and goes before the third.
    hypergraph = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [4.0, 3.0])
    matrix, weights = np.eye(4), np.array([1.0, 1.2, np.sqrt(1.8), 0.0])
    order, _ = elimination_order(matrix, weights, np.arange(3), Sharing(hypergraph))
    assert order.tolist() == [0, 1, 2]


def test_columns_that_nearly_repeat_others_do_not_break_the_order():
    """TSFEL's 123 columns on 160 rows: rounding takes C_jj below nothing."""
    data = make_motions()
    part = split_dataset(data)
    model = ACAFHClassifier(data.hypergraph, budget=1000.0)
    model.fit(part.X("train"), part.y("train"))  # a warning is an error
    assert data.hypergraph.cost(model.support_) <= 1000
