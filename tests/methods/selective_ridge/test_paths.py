"""Paths, streams, the largest selectivity, and the algorithm as published."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.base import clone

from solvers.datasets.makers.evoked import make_evoked
from solvers.errors import DataError, KnobError
from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    maximum_selectivity,
    selective_ridge_path,
    selective_ridge_stream,
    working_set,
)
from solvers.methods.selective_ridge.interior import Subproblem, interior_point
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.proximal import descend, proximal_newton
from tests.each import each
from tests.methods.selective_ridge_cases import LOSSES, random_case

every_loss = each("loss", LOSSES)


@every_loss
def test_every_point_of_a_path_is_certified(evoked, loss):
    fits = list(selective_ridge_path(evoked.X, evoked.y, loss=loss, n_points=4))
    assert len(fits) == 4
    assert max(fit.relative_gap for fit in fits) <= 1e-6
    assert min(fit.relative_gap for fit in fits) >= -1e-12


@every_loss
def test_a_path_begins_empty_and_ends_at_the_share_asked_for(evoked, loss):
    fits = list(
        selective_ridge_path(
            evoked.X, evoked.y, loss=loss, n_points=3, smallest=1e-3, gamma=2.0
        )
    )
    largest = maximum_selectivity(evoked.X, evoked.y, 2.0, loss)
    assert not fits[0].support.any()
    assert fits[0].mu == pytest.approx(largest)
    assert fits[-1].mu == pytest.approx(1e-3 * largest)
    assert fits[-1].support.sum() > fits[1].support.sum() > 0


@every_loss
def test_a_path_finds_what_a_fit_from_nothing_finds(evoked, loss):
    for fit in selective_ridge_path(evoked.X, evoked.y, loss=loss, n_points=3):
        *_, cold = selective_ridge_stream(evoked.X, evoked.y, loss=loss, mu=fit.mu)
        assert fit.objective == pytest.approx(cold.objective, rel=2e-6)


@each(("seed", "standardise", "place"), [(2, True, 12), (3, False, 19)])
def test_a_coefficient_about_to_be_zero_is_zero_wherever_a_fit_comes_from(
    seed, standardise, place
):
    table = make_evoked(n_samples=80, n_channels=20, n_times=50, random_state=seed)
    pattern = SelectiveRidgeClassifier(loss="logistic", standardise=standardise)
    path = pattern.path(table.X, table.y)
    warm = next(itertools.islice(path, place, None))
    cold = clone(warm).fit(table.X, table.y)
    assert warm.support_.tolist() == cold.support_.tolist()
    largest = np.abs(cold.coef_).max()
    assert np.abs(warm.coef_ - cold.coef_).max() <= 1e-4 * largest


@every_loss
@each("seed", range(2))
def test_looking_at_some_features_first_changes_nothing(loss, seed, monkeypatch):
    case = random_case(seed, loss)
    problem = RidgeProblem.of(
        case.X, case.y, np.ones(len(case.y)), case.feature_weights, case.gamma, loss
    )
    *_, whole = working_set.Solver(problem).refine(case.mu, 1e-7)
    monkeypatch.setattr(working_set, "WORK_NEAR", 0)
    monkeypatch.setattr(working_set, "WORK_FAR", 0)
    monkeypatch.setattr(working_set, "KEPT_PER_ROW", 0.2)
    *_, parts = working_set.Solver(problem).refine(case.mu, 1e-7)
    assert parts.objective == pytest.approx(whole.objective, rel=1e-6)


@every_loss
def test_selectivity_may_jump_up_and_down(evoked, loss):
    ones = np.ones(evoked.n_features)
    problem = RidgeProblem.of(
        evoked.X, evoked.y.astype(float), ones[: len(evoked.y)], ones, 1.0, loss
    )
    solver = working_set.Solver(problem)
    largest = maximum_selectivity(evoked.X, evoked.y, 1.0, loss)
    for share in (0.01, 0.0, 0.5, 1e-6, 2.0, 0.11):
        *_, fit = solver.refine(share * largest, 1e-6)
        assert fit.relative_gap <= 1e-6


def test_input_of_a_path_is_checked_before_its_first_fit():
    X, y = np.eye(3), [1, 0, 1]
    with pytest.raises(KnobError, match="gamma is 0; Ridge γ lies above 0"):
        selective_ridge_path(X, y, gamma=0)
    with pytest.raises(KnobError, match="n_points is 0; Points lies at 1 or above"):
        selective_ridge_path(X, y, n_points=0)
    with pytest.raises(KnobError, match="smallest is 2; Smallest share lies"):
        selective_ridge_path(X, y, smallest=2)
    with pytest.raises(DataError, match="labels are of 3 classes; the loss needs two"):
        selective_ridge_path(X, [0, 1, 2])


@every_loss
def test_a_stream_starts_coarse_and_ends_fine(evoked, loss):
    mu = 0.05 * maximum_selectivity(evoked.X, evoked.y, 1.0, loss)
    gaps = [
        fit.relative_gap
        for fit in selective_ridge_stream(evoked.X, evoked.y, mu=mu, loss=loss)
    ]
    assert any(1e-6 < gap <= 1e-3 for gap in gaps)
    assert gaps[-1] <= 1e-6


@every_loss
def test_every_iteration_can_be_watched(evoked, loss):
    mu = 0.05 * maximum_selectivity(evoked.X, evoked.y, 1.0, loss)
    fits = list(
        selective_ridge_stream(
            evoked.X, evoked.y, mu=mu, loss=loss, every_iteration=True
        )
    )
    assert [fit.iterations for fit in fits] == list(range(1, len(fits) + 1))
    assert fits[-1].relative_gap <= 1e-6 < fits[0].relative_gap


def test_input_of_a_stream_is_checked_before_its_first_fit():
    X, y = np.eye(3), [1, 0, 1]
    with pytest.raises(KnobError, match="mu is -1; Selectivity μ lies at 0 or above"):
        selective_ridge_stream(X, y, mu=-1)
    with pytest.raises(KnobError, match="algorithm is 'fast'; Algorithm is one of"):
        selective_ridge_stream(X, y, algorithm="fast")
    with pytest.raises(KnobError, match="loss is 'cubic'; Loss is one of"):
        selective_ridge_stream(X, y, loss="cubic")
    with pytest.raises(KnobError, match="tol is 0; Tolerance lies strictly between"):
        selective_ridge_stream(X, y, tol=0)
    with pytest.raises(DataError, match="There are 3 rows, but 2 targets"):
        selective_ridge_stream(X, [0, 1])
    with pytest.raises(DataError, match="The targets hold 'a'; the squared loss needs"):
        selective_ridge_stream(X, ["a", "b", "c"], loss="squared")


@each("seed", range(3))
def test_largest_selectivity_of_the_hinge_is_the_linear_program_s(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((20, 30)), np.where(rng.random(20) < 0.7, 1.0, -1.0)
    y[:2] = 1, -1
    least = min((y > 0).sum(), (y < 0).sum())
    scores = X.T * y / 2.0
    found = linprog(
        np.append(np.zeros(20), 1.0),
        A_ub=np.block([[scores, -np.ones((30, 1))], [-scores, -np.ones((30, 1))]]),
        b_ub=np.zeros(60),
        A_eq=[np.append(y, 0.0), np.append(np.ones(20), 0.0)],
        b_eq=[0.0, 2.0 * least],
        bounds=[(0, 1)] * 20 + [(0, None)],
    )
    assert maximum_selectivity(X, y, 1.0, "hinge") == pytest.approx(found.fun, rel=1e-7)


def test_the_published_largest_selectivity_of_the_hinge_is_too_large():
    """Eq. (40) with the uniform solution of eq. (39), 16 rows against 14."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 12)), np.repeat([1.0, -1.0], [16, 14])
    uniform = 0.5 * y * np.where(y > 0, 14 / 16, 1.0)
    published = np.abs(X.T @ uniform).max()
    assert maximum_selectivity(X, y, 1.0, "hinge") < 0.95 * published


