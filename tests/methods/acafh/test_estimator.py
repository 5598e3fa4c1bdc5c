"""ACAFH reaches the exact optima of small problems, and refuses what it cannot do."""

import numpy as np
import pytest

from solvers.datasets import make_signals
from solvers.datasets.splits import split_dataset
from solvers.errors import KnobError
from solvers.methods.acafh import ACAFHClassifier, ACAFHProblem, Lp
from solvers.methods.acafh.penalties import Mcp, Scad
from tests.each import each
from tests.methods.tables import (
    TINY,
    TINY_X,
    TINY_Y,
    brute_force,
    objective,
    random_problem,
)


def _problem(X, y, hypergraph, **options):
    signs = np.asarray(y, dtype=float)
    return ACAFHProblem(X, signs, np.ones(len(y)), hypergraph, **options)


@each(
    ("p", "alpha", "optimum", "weights", "intercept"),
    [
        (1 / 2, 0.005, 0.08096784, [8.582656, -3.765484, 0], 0.114617),
        (1 / 2, 0.02, 0.26922361, [5.335119, -2.075552, 0], 0.101166),
        (1 / 2, 0.05, 0.54819952, [2.351455, 0, 0], None),
        (1 / 2, 0.1, np.log(2), [0, 0, 0], 0.0),
        (2 / 3, 0.005, 0.11226967, [7.090412, -3.009268, 0], 0.112293),
        (2 / 3, 0.02, 0.33589087, [3.958402, -1.308494, 0], 0.082369),
        (2 / 3, 0.05, 0.58389315, [1.75534, 0, 0], None),
        (2 / 3, 0.1, np.log(2), [0, 0, 0], 0.0),
    ],
)
def test_enumerated_optima_are_reached(p, alpha, optimum, weights, intercept):
    model = ACAFHClassifier(TINY, alpha=alpha, p=p, refit=False).fit(TINY_X, TINY_Y)
    assert model.objective_ == pytest.approx(optimum, abs=2e-8)
    assert model.coef_[0] == pytest.approx(np.array(weights), abs=2e-3)
    if intercept is not None:
        assert model.intercept_[0] == pytest.approx(intercept, abs=1e-3)


@each(("seed", "p"), [(0, 0.5), (1, 0.8), (2, 0.5), (3, 0.8)])
def test_no_sign_pattern_is_better(seed, p):
    X, y, hypergraph = random_problem(seed, n_features=3)
    alphas = _problem(X, y, hypergraph).alphas(Lp(p), n_alphas=7, ratio=0.02)
    alpha = alphas[1 + seed % 5]
    found = ACAFHClassifier(hypergraph, alpha=alpha, p=p).fit(X, y).objective_
    assert found <= brute_force(X, y, hypergraph, alpha, p) + 1e-7


@pytest.mark.slow
def test_no_sign_pattern_of_five_features_is_better():
    X, y, hypergraph = random_problem(1, n_features=5)
    alpha = _problem(X, y, hypergraph).alphas(n_alphas=7, ratio=0.02)[3]
    found = ACAFHClassifier(hypergraph, alpha=alpha).fit(X, y).objective_
    assert found <= brute_force(X, y, hypergraph, alpha, 0.5, n_starts=3) + 1e-7


@each(
    ("options", "value"),
    [
        ({"p": 0.5}, np.sqrt),
        ({"p": 0.23}, lambda m: m**0.23),
        (
            {"penalty": "mcp", "gamma": 3.0},
            lambda m: np.where(m < 3, m - m**2 / 6, 1.5),
        ),
        ({"algorithm": "admm"}, np.sqrt),
    ],
)
def test_objective_is_what_its_definition_says(options, value):
    X, y, hypergraph = random_problem(3, n_features=8, n_samples=150)
    model = ACAFHClassifier(hypergraph, alpha=0.004, refit=False, **options).fit(X, y)
    expected = objective(
        X, y, hypergraph, model.coef_[0], model.intercept_[0], 0.004, value
    )
    assert model.support_.any()
    assert model.objective_ == pytest.approx(expected, abs=1e-10)


@each("shape", [Lp(0.5), Lp(0.9), Mcp(3.0), Scad(3.7)], ids=str)
def test_solution_is_stationary(shape):
    X, y, hypergraph = random_problem(1, n_features=12, n_samples=200)
    problem = _problem(X, y, hypergraph)
    alpha = problem.alphas(shape)[12]
    fit = problem.solve(alpha, shape).fit
    table = X / (np.ptp(X, axis=0) / 2)
    doubt = -y / (1 + np.exp(y * fit.odds)) / len(y)
    needs = hypergraph.incidence.toarray().astype(float)
    loads = needs @ np.abs(fit.weights)
    used = fit.weights != 0
    rise = shape.slope(loads[loads > 0])
    pull = alpha * needs[loads > 0].T @ (hypergraph.component_costs[loads > 0] * rise)
    residual = table.T @ doubt + pull * np.sign(fit.weights)
    assert used.any()
    assert np.abs(residual[used]).max() < 2e-6
    assert abs(doubt.sum()) < 2e-6


