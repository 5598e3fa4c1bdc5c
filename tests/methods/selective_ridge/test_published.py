"""The published algorithm: where it fails, where it is right, and that it says so."""

import numpy as np
import pytest

from solvers.methods.selective_ridge import maximum_selectivity, selective_ridge_stream
from solvers.methods.selective_ridge.interior import Subproblem, interior_point
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.proximal import descend
from tests.methods.selective_ridge_cases import LOSSES, random_case

every_loss = pytest.mark.parametrize("loss", LOSSES)


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
@pytest.mark.parametrize("seed", range(4))
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
