"""The proof page's state: what is asked, proven, ruled out and kept."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_wine

from explorer.pages.proof.data import MAX_ROWS, open_data
from explorer.pages.proof.result import FloorQuestion
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.streams import answer_steps, asked_budgets, floor_runs
from explorer.pages.proof.text import searched_text
from explorer.session.state import bundled
from solvers import Dataset, FeatureHypergraph
from solvers.certify import RidgeObjective, check_certificate
from solvers.datasets.rows import RowRoles
from solvers.errors import DataError
from tests.explorer.pages.proof.answered import answer, prove, small, train
from tests.explorer.worlds import own_table


@pytest.fixture(scope="module")
def heart():
    """As the page opens, but for the methods."""
    return answer(prove(ProofState(), is_short=True))


@pytest.fixture
def state():
    return small(share=0.9)


# ------------------------------------------------------------------------------ floors


def test_the_page_opens_on_heart_with_every_first_budget_closed(heart):
    run = heart.floors
    assert run.data.dataset.name == "heart"
    assert all(one.gap <= heart.tol for one in run.certified.values())
    bottom, top = run.ends
    assert bottom < top == pytest.approx(run.certified[0.0].upper)
    lowers = [step.lower for step in run.steps]
    assert lowers == sorted(lowers, reverse=True)
    assert heart.answer.certified.proven


def test_floors_rise_and_what_was_found_falls_while_one_watches():
    seen = {}
    question = FloorQuestion("session", own_table(), 0.01, 1e-3, 20.0)
    *_, last = runs = list(floor_runs([question]))
    for run in runs:
        for budget, one in run.certified.items():
            before = seen.get(budget)
            assert before is None or one.lower >= before.lower - 1e-9
            assert before is None or one.upper <= before.upper + 1e-9
            seen[budget] = one
    assert last.is_final
    assert last.closed_share == pytest.approx(1.0)


def test_what_is_open_between_budgets_is_asked_for_until_it_is_closed():
    question = FloorQuestion("session", own_table(), 0.01, 1e-3, 20.0)
    runs = [run for run in floor_runs([question]) if run.is_whole]
    first = next(run for run in runs if len(run.certified) == run.n_budgets)
    assert any(not step.closed for step in first.steps)
    assert len(runs[-1].certified) > runs[-1].n_budgets
    assert all(step.closed for step in runs[-1].steps)


def test_a_floor_that_is_not_whole_does_not_replace_what_is_shown(state):
    shown, state.ridge = state.floors, 0.5
    runs = state.floor_request()()
    state.take_floors([next(runs)])
    assert state.floors is shown
    for run in runs:
        state.take_floors([run])
    assert state.floors.question.ridge == 0.5


def test_a_budget_is_answered_before_all_floors_are_whole():
    state = ProofState(dataset=own_table(), source="session")
    assert not state.is_read
    runs = state.floor_request()()
    state.take_floors([next(runs)])
    assert state.is_read
    assert state.floors is None
    answer(state)
    assert state.is_answered
    assert state.answer.certified.proven
    state.source = "heart"
    assert not state.is_read


def test_turning_a_knob_back_computes_nothing(state):
    shown, found = state.floors, state.answer
    state.ridge = 0.5
    answer(prove(state))
    assert state.floors is not shown
    state.ridge = 0.01
    assert state.floor_request() is None
    assert state.answer_request() is None
    assert state.floors.certified is shown.certified
    assert state.answer == found


# ---------------------------------------------------------------------- one budget


def test_the_certificate_of_the_budget_is_checked_by_other_code(heart):
    data, one = heart.data, heart.answer.certified
    floor = check_certificate(one.certificate, data.X, data.y, data.hypergraph)
    assert floor >= one.lower - 1e-6
    assert data.hypergraph.cost(one.features) <= heart.budget * (1 + 1e-9)


def test_what_is_nearly_as_good_is_within_the_tolerance_and_the_budget(heart):
    found = heart.answer.nearly.found
    assert found.complete
    assert found.count > 1
    gain = heart.answer.certified.full_gain
    assert (found.objectives - found.best).max() <= heart.within * gain + 1e-7
    assert found.costs.max() <= heart.budget * (1 + 1e-9)
    assert found.best == pytest.approx(heart.answer.certified.upper, abs=1e-6)


def test_an_answer_says_how_far_it_is_before_its_end():
    state = prove(ProofState(dataset=own_table(), source="session"))
    steps = list(answer_steps(state.budget_question(), state.data))
    assert [one.is_final for one in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[0].nearly is None
    assert steps[-1].nearly.found.complete


# --------------------------------------------------------------------------- ruling out


def test_ruling_out_raises_the_floor_and_changes_the_best_answer(state):
    before = state.answer
    state.rule_out("fft")
    answer(prove(state))
    names = state.data.hypergraph.component_names
    assert state.answer.certified.lower > before.certified.upper
    assert "fft" in [names[c] for c in before.bought]
    assert "fft" not in [names[c] for c in state.answer.bought]
    assert not state.answer.nearly.found.selections[:, names.index("fft")].any()
    assert state.base.question.without == ()
    assert state.base.at(state.budget).upper == pytest.approx(before.certified.upper)
    state.rule_out("fft")
    assert state.without == []


def test_points_that_buy_what_is_ruled_out_are_not_drawn(state):
    assert len(state.allowed_points()) == len(state.points)
    state.without = ["fft"]
    graph, left = state.data.hypergraph, state.allowed_points()
    assert 0 < len(left) < len(state.points)
    banned = graph.component_mask(["fft"])
    assert not any((graph.required_components(p.features) & banned).any() for p in left)


def test_a_link_with_nothing_at_hand_proves_what_is_ruled_out_and_what_it_costs():
    state = ProofState(dataset=own_table(), source="session", without=["fft", "gone"])
    prove(state)
    assert state.floors.question.without == ("fft", "gone")
    assert state.base.question.without == ()
    assert state.floors.ends[0] > state.base.ends[0]


# ----------------------------------------------------------------------------- methods


def test_no_method_is_below_the_floor_at_its_cost(state):
    methods = {point.method for point in state.points}
    assert {"acafh", "forward_selection", "l1", "selective_ridge"} <= methods
    for point in state.points:
        assert point.objective >= state.floors.at(point.cost).lower - 1e-7


def test_another_ridge_weighs_the_same_choices_anew(state):
    before = state.points
    state.ridge = 0.3
    train(state)
    assert [p.features.tolist() for p in state.points] == [
        p.features.tolist() for p in before
    ]
    data = state.data
    objective = RidgeObjective(data.X, data.y, data.hypergraph, ridge=0.3)
    for point in state.points:
        assert point.objective == pytest.approx(objective(point.features))


# -------------------------------------------------------------------------- the data


def test_another_table_forgets_what_was_shown_of_the_old_one(state):
    state.dataset = own_table(60)
    prove(state)
    assert len(state.data.y) == 30
    assert (state.points, state.answer) == ((), None)


def test_no_more_rows_are_taken_than_are_waited_for():
    data = open_data("signals", None)
    assert len(data.y) == MAX_ROWS < data.n_train
    assert f"the first {MAX_ROWS} of {data.n_train}" in data.line


def test_weights_of_rows_count_in_floors_points_and_certificate():
    table = own_table(80)
    weight = np.random.default_rng(0).uniform(0.2, 4.0, 80)
    weighed = replace(table, roles=RowRoles(weight=weight))
    state = train(answer(prove(ProofState(dataset=weighed, source="session"))))
    data, one = state.data, state.answer.certified
    assert data.weight is not None
    assert "each with its weight" in data.line
    assert one.lower != small(share=0.35).answer.certified.lower
    arguments = data.X, data.y, data.hypergraph
    floor = check_certificate(one.certificate, *arguments, sample_weight=data.weight)
    assert floor >= one.certificate.lower - 1e-6
    objective = RidgeObjective(*arguments, ridge=0.01, sample_weight=data.weight)
    for point in state.points:
        assert point.objective == pytest.approx(objective(point.features))


def test_budgets_go_from_nothing_to_everything(heart):
    budgets, graph = asked_budgets(heart.data), heart.data.hypergraph
    assert budgets[0] == 0.0
    assert budgets[-1] == pytest.approx(graph.total_cost)
    assert budgets == sorted(set(budgets))


def test_three_classes_and_costs_of_nothing_are_refused_with_a_sentence():
    wine = load_wine()
    graph = FeatureHypergraph.independent([1.0] * 13)
    table = Dataset("wine", wine.data, wine.target, graph)
    with pytest.raises(DataError, match="wine has 3 classes; choose a data set of two"):
        open_data("session", table)
    X = np.random.default_rng(0).standard_normal((40, 2))
    free = Dataset("free", X, X[:, 0] > 0, FeatureHypergraph.independent([0.0, 0.0]))
    question = FloorQuestion("session", free, 0.01, 0.01, 5.0)
    with pytest.raises(DataError, match="give at least one component a cost"):
        list(floor_runs([question]))
    with pytest.raises(DataError, match="no data yet"):
        open_data("session", None)


def test_the_heart_table_is_the_bundled_one(heart):
    assert heart.data.dataset is bundled("heart")


# ------------------------------------------------------------------------ going on


def test_more_time_goes_on_with_the_same_trees():
    state = ProofState(tol=1e-4, seconds=1.0)
    for run in state.floor_request()():
        state.take_floors([run])
        if run.is_whole:
            break  # as a press of Cancel: what is proven stays
    before = state.floors
    assert state.is_open
    for run in state.more_request()():
        state.take_floors([run])
    assert state.floors.search is before.search
    for budget, one in before.certified.items():
        later = state.floors.certified[budget]
        assert later.lower >= one.lower
        assert later.nodes >= one.nodes
    assert state.floors.closed_share > before.closed_share
    assert "nodes in" in searched_text(state.floors)
    assert searched_text(None) == ""
