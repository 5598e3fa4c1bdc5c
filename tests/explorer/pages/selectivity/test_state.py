"""The selectivity page's state: what is asked, answered, kept and said."""

import dataclasses

import numpy as np
import pytest

from explorer.pages.problem.starting import tiny_world
from explorer.pages.selectivity import streams as selectivity_work
from explorer.pages.selectivity.data import open_data
from explorer.pages.selectivity.state import SelectivityState
from explorer.pages.selectivity.streams import (
    ALGORITHMS,
    PATH_POINTS,
    SMALLEST,
    TOLERANCE,
    PreparedProblem,
    ScoredFit,
    counterexample,
)
from explorer.pages.selectivity.text import (
    certificate_text,
    counterexample_text,
    gaps_text,
    largest_features,
    map_text,
    power,
    slope,
    summary_text,
    timings_text,
)
from explorer.session.state import bundled
from solvers import Dataset, ThriftscopeError
from solvers.methods.selective_ridge import SelectiveRidgeClassifier
from solvers.methods.selective_ridge.chronometry import ContenderTiming


@pytest.fixture(scope="module")
def answered():
    state = SelectivityState(dataset=bundled("breast_cancer"), loss="logistic")
    state.collect_answers(state.answering()())
    state.path_collector()(state.path_request()())
    state.keep_path()
    return state


@pytest.fixture
def state():
    found = SelectivityState(dataset=bundled("breast_cancer"), loss="logistic")
    found.collect_answers(found.answering()())
    return found


# ---------------------------------------------------------------------------- the data


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
        list(state.answering()())


# --------------------------------------------------------------------------- answers


