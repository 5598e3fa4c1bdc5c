"""Time against features: who is timed solves the problem, who is slow is skipped."""

import numpy as np
import pytest

from solvers.datasets.makers.evoked import make_evoked
from solvers.errors import KnobError
from solvers.methods.selective_ridge import (
    maximum_selectivity,
    selective_ridge_stream,
)
from solvers.methods.selective_ridge.chronometry import (
    CONTENDERS,
    growing_sizes,
    time_against_features,
)
from solvers.methods.selective_ridge.interior import Subproblem
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.proximal import descend
from tests.each import each
from tests.methods.selective_ridge_cases import LOSSES

pytestmark = pytest.mark.filterwarnings(
    # That the nearest model of scikit-learn needs more steps is no reason to stop.
    "ignore::sklearn.exceptions.ConvergenceWarning"
)
every_loss = each("loss", LOSSES)


@pytest.fixture(scope="module")
def table():
    data = make_evoked(40, 4, 20)
    return data.X, data.y.astype(float)


def timed(table, loss, **options):
    X, y = table
    mu = 0.1 * maximum_selectivity(X, y, 1.0, loss)
    options = {"gamma": 1.0, "mu": mu, "sizes": [20, 80], **options}
    return list(time_against_features(X, y, loss=loss, **options))


@every_loss
def test_every_contender_is_timed_at_every_size(table, loss):
    found = [(row.n_features, row.contender) for row in timed(table, loss)]
    assert found == [(size, name) for size in (20, 80) for name in CONTENDERS]


@every_loss
def test_dual_and_primal_are_timed_to_the_same_gap(table, loss):
    for row in timed(table, loss):
        if row.contender != "scikit":
            assert row.relative_gap <= 1e-6


@every_loss
def test_the_primal_solves_the_same_problem(table, loss):
    X, y = table
    mu = 0.1 * maximum_selectivity(X, y, 1.0, loss)
    ones = np.ones(X.shape[1])
    problem = RidgeProblem.of(X, y, np.ones(len(y)), ones, 1.0, loss)
    sub = Subproblem(problem, X, mu * ones, None, 0.0, is_primal=True)
    assert sub.is_across_features
    dual = problem.loss.empty_dual(y, problem.capacity)
    points = list(descend(sub, dual))
    best = min(points, key=lambda point: point.primal)
    *_, fit = selective_ridge_stream(X, y, mu=mu, loss=loss, tol=1e-8)
    assert 2.0 * best.primal == pytest.approx(fit.objective, rel=1e-6)


def test_who_is_over_the_limit_is_skipped_with_the_reason(table):
    found = timed(table, "squared", limit=0.0)
    assert all(row.seconds is not None for row in found[:3])
    for row in found[3:]:
        assert row.seconds is None
        assert row.note == "skipped: over 0 s at 20 features"


def test_sizes_double_up_to_all_features():
    assert growing_sizes(6600) == [103, 206, 412, 825, 1650, 3300, 6600]
    assert growing_sizes(30) == [30]


@each("sizes", [[], [0, 10], [81]])
def test_sizes_that_do_not_fit_are_refused_before_the_first_run(table, sizes):
    X, y = table
    with pytest.raises(KnobError, match="take numbers of columns from 1 to 80"):
        time_against_features(X, y, gamma=1.0, mu=1.0, loss="hinge", sizes=sizes)