@every_loss
def test_a_free_feature_stays_beyond_the_largest_selectivity(loss):
    case = random_case(1, loss)
    weights = np.ones(case.X.shape[1])
    weights[0] = 0.0
    options = {"gamma": 1.0, "loss": loss, "feature_weights": weights}
    largest = maximum_selectivity(case.X, case.y, **options)
    *_, at = selective_ridge_stream(
        case.X, case.y, mu=1.0001 * largest, tol=1e-9, **options
    )
    *_, below = selective_ridge_stream(
        case.X, case.y, mu=0.99 * largest, tol=1e-10, **options
    )
    assert not at.support[1:].any()
    assert below.support[1:].any()


def test_a_dearer_feature_needs_less_selectivity_to_go():
    X, y = np.eye(2)[[0, 1, 0, 1]] * [[1], [1], [-1], [-1]], [1.0, 1.0, -1.0, -1.0]
    both = selective_ridge_stream(
        X, y, mu=0.9, loss="squared", feature_weights=[1.0, 3.0]
    )
    *_, fit = both
    assert fit.states.tolist() == ["boundary", "zero"]


@each("seed", range(2))
def test_proximal_newton_alone_is_right(seed):
    case = random_case(seed, "logistic")
    problem = RidgeProblem.of(
        case.X,
        case.y,
        np.ones(len(case.y)),
        case.feature_weights,
        case.gamma,
        "logistic",
    )
    limits = case.mu * case.feature_weights
    sub = Subproblem(problem, case.X, limits, None, 0.0)
    assert min(point.relative_gap for point in proximal_newton(sub)) <= 1e-6


def test_the_published_algorithm_fails_on_two_rows():
    """The notes' counterexample: it says 0, the optimum is .55."""
    fits = list(
        selective_ridge_stream(
            [[1.0], [-1.0]],
            [1.0, -1.0],
            mu=0.9,
            loss="squared",
            algorithm="published",
        )
    )
    assert fits[-1].coef.tolist() == [0.0]
    assert fits[-1].objective == pytest.approx(2.0)
    assert fits[-1].relative_gap > 0.3


