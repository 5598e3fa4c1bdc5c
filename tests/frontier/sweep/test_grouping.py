"""Points of a sweep come back as the frontiers of its runs."""

import pytest

from solvers import (
    Frontier,
    ThriftscopeError,
    free_scores,
    split_dataset,
    trace_frontier,
)
from solvers.frontier.sweep import sweep, sweep_frontiers
from solvers.methods.l1 import L1Classifier
from tests.frontier.sweep.worlds import tiny

METHODS = {"a": L1Classifier(n_alphas=4), "b": L1Classifier(n_alphas=3, refit=False)}


@pytest.fixture(scope="module")
def points():
    return list(sweep(METHODS, tiny(), seeds=[2, 0], n_workers=1))


def test_each_run_is_its_own_frontier_by_seed(points):
    runs = sweep_frontiers(points)
    assert list(runs) == [("tiny", "a"), ("tiny", "b")]
    for frontier, seed in zip(runs["tiny", "a"], [0, 2], strict=True):
        alone = Frontier(trace_frontier(METHODS["a"], tiny(), random_state=seed))
        found = [point.cost["mean"] for point in frontier]
        assert found == [point.cost["mean"] for point in alone]


def test_relative_costs_are_shares_of_the_full_cost(points):
    absolute, relative = sweep_frontiers(points), sweep_frontiers(points, relative=True)
    full = tiny().hypergraph.total_cost
    for one, other in zip(absolute["tiny", "a"], relative["tiny", "a"], strict=True):
        for point, share in zip(one, other, strict=True):
            assert share.cost["max"] == pytest.approx(point.cost["max"] / full)
            spent = share.charged("mean", "validation") * full
            assert spent == pytest.approx(point.charged("mean", "validation"))


def test_methods_of_other_runs_are_refused(points):
    kept = [point for point in points if (point.method, point.seed) != ("b", 2)]
    with pytest.raises(ThriftscopeError, match="no points of b on tiny with seed 2"):
        sweep_frontiers(kept)


def test_each_run_knows_what_is_free_on_its_own_rows(points):
    for frontier, seed in zip(
        sweep_frontiers(points)["tiny", "b"], [0, 2], strict=True
    ):
        assert frontier.floor == free_scores(split_dataset(tiny(), seed))
