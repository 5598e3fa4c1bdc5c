"""Known answers: references are those printed, and verdicts follow from two errors."""

import numpy as np
import pytest

from benchmarks.known_answers.answers import Answer, f1, resampled_error
from benchmarks.known_answers.cube import PRINTED, exact_accuracy
from benchmarks.known_answers.eca import tables
from benchmarks.known_answers.heart import BUDGET, candidates, tree_calls
from solvers.datasets import make_cube, make_heart
from tests.each import each


def answer(ours, error):
    return Answer("p", "who", "f1", "5", 0.5, ours, "m", error, "10 seeds")


@each(
    ("ours", "error", "verdict"),
    [(0.6, 0.04, "ahead"), (0.4, 0.04, "behind"), (0.57, 0.04, "within noise")],
)
def test_two_standard_errors_decide(ours, error, verdict):
    row = answer(ours, error).row()
    assert (row["verdict"], row["difference"]) == (verdict, round(ours - 0.5, 4))


def test_the_exact_posterior_reaches_what_was_published():
    found = exact_accuracy(make_cube(2000, random_state=7))
    found[51] = found[max(found)]
    for actions, printed in PRINTED.items():
        assert found[actions] == pytest.approx(printed, abs=3 * 2**0.5 * 0.011)


def test_the_tree_of_fftrees_costs_and_scores_what_was_published():
    data = make_heart(split="FFTrees")
    test = np.flatnonzero(data.roles.part == "test")
    called, cost = tree_calls(data, test)
    assert f1(called, data.y[test] == "ill") == pytest.approx(0.8205, abs=1e-4)
    assert (cost.mean(), cost.max()) == pytest.approx((BUDGET, 204.80), abs=0.01)


def test_candidates_are_judged_on_training_rows_alone():
    data = make_heart(split="FFTrees")
    train = np.flatnonzero(data.roles.part == "train")
    found = candidates("csdt", data, train)
    other = make_heart(split="FFTrees")
    other.X[data.roles.part == "test"] = 0.0
    assert candidates("csdt", other, train) == found


def test_an_error_of_resampled_rows_is_that_of_a_share():
    rng = np.random.default_rng(0)
    truth = rng.random(400) < 0.5
    ours, theirs = rng.random((2, 400)) < 0.5

    def accuracy(called, positive):
        return np.mean(called == positive)

    spread = np.std((ours == truth) * 1.0 - (theirs == truth)) / 20
    found = resampled_error(accuracy, (ours, theirs, truth))
    assert found == pytest.approx(spread, rel=0.1)


def test_without_an_archive_the_bundled_table_alone_is_asked():
    assert [told for _, told, *_ in tables()] == ["Cleveland's 303 rows"]
