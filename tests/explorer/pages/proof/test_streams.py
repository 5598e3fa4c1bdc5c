"""Floors, answers and methods come as they are proven."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.pages.proof import streams
from explorer.pages.proof.questions import FloorQuestion, open_data
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.streams import answer_steps, asked_budgets, floor_runs
from solvers import all_methods
from solvers.certify import RidgeObjective, check_certificate
from solvers.datasets.rows import RowRoles
from tests.explorer.pages.proof.answered import (
    answer,
    answers,
    more,
    proofs,
    prove,
    small,
    train,
)
from tests.explorer.worlds import own_table


def test_floors_rise_and_what_was_found_falls_while_one_watches():
    seen = {}
    question = FloorQuestion("session", own_table(), 0.01, 1e-3, 20.0)
    *_, last = runs = list(floor_runs(question, open_data("session", question.dataset)))
    for run in runs:
        for budget, one in run.certified.items():
            before = seen.get(budget)
            assert before is None or one.lower >= before.lower - 1e-9
            assert before is None or one.upper <= before.upper + 1e-9
            seen[budget] = one
    assert last.is_final
    assert last.closed_share == pytest.approx(1.0)


def test_a_budget_is_answered_before_all_floors_are_whole():
    state = ProofState(dataset=own_table(), source="session")
    assert not state.is_read
    runs = proofs(state)
    state.show_floors(next(runs))
    assert state.is_read
    assert state.floors is None
    answer(state)
    assert state.is_answered
    assert state.answer.certified.proven
    state.source = "heart"
    assert not state.is_read


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


def test_no_method_is_below_the_floor_at_its_cost(state):
    methods = {point.method for point in state.points}
    assert methods == set(all_methods())
    for point in state.points:
        assert point.objective >= state.floors.at(point.cost).lower - 1e-7


def test_an_answer_that_a_method_beats_goes_on_from_what_it_chose(state):
    one = state.answer.certified
    nothing = np.zeros_like(one.features)
    state.answer = replace(
        state.answer,
        certified=replace(one, upper=one.upper + 0.1, features=nothing, proven=False),
        nearly=None,
    )
    assert state.is_beaten
    for later in more(state, state.answer, answers):
        assert later.certified.upper <= one.upper + 1e-9
        state.show_answer(later)
    assert not state.is_beaten


def test_weights_of_rows_count_in_floors_points_and_certificate(monkeypatch):
    table = own_table(80)
    weight = np.random.default_rng(0).uniform(0.2, 4.0, 80)
    weighed = replace(table, roles=RowRoles(weight=weight))
    few = {name: streams.methods_in_turn()[name] for name in ("l1", "csdt")}
    with monkeypatch.context() as patched:
        patched.setattr(streams, "methods_in_turn", lambda: few)
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


def test_another_ridge_begins_with_what_was_best_at_the_last_one(state):
    data = state.data
    *_, before = floor_runs(state.question(), data)
    question = replace(before.question, ridge=0.2)
    *_, last = runs = list(floor_runs(question, data, before=before))
    objective = RidgeObjective(data.X, data.y, data.hypergraph, ridge=0.2)
    for budget, one in runs[0].certified.items():
        known = objective(before.certified[budget].features)
        assert one.upper <= known + 1e-9
    *_, alone = floor_runs(question, data)
    for budget, one in alone.certified.items():
        other = last.certified.get(budget, one)
        assert max(one.lower, other.lower) <= min(one.upper, other.upper) + 1e-9


def test_what_is_ruled_out_takes_nothing_from_floors_that_allow_it(state):
    *_, before = floor_runs(state.question(), state.data)
    question = replace(before.question, without=("fft",))
    banned = state.data.hypergraph.component_mask(["fft"])
    for run in floor_runs(question, state.data, before=before):
        for one in run.certified.values():
            needed = state.data.hypergraph.required_components(one.features)
            assert not (needed & banned).any()