@every_loss
@each("seed", range(4))
def test_the_published_algorithm_is_right_without_a_boundary(loss, seed):
    case = random_case(seed, loss)
    options = {"gamma": case.gamma, "loss": loss, "mu": 0.0}
    *_, published = selective_ridge_stream(
        case.X, case.y, algorithm="published", **options
    )
    assert published.relative_gap <= 1e-5


@every_loss
def test_the_published_algorithm_reports_the_gap_that_it_leaves(evoked, loss):
    mu = 0.02 * maximum_selectivity(evoked.X, evoked.y, 1.0, loss)
    options = {"mu": mu, "loss": loss}
    *_, published = selective_ridge_stream(
        evoked.X, evoked.y, algorithm="published", **options
    )
    *_, ours = selective_ridge_stream(evoked.X, evoked.y, **options)
    assert published.objective - ours.objective <= published.duality_gap * (1 + 1e-6)
    assert published.relative_gap > 1e-5 > ours.relative_gap


def test_a_stall_shows_in_the_gap_and_is_overcome():
    """Logistic loss and next to no penalty: the interior point makes short steps."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((30, 20))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(30) > 0, 1.0, -1.0)
    problem = RidgeProblem.of(X, y, np.ones(30), np.ones(20), 1e-8, "logistic")
    sub = Subproblem(problem, X, np.zeros(20), None, 0.0)
    start = problem.loss.empty_dual(y, problem.capacity)
    best = min(descend(sub, start), key=lambda point: point.relative_gap)
    assert best.relative_gap <= 1e-6
    for point in interior_point(sub, start):
        assert point.gap >= (point.primal - best.primal) - 1e-6 * best.primal


def _table(loss, seed=0, n_features=8):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, n_features)) * rng.uniform(0.2, 5.0, n_features)
    y = X[:, 0] + rng.standard_normal(40)
    return X, y if loss == "squared" else np.where(y > 0.4, 1.0, -1.0)


def _support(X, y, mu, loss, **options):
    *_, fit = selective_ridge_stream(X, y, mu=mu, loss=loss, tol=1e-9, **options)
    return fit.support


@every_loss
@each("gamma", [0.1, 10.0])
def test_just_below_a_feature_enters_and_just_above_none_does(loss, gamma):
    X, y = _table(loss)
    largest = maximum_selectivity(X, y, gamma, loss)
    assert not _support(X, y, 1.001 * largest, loss, gamma=gamma).any()
    assert _support(X, y, 0.99 * largest, loss, gamma=gamma).any()


def test_of_the_squared_loss_it_is_the_largest_covariance():
    X, y = _table("squared")
    gamma = 3.0
    wanted = np.abs((y - y.mean()) @ X).max() / gamma
    found = maximum_selectivity(X, y, gamma, "squared")
    assert found == pytest.approx(wanted)


def test_of_the_logistic_loss_it_is_the_steepest_slope_of_the_prior():
    X, y = _table("logistic")
    gamma = 3.0
    doubt = (y > 0) - (y > 0).mean()
    wanted = np.abs(doubt @ X).max() / (2 * gamma)
    assert maximum_selectivity(X, y, gamma, "logistic") == pytest.approx(wanted)


@every_loss
def test_selectivity_and_weights_of_features_trade(loss):
    X, y = _table(loss)
    weights = np.linspace(0.5, 2.0, X.shape[1])
    one = maximum_selectivity(X, y, 1.0, loss, feature_weights=weights)
    other = maximum_selectivity(X, y, 1.0, loss, feature_weights=4 * weights)
    assert other == pytest.approx(one / 4, rel=1e-6)


@every_loss
def test_a_weight_of_two_is_a_row_written_twice(loss):
    X, y = _table(loss)
    weights = np.where(np.arange(40) % 3 == 0, 2, 1)
    twice = np.repeat(np.arange(40), weights)
    weighed = maximum_selectivity(X, y, 1.0, loss, sample_weight=weights)
    written = maximum_selectivity(X[twice], y[twice], 1.0, loss)
    assert weighed == pytest.approx(written, rel=1e-6)


@every_loss
def test_in_units_of_its_spread_a_column_s_unit_does_not_count(loss):
    X, y = _table(loss)
    one = maximum_selectivity(X, y, 1.0, loss, standardise=True)
    units = 10.0 ** np.arange(-4, 4)
    other = maximum_selectivity(X * units + 7, y, 1.0, loss, standardise=True)
    assert other == pytest.approx(one, rel=1e-6)


def test_a_table_without_a_telling_column_has_none():
    X = np.ones((6, 2))
    y = np.tile([-1.0, 1.0], 3)
    for loss in LOSSES:
        assert maximum_selectivity(X, y, 1.0, loss) == pytest.approx(0.0, abs=1e-12)


def test_a_loss_that_does_not_exist_is_refused():
    with pytest.raises(KnobError, match="huber"):
        maximum_selectivity(*_table("squared"), 1.0, "huber")