@each("decompose", [True, False])
def test_steps_never_climb(decompose):
    from solvers.methods.acafh.penalties import SharedPenalty
    from solvers.numerics.prox_newton import minimise

    X, y, hypergraph = random_problem(2, n_features=15, n_samples=200)
    problem = _problem(X, y, hypergraph, decompose=decompose)
    penalty = SharedPenalty(problem.alphas()[5], Lp(0.5), problem.sharing)
    dense = problem.starts.dense_fit
    start = problem.loss, penalty, dense.weights, dense.intercept
    seen = [minimise(*start, max_iter=n_steps).objective for n_steps in range(1, 20)]
    assert len(set(seen)) > 3
    assert np.diff(seen).max() <= 1e-12


@each("seed", range(2))
def test_decomposition_changes_nothing(seed):
    X, y, hypergraph = random_problem(seed, n_features=20, n_samples=150, density=0.06)
    whole, blocks = (
        [one.objective for one in _problem(X, y, hypergraph, decompose=way).path()]
        for way in (False, True)
    )
    assert np.abs(np.subtract(whole, blocks)).max() < 1e-8


def test_p_of_one_is_reweighted_l1():
    X, y, hypergraph = random_problem(4, n_features=15, n_samples=200)
    problem = _problem(X, y, hypergraph, tol=1e-9)
    alpha = 0.1 * problem.alphas(Lp(1.0))[0]
    from solvers.methods.reweighted_l1 import ReweightedL1Classifier

    model = ReweightedL1Classifier(hypergraph, alpha=alpha, tol=1e-9, refit=False)
    model.fit(X, y)
    solution = problem.solve(alpha, Lp(1.0))
    weights, _ = problem.loss.to_raw(solution.fit.weights, 0.0)
    assert 2 < model.support_.sum() < 15
    assert weights == pytest.approx(model.coef_[0], abs=1e-6)
    assert solution.objective == pytest.approx(model.objective_, abs=1e-9)


def test_objective_never_exceeds_the_null_model():
    X, y, hypergraph = random_problem(5, n_features=10, n_samples=80)
    rate = np.mean(y == 1)
    null = -rate * np.log(rate) - (1 - rate) * np.log(1 - rate)
    for solution in _problem(X, y, hypergraph).path(ratio=1e-2):
        assert solution.objective <= null + 1e-9


def test_least_objective_grows_and_bends_down_with_alpha():
    X, y, hypergraph = random_problem(6, n_features=5, n_samples=100)
    problem = _problem(X, y, hypergraph)
    alphas = np.linspace(*problem.alphas()[[-1, 0]], 25)
    least = np.array([problem.solve(alpha).objective for alpha in alphas])
    assert np.diff(least).min() >= -1e-7
    assert np.diff(least, 2).max() <= 1e-6


def test_no_penalty_is_maximum_likelihood():
    from sklearn.linear_model import LogisticRegression

    X, y, hypergraph = random_problem(7, n_features=6, n_samples=300)
    model = ACAFHClassifier(hypergraph, alpha=0.0, refit=False, tol=1e-9).fit(X, y)
    exact = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X, y)
    assert model.coef_[0] == pytest.approx(exact.coef_[0], rel=1e-4)


def test_large_alpha_gives_the_null_model():
    X, y, hypergraph = random_problem(8)
    model = ACAFHClassifier(hypergraph, alpha=1e3).fit(X, y)
    assert not model.support_.any()
    assert model.cost_ == 0


@each("penalty", ["lp", "mcp", "scad"])
def test_separable_constant_and_huge_columns_are_survived(penalty):
    rng = np.random.default_rng(0)
    useful = rng.standard_normal(60)
    X = np.column_stack(
        [
            useful * 1e300,
            np.zeros(60),
            np.full(60, -7.3),
            useful * 1e-300,
            rng.standard_normal(60),
            np.full(60, 1e308),
        ]
    )
    model = ACAFHClassifier(alpha=0.001, penalty=penalty).fit(X, useful > 0)
    assert model.support_.tolist()[1:4] == [False, False, False]
    assert not model.support_[5]
    assert np.isfinite(model.decision_function(X)).all()
    assert model.score(X, useful > 0) > 0.9


def test_more_features_than_rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 500))
    y = X[:, :3].sum(axis=1) > 0
    models = list(ACAFHClassifier(n_alphas=8, candidates="best").path(X, y))
    assert models[0].support_.sum() < models[-1].support_.sum() <= 60
    assert any(model.support_[:3].all() for model in models)


def test_published_algorithm_stays_above():
    X, y, hypergraph = random_problem(17, n_features=10, n_samples=200)
    published = ACAFHClassifier(hypergraph, alpha=0.005, algorithm="admm").fit(X, y)
    ours = ACAFHClassifier(hypergraph, alpha=0.005).fit(X, y)
    assert ours.objective_ <= published.objective_ + 1e-9
    assert published.n_iter_ >= 20


