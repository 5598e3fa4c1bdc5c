"""Mean and spread over splits of the rows, and what is said of noise."""

import numpy as np
import pytest

from explorer.pages.frontier.queries import RUNS, TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from solvers import Frontier, trace_frontier
from solvers.methods.l1 import L1Classifier


@pytest.fixture(scope="module")
def state():
    state = FrontierState(
        dataset=bundled("breast_cancer"),
        methods=["l1", "csdt"],
        settings={"l1.n_alphas": 8},
    )
    state.budget = 5.0
    TRACES.answer(state)
    return state


@pytest.fixture(scope="module")
def repeated(state):
    state.n_runs = 3
    RUNS.answer(state)
    return state


def test_one_split_has_no_spread(state):
    state.n_runs = 1
    assert not RUNS.missing(state)
    assert state.bands() == {}
    assert state.noise() == ""


def test_each_method_is_traced_once_on_each_other_split(state):
    state.n_runs = 3
    assert list(RUNS.missing(state)) == [("l1", 1), ("csdt", 1), ("l1", 2), ("csdt", 2)]


def test_nothing_is_traced_twice(repeated):
    assert not RUNS.missing(repeated)


def test_the_band_is_mean_and_standard_error_of_what_the_budget_buys(repeated):
    repeated.n_runs = 3
    data, budget = repeated.dataset, 5.0
    scores = []
    for seed in range(3):
        points = trace_frontier(L1Classifier(n_alphas=8), data, random_state=seed)
        best = Frontier(list(points), "mean").best_within(budget)
        scores.append(best.scores["test"]["f1"])
    band = repeated.bands()["l1"]
    at = np.searchsorted(band.costs, budget, side="right") - 1
    assert band.mean[at] == pytest.approx(np.mean(scores))
    half = np.std(scores, ddof=1) / np.sqrt(3)
    assert band.upper[at] - band.lower[at] == pytest.approx(2 * half)


def test_noise_is_said_of_the_two_best_methods(repeated):
    sentence = repeated.noise()
    assert "L1" in sentence
    assert "csDT" in sentence
    assert "over 3 runs" in sentence
