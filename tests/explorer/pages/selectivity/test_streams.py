"""Rows are cut as they are learned from; answers and paths are certified."""

import numpy as np
import pytest

from explorer.compute.query import Answering
from explorer.pages.problem.files import tiny_world
from explorer.pages.selectivity import streams as selectivity_work
from explorer.pages.selectivity.state import ANSWER, GAPS, SelectivityState
from explorer.pages.selectivity.streams import (
    ALGORITHMS,
    PATH_POINTS,
    SMALLEST,
    TOLERANCE,
    ScoredFit,
    counterexample,
    open_data,
)
from explorer.pages.selectivity.text import gaps_text
from explorer.session.state import bundled
from solvers import Dataset, ThriftscopeError
from solvers.methods.selective_ridge import SelectiveRidgeClassifier
from solvers.methods.selective_ridge.chronometry import ContenderTiming
from tests.each import each


def test_rows_of_the_paper_s_size_are_the_paper_s():
    data = open_data("published", None)
    assert data.X.shape == (196, 6600)
    assert (data.grid.n_channels, data.grid.n_times) == (66, 100)


def test_the_session_s_table_is_scaled_by_its_training_rows():
    data = open_data("session", bundled("breast_cancer"))
    assert data.grid is None
    assert data.X.std(axis=0) == pytest.approx(np.ones(data.X.shape[1]))
    assert data.X.mean(axis=0) == pytest.approx(np.zeros(data.X.shape[1]), abs=1e-9)


def test_three_classes_without_a_positive_one_are_refused_with_a_sentence():
    X, y = np.eye(3)[np.arange(12) % 3], np.arange(12) % 3
    table = Dataset("three", X, y, tiny_world())
    with pytest.raises(ThriftscopeError, match="three has 3 classes; choose a data"):
        open_data("session", table)


def test_features_that_say_nothing_are_refused_with_a_sentence():
    y = np.arange(24) % 2
    table = Dataset("nothing", np.zeros((24, 3)), y, tiny_world())
    state = SelectivityState(dataset=table, source="session")
    with pytest.raises(ThriftscopeError, match="No feature that has a price says"):
        list(ANSWER.work(state))


def test_the_first_answer_is_coarse_and_the_last_is_fine(state):
    state.share = 0.05
    gaps = [
        item.fit.relative_gap
        for item in ANSWER.work(state)
        if isinstance(item, ScoredFit)
    ]
    assert gaps[0] <= 1e-3
    assert gaps[-1] <= TOLERANCE


def test_an_answer_is_the_estimator_s(state):
    answer = state.answer
    model = SelectiveRidgeClassifier(
        mu=answer.fit.mu, loss="logistic", standardise=False
    )
    model.fit(answer.bench.data.X, answer.bench.data.y)
    assert answer.fit.objective == pytest.approx(model.objective_, rel=2e-6)
    assert answer.fit.coef == pytest.approx(model.coef_[0], abs=1e-3)


def test_scores_are_balanced_accuracies_of_the_model(state):
    answer = state.answer
    data = answer.bench.data
    decisions = data.X_validation @ answer.fit.coef + answer.fit.intercept
    shares = [
        np.mean((decisions > 0)[data.y_validation == sign] == (sign > 0))
        for sign in (-1, 1)
    ]
    assert answer.scores["validation"] == pytest.approx(np.mean(shares))


def test_priced_features_are_weighed_by_the_roots_of_their_costs():
    state = SelectivityState(
        dataset=bundled("breast_cancer"), source="session", is_priced=True
    )
    ANSWER.answer(state)
    costs = state.dataset.hypergraph.marginal_costs()
    assert state.bench.problem.scales == pytest.approx(np.sqrt(costs))


def test_a_path_goes_from_the_empty_model_to_the_least_selectivity(answered):
    path = answered.path
    assert len(path) == PATH_POINTS
    assert path[0].counts["zero"] == len(path[0].fit.coef)
    assert path[-1].fit.mu == pytest.approx(SMALLEST * answered.bench.largest)


def test_every_point_of_a_path_is_certified(answered):
    assert max(answer.fit.relative_gap for answer in answered.path) <= TOLERANCE


@each("place", [4, 8, 12])
def test_answer_and_path_count_the_same_states(answered, place):
    there = answered.path[place]
    state = SelectivityState(
        dataset=answered.dataset, loss="logistic", share=there.share
    )
    ANSWER.answer(state)
    assert state.answer.counts == there.counts


def test_only_so_many_benches_are_kept():
    state = SelectivityState(dataset=bundled("breast_cancer"), source="session")
    for gamma in np.geomspace(0.1, 10.0, 12):
        state.gamma = float(gamma)
        first = next(ANSWER.work(state))
        ANSWER.take(state, Answering(ANSWER.missing(state)), [(None, first)])
    assert len(state.benches) == 8


def test_both_algorithms_are_run_where_the_answer_is(state):
    GAPS.answer(state)
    found = {
        name: [point for point in state.gaps if point.algorithm == name]
        for name in ALGORITHMS
    }
    ours = found["interior_point"]
    assert ours[-1].relative_gap <= TOLERANCE < ours[0].relative_gap
    assert ours[-1].objective == pytest.approx(state.answer.fit.objective, rel=2e-6)
    assert found["published"]


def test_the_published_algorithm_is_not_run_on_many_rows(monkeypatch, state):
    monkeypatch.setattr(selectivity_work, "MAX_PUBLISHED_ROWS", 59)
    points = tuple(GAPS.work(state))
    assert {point.algorithm for point in points} == {"interior_point"}
    assert "not run on more than 500 rows, of which there are 501" in gaps_text(
        points, 501
    )


def test_the_published_algorithm_stops_at_zero_on_the_counterexample():
    rows = list(counterexample())
    published = [row for row in rows if row.algorithm == "published"][-1]
    assert (published.coef, published.objective) == (0.0, pytest.approx(2.0))


def test_ours_finds_the_optimum_of_the_counterexample():
    ours = [row for row in counterexample() if row.algorithm == "interior_point"][-1]
    assert ours.coef == pytest.approx(0.55, abs=1e-5)
    assert ours.objective == pytest.approx(1.395, rel=1e-6)


def test_time_is_taken_of_the_paper_s_table(state, monkeypatch):
    asked = {}

    def recorded(X, y, **options):
        asked.update(options, shape=X.shape)
        yield ContenderTiming("dual", 100, 0.1, 1e-7, "")

    monkeypatch.setattr(selectivity_work, "time_against_features", recorded)
    assert len(list(selectivity_work.timings(state.question(), 0.1))) == 1
    assert asked["shape"] == (196, 6600)
    assert asked["sizes"][-1] == 6600
    assert asked["loss"] == "logistic"