def test_too_few_steps_are_told():
    from sklearn.exceptions import ConvergenceWarning

    X, y, hypergraph = random_problem(18, n_features=10, n_samples=200)
    with pytest.warns(ConvergenceWarning, match=r"stopped after 1 steps, .*e-"):
        ACAFHClassifier(hypergraph, alpha=0.003, max_iter=1).fit(X, y)


def test_a_fit_is_never_above_the_point_of_the_path_at_its_alpha():
    X, y, hypergraph = random_problem(26, n_features=20, n_samples=150)
    for model in ACAFHClassifier(hypergraph, n_alphas=8, candidates="best").path(X, y):
        again = ACAFHClassifier(hypergraph, alpha=model.alpha).fit(X, y)
        assert again.objective_ <= model.objective_ + 1e-12


@each(
    ("params", "sentence"),
    [
        ({"alpha": -1}, "alpha is -1; Trade-off λ"),
        ({"alpha": float("nan")}, "alpha is nan"),
        ({"p": 0}, "p is 0; Quasi-norm p lies strictly between 0 and 1"),
        ({"penalty": "l0"}, "penalty is 'l0'; Penalty is one of 'lp', 'mcp', 'scad'"),
        ({"algorithm": "best"}, "algorithm is 'best'"),
        ({"gamma": 1}, "gamma is 1"),
        ({"refit": 1}, "refit is 1; Refit is True or False"),
        ({"max_iter": 0}, "max_iter is 0"),
    ],
)
def test_bad_parameters_are_refused_with_a_sentence(params, sentence):
    with pytest.raises(KnobError, match=sentence):
        ACAFHClassifier(TINY, **params).fit(TINY_X, TINY_Y)


def test_refit_is_maximum_likelihood_on_the_support():
    from sklearn.linear_model import LogisticRegression

    X, y, hypergraph = random_problem(22, n_features=10, n_samples=300)
    model = ACAFHClassifier(hypergraph, alpha=0.004).fit(X, y)
    shrunk = ACAFHClassifier(hypergraph, alpha=0.004, refit=False).fit(X, y)
    chosen = np.flatnonzero(model.support_)
    exact = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X[:, chosen], y)
    assert 0 < len(chosen) < 10
    assert model.coef_[0, chosen] == pytest.approx(exact.coef_[0], rel=1e-4)
    assert np.array_equal(shrunk.support_, model.support_)
    assert shrunk.objective_ == model.objective_
    assert np.abs(shrunk.coef_).sum() < np.abs(model.coef_).sum()


def test_single_precision_is_kept():
    X, y, hypergraph = random_problem(23, n_features=12, n_samples=200)
    signs, ones = y.astype(float), np.ones(len(y))
    single = ACAFHProblem(X.astype(np.float32), signs, ones, hypergraph)
    double = ACAFHProblem(X, signs, ones, hypergraph)
    assert single.loss.columns.dtype == np.float32
    alpha = double.alphas()[8]
    exact = double.solve(alpha).objective
    assert single.solve(alpha).objective == pytest.approx(exact, abs=1e-5)


def test_other_candidates_fill_gaps_between_costs():
    X, y, hypergraph = random_problem(24, n_features=30, n_samples=300, density=0.1)
    widest = {}
    for candidates in ("best", "all"):
        models = ACAFHClassifier(hypergraph, candidates=candidates, n_alphas=15).path(
            X, y
        )
        costs = sorted({model.cost_ for model in models})
        widest[candidates] = np.diff(costs).max() / hypergraph.total_cost
    assert widest["all"] < widest["best"]


def test_path_yields_the_best_of_each_alpha_first():
    X, y, hypergraph = random_problem(25, n_features=12, n_samples=200)
    paths = {
        candidates: list(
            ACAFHClassifier(hypergraph, candidates=candidates, n_alphas=12).path(X, y)
        )
        for candidates in ("best", "all")
    }
    best = [model.alpha for model in paths["best"]]
    assert best == sorted(best, reverse=True)
    assert [model.alpha for model in paths["all"][: len(best)]] == best
    assert all(model.budget is None for model in paths["best"])
    assert all(model.cost_ <= model.budget for model in paths["all"][len(best) :])


def test_a_weight_on_its_way_to_zero_arrives(recwarn):
    """Shortened steps halve it: once, 500 of them left 1e-91 and its pull."""
    data = make_signals()
    rows = split_dataset(data).rows["train"]
    prepared = ACAFHClassifier(data.hypergraph).prepare(data.X[rows], data.y[rows])
    for alpha in (1.122018454301963e-4, 1.1885022274370189e-4):
        model = prepared.at(alpha=alpha)
        weights = np.abs(model.coef_[model.coef_ != 0])
        assert model.n_iter_ < 500
        assert weights.min() > 1e-12
    assert not [str(warned.message) for warned in recwarn]
