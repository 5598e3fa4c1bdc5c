"""What a budget makes of a hypergraph cascade, and what its pictures are told."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.pages.cascade.curves import (
    CascadeTiming,
    CascadeTradeoff,
    timing_text,
)
from explorer.pages.cascade.hypergraph_result import PolicyResult
from explorer.pages.cascade.queries import THRESHOLD
from explorer.pages.cascade.stages import CascadeJourney, CascadeStages, HypergraphBands
from explorer.pages.cascade.state import WAYS, CascadeState
from explorer.pages.cascade.text import CascadeStageTable, policy_answer, summary_text
from explorer.pages.cascade.training import (
    N_BINS,
    run_prediction,
    train_cascade,
)
from explorer.pages.frontier.answer import accounting_note
from explorer.pages.frontier.state import FrontierState
from explorer.session.link import read_page_link, write_page_link
from explorer.widgets.text import cost_text
from solvers.datasets import make_regions, make_scenes
from solvers.errors import DataError
from tests.explorer.pages.cascade.asked import trained_on
from tests.explorer.told_rows import told_rows


@pytest.fixture
def state(items):
    state = CascadeState(source="breast_cancer", way="hypergraph")
    state.take(items[-1])
    return state


@pytest.fixture(scope="module")
def scenes():
    return trained_on(dataset=make_scenes(120), order="forward")[-1]


@pytest.fixture(scope="module")
def regions():
    return trained_on(dataset=make_regions(n_samples=3000), order="forward", routing=2)[
        -1
    ]


def test_a_budget_buys_the_best_policy_that_it_pays_for(state, items):
    model, full = items[-1].model, items[-1].full_cost
    for share in np.linspace(0.0, 1.0, 21):
        state.budget = share
        policies = [p for p in model.policies_ if p.mean <= share * full * (1 + 1e-9)]
        best = max(policies, key=lambda policy: policy.score)
        assert model.policies_[state.policy] is best


def test_every_row_leaves_once(state):
    for number in range(len(state.hyper.model.policies_)):
        picture = PolicyResult(state.hyper, number)
        assert (picture.right + picture.wrong).sum() == picture.n_rows
        assert picture.on[-1] == 0


def test_rows_that_reach_a_stage_went_on_before(state):
    picture = state.policy_result()
    assert picture.reached[0] == picture.n_rows
    assert np.array_equal(picture.reached[1:], picture.on[:-1])


def test_a_picture_says_what_the_cascade_does(state, items):
    picture, split = state.policy_result(), items[-1].split
    model = items[-1].at(state.policy)
    X, y = split.X("test"), split.y("test")
    assert picture.accuracy == pytest.approx(model.score(X, y))
    assert picture.cost == pytest.approx(model.prediction_cost(X).mean())


def test_bars_hold_the_rows_that_reach_a_stage(state):
    picture = state.policy_result()
    held = (picture.right_scores + picture.wrong_scores).sum(axis=1)
    assert np.array_equal(held, picture.reached)


def test_leaves_stand_one_after_the_other(regions):
    routed = [
        picture
        for number in range(len(regions.model.policies_))
        if len((picture := PolicyResult(regions, number)).first) > 2
    ]
    assert routed, "no policy of a cascade with leaves was kept"
    for picture in routed:
        assert (picture.right + picture.wrong).sum() == picture.n_rows
        second = int(picture.first[1])
        assert picture.reached[0] + picture.reached[second:].max() <= picture.n_rows
        assert picture.name(second) == "2.0"


def test_a_budget_that_buys_nothing_names_the_least_that_buys_anything(state):
    state.budget = 0.0
    result = state.policy_result()
    assert result.cost == 0
    least = min(one.mean for one in state.hyper.model.policies_ if one.mean > 0)
    told = cost_text(least, result.dataset.unit)
    assert f"The cheapest policy that buys anything costs {told}" in result.summary()
    state.budget = 1.0
    assert "The cheapest policy" not in state.policy_result().summary()


def test_one_row_goes_the_way_that_the_picture_counts(state, items):
    exits = items[-1].replay.exits(state.policy_result().policy)
    for row in range(20):
        state.row = row
        assert state.journey("hypergraph").stops[-1].stage == exits[row]


def test_bands_are_where_rows_go_on(state):
    view, picture = HypergraphBands(state=state), state.policy_result()
    data = view._shown["band"].columns
    at = np.rint((data["left"] + data["right"]) / 2).astype(int)
    edges = picture.trained.edges
    assert data["bottom"] == pytest.approx(np.maximum(picture.low[at], edges[0]))
    assert data["top"] == pytest.approx(np.minimum(picture.high[at], edges[-1]))


def test_right_answers_lie_to_the_right_and_wrong_ones_to_the_left(state):
    bars = HypergraphBands(state=state)._shown
    for kind, middle in (("right", "left"), ("wrong", "right")):
        data = bars[kind].columns
        assert (data[middle] == np.rint(data[middle])).all()
        assert (data["left"] < data["right"]).all()
        assert len(bars[kind]) <= state.policy_result().n_stages * N_BINS


def test_a_budget_moves_bands_bars_and_exits_and_makes_no_model(state):
    views = (
        HypergraphBands(state=state),
        CascadeStages(state=state, method="hypergraph"),
    )
    figures = views[0].figure, views[1].figure
    models = [set(drawn.references()) for drawn in figures]
    before = [
        dict(views[0]._renderers["band"].data_source.data),
        dict(views[0]._renderers["right"].data_source.data),
        dict(views[1]._renderers["right"].data_source.data),
    ]
    state.budget = 0.05
    after = (
        views[0]._renderers["band"].data_source,
        views[0]._renderers["right"].data_source,
        views[1]._renderers["right"].data_source,
    )
    for old, source in zip(before, after, strict=True):
        assert any(list(old[key]) != list(source.data[key]) for key in old)
    assert [set(drawn.references()) for drawn in figures] == models


def test_tables_wait_until_the_hand_rests(state):
    view, waiting = CascadeStageTable(state=state, method="hypergraph"), []
    state.settle_by(waiting.append)
    before = view._table.rows
    state.budget = 0.05
    assert view._table.rows == before
    waiting[-1]()
    assert view._table.rows != before


def test_the_curve_and_the_ring_stand_in_the_tradeoff(state):
    (*_, cascade) = train_cascade(THRESHOLD.asks(state))
    view = CascadeTradeoff(state=state)
    state.take(cascade)
    drawn = view._shown["hypergraph_cascade"].columns
    assert list(drawn["x"]) == list(state.hyper.curve.x)
    picture = state.policy_result()
    assert view._shown["here"].columns == {"x": [picture.cost], "y": [picture.accuracy]}
    state.way = "tefe"
    assert view._shown["here"].columns["x"] == [state.threshold_result().cost]


def test_a_curve_of_other_data_is_not_drawn(state):
    (*_, cascade) = train_cascade(THRESHOLD.asks(CascadeState(source="digits")))
    state.take(cascade)
    assert state.hyper_curve() is None


def test_stepping_shows_one_stop_more(state, items):
    exits = items[-1].replay.exits(state.policy_result().policy)
    state.row = int(np.argmax(exits))
    view = CascadeJourney(state=state, method="hypergraph")
    for step in range(1, len(state.journey("hypergraph").stops) + 1):
        state.step = step
        assert len(view._table.rows) == step


def test_before_the_first_cascade_views_are_empty_and_say_so():
    state = CascadeState()
    assert len(HypergraphBands(state=state)._shown["band"]) == 0
    assert summary_text(state, "hypergraph") == "Training the first hypergraph cascade."
    assert state.journey("hypergraph") is None


def test_words_say_cost_and_share_that_is_right(state):
    picture = state.policy_result()
    text = summary_text(state, "hypergraph")
    assert f"{100 * picture.accuracy:.1f} % of 143 test rows are right" in text
    assert f"Policy {state.policy + 1} of {len(state.hyper.model.policies_)}" in text


def test_a_prediction_says_measured_charged_and_deciding(scenes):
    result = PolicyResult(scenes, len(scenes.model.policies_) - 1)
    *shares, run = run_prediction(result, 0)
    assert shares == sorted(shares)
    assert run.measured > run.reference_measured > 0
    assert run.charged == run.journey.cost
    state = CascadeState(source="session")
    state.take(scenes)
    state.take_runs("hypergraph", [run])
    assert "of which the decisions take" in timing_text(state, "hypergraph")


def test_without_feature_functions_a_prediction_is_refused(items):
    with pytest.raises(DataError, match="no feature functions"):
        next(run_prediction(PolicyResult(items[-1], 0), 0))


def test_a_link_restores_every_choice():
    link = {
        name: name
        for name in ("way", "budget", "buying", "model", "routing", "objective")
    }
    state = CascadeState(
        way="hypergraph",
        budget=0.125,
        buying="block",
        model="boosted",
        routing=2,
        objective="f1",
    )
    other = CascadeState()
    read_page_link(write_page_link(state, link), other, link)
    assert all(getattr(other, name) == getattr(state, name) for name in link)


def test_ways_to_exit_are_two():
    assert list(WAYS.values()) == ["tefe", "hypergraph"]


def test_the_frontier_says_what_max_and_p95_mean_for_it():
    state = FrontierState(methods=["hypergraph_cascade"])
    assert accounting_note(state) == ""
    state.accounting = "max"
    assert "forward selection" in accounting_note(state)
    state.accounting = "p95"
    assert "one row in twenty" in accounting_note(state)
    state.methods = ["l1"]
    assert accounting_note(state) == ""


def test_runs_of_other_data_are_forgotten(state, scenes):
    state.hyper_runs = ["a run"]
    state.take(replace(scenes))
    assert state.hyper_runs == []


def test_predictions_are_drawn_once_there_are_any(scenes):
    state = CascadeState(source="session")
    state.take(scenes)
    drawn = CascadeTiming(state=state, method="hypergraph").__panel__()[1]
    assert not drawn.visible
    *_, run = run_prediction(PolicyResult(scenes, 0), 0)
    state.take_runs("hypergraph", [run])
    assert drawn.visible


def test_the_words_count_every_test_row_and_name_the_next_step_up(state):
    result = state.policy_result()
    said = policy_answer(result)
    text = " ".join(said.steps)
    right = round(result.accuracy * result.n_rows)
    assert told_rows(text) == (result.n_rows, right)
    costlier = [
        policy.mean
        for policy in state.hyper.model.policies_
        if policy.score > result.policy.score and policy.mean > result.policy.mean
    ]
    assert costlier
    assert said.closing[0].startswith("Not bought: for ")
    state.budget = 1.0
    last = policy_answer(state.policy_result())
    assert last.closing[0].startswith(("No costlier", "Not bought"))


def test_the_page_opens_on_a_row_that_buys_something_and_is_right(state):
    result, row = state.policy_result(), state.followed("hypergraph")
    journey = state.journey("hypergraph")
    assert journey.stage > 0
    assert journey.label == result.split.y("test")[row]
