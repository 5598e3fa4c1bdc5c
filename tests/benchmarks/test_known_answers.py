"""Known answers: references are those printed, and verdicts follow from two errors."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from benchmarks.known_answers.answers import Answer, f1, resampled_error
from benchmarks.known_answers.choosing import _areas, _cut, _smoothed, judged
from benchmarks.known_answers.cube import PRINTED, exact_accuracy
from benchmarks.known_answers.eca import tables
from benchmarks.known_answers.heart import BUDGET, candidates, held_out, tree_calls
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
    truth = data.y[train] == data.positive
    found = candidates(*held_out("csdt", data, train, repeats=2), truth)
    other = make_heart(split="FFTrees")
    other.X[data.roles.part == "test"] = 0.0
    assert candidates(*held_out("csdt", other, train, repeats=2), truth) == found


def test_ways_of_choosing_score_as_scikit_learn_does():
    rng = np.random.default_rng(0)
    truth, weights = rng.random(60) < 0.4, rng.integers(0, 3, 60).astype(float)
    scores = rng.random((2, 60)).round(1)
    areas = [roc_auc_score(truth, one, sample_weight=weights) for one in scores]
    assert _areas(scores, truth, weights) == pytest.approx(areas)
    for one, cut, best in zip(scores, *_cut(scores, truth, weights), strict=True):
        told = {c: f1_score(truth, one >= c, sample_weight=weights) for c in one}
        assert (max(told.values()), told[cut]) == pytest.approx((best, best))
    beside = _smoothed(np.array([1.0, 2.0, 6.0, 10.0]), np.array([0, 0, 0, 1]))
    assert beside.tolist() == [1.5, 3.0, 4.0, 10.0]


@each(("price", "finds"), [(1.0, True), (9.0, False)])
def test_what_tells_is_chosen_where_it_can_be_paid(price, finds):
    rng = np.random.default_rng(1)
    truth = rng.random(80) < 0.5
    noise = rng.random((3, 4, 80))
    noise[:, 2] += 2 * truth
    costs = np.ones((3, 4, 80))
    costs[:, 2] = price
    parts = {"a": slice(0, 2), "b": slice(2, 4)}
    told = {name: ([0, 1], noise[:, p], costs[:, p]) for name, p in parts.items()}
    found = judged(told, truth, budget=1.5, draws=5)
    assert (found["best mean F1"]["f1 on rows left out"] > 0.95) == finds


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