def test_the_first_answer_is_coarse_and_the_last_is_fine(state):
    state.share = 0.05
    gaps = [
        item.fit.relative_gap
        for item in state.answering()()
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


def test_moving_mu_keeps_the_warm_solver(state):
    before = state.bench
    state.share = 0.05
    state.collect_answers(state.answering()())
    assert state.bench is before
    assert state.answer.share == 0.05


def test_moving_gamma_keeps_the_place_on_the_slider(state):
    before = state.bench
    state.gamma = 3.0
    state.collect_answers(state.answering()())
    assert state.bench is not before
    assert state.answer.fit.mu == pytest.approx(state.share * state.bench.largest)


def test_a_request_that_was_left_in_the_middle_frees_the_solver(state):
    state.share = 0.02
    items = state.answering()()
    next(items)
    items.close()
    state.collect_answers(state.answering()())
    assert state.answer.is_final


def test_the_old_answer_stays_until_the_new_one_is_there(state):
    before = state.answer
    state.loss = "squared"
    items = state.answering()()
    state.collect_answers([next(items)])
    assert isinstance(state.bench, PreparedProblem)
    assert state.answer is before
    state.collect_answers(items)
    assert state.answer.bench is state.bench


def test_priced_features_are_weighed_by_the_roots_of_their_costs():
    state = SelectivityState(
        dataset=bundled("breast_cancer"), source="session", is_priced=True
    )
    state.collect_answers(state.answering()())
    costs = state.dataset.hypergraph.marginal_costs()
    assert state.bench.problem.scales == pytest.approx(np.sqrt(costs))


def test_the_session_s_data_count_only_where_they_are_learned_from(state):
    before = state.question()
    state.dataset = bundled("sources")
    assert state.question() == before
    state.source = "session"
    assert state.question() != before


# ------------------------------------------------------------------------- the path


def test_a_path_goes_from_the_empty_model_to_the_least_selectivity(answered):
    path = answered.path
    assert len(path) == PATH_POINTS
    assert path[0].counts["zero"] == len(path[0].fit.coef)
    assert path[-1].fit.mu == pytest.approx(SMALLEST * answered.bench.largest)


def test_every_point_of_a_path_is_certified(answered):
    assert max(answer.fit.relative_gap for answer in answered.path) <= TOLERANCE


@pytest.mark.parametrize("place", [4, 8, 12])
def test_answer_and_path_count_the_same_states(answered, place):
    there = answered.path[place]
    state = SelectivityState(
        dataset=answered.dataset, loss="logistic", share=there.share
    )
    state.collect_answers(state.answering()())
    assert state.answer.counts == there.counts


def test_a_path_at_hand_is_not_computed_again(answered):
    assert answered.path_request() is None


def test_the_old_path_stays_until_the_new_one_s_first_point(answered):
    before = answered.path
    collect = answered.path_collector()
    assert answered.path is before
    collect(before[:1])
    assert len(answered.path) == 1
    answered.path = before


def test_only_so_many_benches_are_kept():
    state = SelectivityState(dataset=bundled("breast_cancer"), source="session")
    for gamma in np.geomspace(0.1, 10.0, 12):
        state.gamma = float(gamma)
        items = state.answering()()
        state.collect_answers([next(items)])
    assert len(state._benches) == 8


# --------------------------------------------------------------------- the iterations


def test_both_algorithms_are_run_where_the_answer_is(state):
    state.collector("gaps")(state.gap_request()())
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
    points = tuple(state.gap_request()())
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


# ------------------------------------------------------------------------- in words


def test_small_numbers_are_written_as_powers():
    assert [power(value) for value in (0.0, 1e-12, 0.5)] == [
        "0",
        "1.0 × 10⁻¹²",
        "5.0 × 10⁻¹",
    ]


def test_the_summary_counts_the_features_of_each_state(answered):
    counts = answered.answer.counts
    text = summary_text(answered.answer)
    assert f"{counts['boundary']} on the boundary, {counts['ridge']} ridge" in text
    assert sum(counts.values()) == 960


def test_the_certificate_says_primal_dual_and_gap(answered):
    fit = answered.answer.fit
    said = certificate_text(answered.answer)
    assert f"{fit.objective:.9g}" in said[0]
    assert f"{fit.objective - fit.duality_gap:.9g}" in said[1]
    assert power(fit.duality_gap) in said[2]
    assert "final" in said[3]


def test_a_first_answer_says_that_it_is_being_refined(answered):
    answer = answered.answer
    coarse = dataclasses.replace(answer.fit, duality_gap=1e-4 * answer.fit.objective)
    said = certificate_text(dataclasses.replace(answer, fit=coarse))
    assert "being refined" in said[3]


def test_the_largest_coefficient_is_named_first(answered):
    answer = answered.answer
    largest = answer.bench.data.names[int(np.argmax(np.abs(answer.fit.coef)))]
    assert map_text(answer).startswith(f"Largest coefficients: {largest} ")


def test_an_empty_model_is_said_to_be_empty(answered):
    assert map_text(answered.path[0]).startswith("Every coefficient is zero")


def test_features_that_never_live_are_not_drawn(answered):
    assert len(largest_features(answered.path[:1], 10)) == 0
    assert len(largest_features(answered.path, 10)) == 10


def test_words_without_results_say_so():
    assert summary_text(None) == "Computing the first answer."
    assert certificate_text(None) == ["No answer yet."]
    assert gaps_text(()) == "Not computed yet."
    assert timings_text(()) == "Not timed yet."


def test_the_counterexample_is_told_with_its_numbers():
    text = counterexample_text(tuple(counterexample()))
    assert "a = 0 and criterion 2" in text
    assert "a = 0.55 with 1.395" in text


def test_the_slope_is_that_of_the_last_three_sizes():
    timed = tuple(
        ContenderTiming("dual", n, seconds, 1e-7, "")
        for n, seconds in [(10, 5.0), (100, 0.1), (200, 0.4), (400, 1.6)]
    )
    assert slope(timed, "dual") == pytest.approx(2.0)
    assert slope(timed[:2], "dual") is None


def test_who_was_skipped_is_said_with_the_reason():
    timed = (
        ContenderTiming("primal", 100, 3.0, 1e-7, ""),
        ContenderTiming("primal", 200, None, None, "skipped: over 1 s at 100 features"),
    )
    assert "then skipped: over 1 s at 100 features" in timings_text(timed)
