"""A row of weight two is a row written twice, in every floor and every check."""

import subprocess
import sys

import numpy as np
import pytest

from solvers.certify import (
    RidgeObjective,
    certified_frontier,
    check_certificate,
    near_optimal,
    write_certificate,
)
from solvers.errors import ThriftscopeError
from tests.certify.cases import Instance, random_instance
from tests.each import each

TOL = 1e-4


@pytest.fixture(scope="module")
def weighted():
    """An instance, its weights 0 to 3, and the same with its rows written so often."""
    case = random_instance(3, n=70)
    weights = np.random.default_rng(0).integers(0, 4, 70)
    rows = np.repeat(np.arange(70), weights)
    return case, weights, Instance(case.X[rows], case.y[rows], *_rest(case))


def _rest(case):
    return case.hypergraph, case.ridge


@pytest.fixture(scope="module")
def solved(weighted):
    case, weights, _ = weighted
    budget = 0.4 * case.hypergraph.total_cost
    return list(
        certified_frontier(
            *case.arguments,
            ridge=case.ridge,
            budgets=[budget],
            tol=TOL,
            sample_weight=2.5 * weights,
        )
    )


def test_floors_enclose_the_best_of_the_rows_written_out(weighted, solved):
    _, _, written = weighted
    least = written.best(solved[0].budget)
    for one in solved:
        assert one.lower <= least + 1e-6
        assert one.upper >= least - 1e-6
    assert solved[-1].proven
    assert solved[-1].upper - solved[-1].lower <= TOL * written.range + 1e-6


def test_the_checker_proves_the_floor_with_the_weights_and_no_more_without(
    weighted, solved, tmp_path
):
    case, weights, written = weighted
    certificate = solved[-1].certificate
    proven = check_certificate(certificate, *case.arguments, sample_weight=weights)
    assert certificate.lower - 1e-6 <= proven <= written.best(certificate.budget) + 1e-6
    with pytest.raises(ValueError, match="balance"):
        check_certificate(certificate, *case.arguments)
    path = tmp_path / "floor.json"
    checker = write_certificate(path, certificate, *case.arguments, weights)
    command = [sys.executable, "-I", str(checker), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "holds" in run.stdout


def test_objectives_and_near_optimal_sets_are_those_of_the_rows_written_out(weighted):
    case, weights, written = weighted
    objective = RidgeObjective(*case.arguments, ridge=case.ridge, sample_weight=weights)
    for features in [(), (0,), (1, 3, 5), tuple(range(7))]:
        assert objective(list(features)) == pytest.approx(
            written.objective(features), abs=1e-7
        )
    asked = {"ridge": case.ridge, "budget": 0.5 * case.hypergraph.total_cost}
    found = near_optimal(*case.arguments, **asked, within=0.1, sample_weight=weights)
    wanted = near_optimal(*written.arguments, **asked, within=0.1)
    assert found.complete
    assert {row.tobytes() for row in found.selections} == {
        row.tobytes() for row in wanted.selections
    }


@each(
    ("spoil", "named"),
    [
        (lambda w: w[1:], "one number for each of the 70 rows"),
        (lambda w: -w, "weights are 0 or more"),
        (lambda w: w * np.nan, "weights are 0 or more"),
        (lambda w: 0.0 * w, "give some row one above zero"),
        (lambda w: np.r_[1e300, w[1:]], "or next to nothing"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weighted, spoil, named):
    case, weights, _ = weighted
    with pytest.raises(ThriftscopeError, match=named):
        certified_frontier(
            *case.arguments, ridge=0.1, sample_weight=spoil(weights.astype(float))
        )
