"""The proof page's state: what is asked, proven, ruled out and kept."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.compute.shared import SHARED, data_key
from explorer.pages.proof.queries import ANSWER, FLOORS, POINTS
from explorer.pages.proof.state import ProofState
from explorer.session.state import bundled
from solvers import Dataset, FeatureHypergraph
from solvers.certify import RidgeObjective
from tests.explorer.pages.proof.answered import answer, answers, proofs, prove, train
from tests.explorer.worlds import own_table


def test_the_page_opens_on_heart_with_every_first_budget_closed(heart):
    run = heart.floors
    assert run.data.dataset.name == "heart"
    assert all(one.gap <= heart.tol for one in run.certified.values())
    bottom, top = run.ends
    assert bottom < top == pytest.approx(run.certified[0.0].upper)
    lowers = [step.lower for step in run.steps]
    assert lowers == sorted(lowers, reverse=True)
    assert heart.answer.certified.proven


def test_turning_a_knob_back_computes_nothing(state):
    shown, found = state.floors, state.answer
    state.ridge = 0.5
    answer(prove(state))
    assert state.floors is not shown
    state.ridge = 0.01
    assert FLOORS.missing(state) == {}
    assert ANSWER.missing(state) == {}
    assert state.floors.certified is shown.certified
    assert state.answer.nearly is found.nearly


def test_ruling_out_raises_the_floor_and_changes_the_best_answer(state):
    before = state.answer
    state.rule_out("fft")
    answer(prove(state))
    names = state.data.hypergraph.component_names
    assert state.answer.certified.lower > before.certified.upper
    graph, fft = state.data.hypergraph, names.index("fft")
    assert graph.required_components(before.certified.features)[fft]
    assert not graph.required_components(state.known().features)[fft]
    assert not state.answer.nearly.found.selections[:, fft].any()
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


def test_what_methods_choose_lowers_what_is_known_above_the_floors(state):
    worse = {
        budget: replace(one, upper=one.upper + 0.05, proven=False)
        for budget, one in state.floors.certified.items()
    }
    total = state.data.hypergraph.total_cost
    cheap = [point for point in state.points if point.cost < total]
    best = min(cheap, key=lambda point: point.objective)
    state.floors = replace(state.floors, certified=worse, known=())
    before = state.floors.at(best.cost).upper
    state.keep_points()
    assert state.floors.at(best.cost).upper <= best.objective < before
    state.ridge = 0.3  # another objective: what was chosen is not weighed yet
    assert state._informed(replace(state.floors, known=()), None).known != ()
    assert not state.is_beaten


def test_choices_for_a_bundled_table_are_made_once_for_all_sessions(heart):
    SHARED.choices[data_key(bundled("heart"))] = (("l1", np.ones(28, dtype=bool)),)
    other = ProofState(dataset=bundled("heart"))
    other.show_floors(replace(heart.floors, is_final=False))
    points = POINTS.answer(other)
    SHARED.choices.clear()
    assert [(point.method, point.cost) for point in points] == [
        ("l1", pytest.approx(heart.data.hypergraph.total_cost))
    ]


def test_another_table_forgets_what_was_shown_of_the_old_one(state):
    state.dataset = own_table(60)
    prove(state)
    assert len(state.data.y) == 30
    assert (state.points, state.answer) == ((), None)


def test_floors_of_a_new_table_do_not_bring_back_those_of_the_old_one(state):
    table = own_table(60)
    run = prove(ProofState(dataset=table, source="session"), is_short=True).floors
    # What is ruled out is asked for: of nothing ruled out, these come beside it.
    state.param.update(dataset=table, without=["fft"])
    state.show_floors(run)
    assert state.base.data is state.data is run.data
    assert state.floors is None


def test_methods_are_weighed_again_where_another_table_was_shown_between(state):
    before, kept = state.points, state.data
    first, second = state.dataset, own_table(60)
    state.dataset = second
    prove(state, is_short=True)
    state.points = before  # the second table's first points, say
    state.dataset = first
    FLOORS.missing(state)
    assert state.data is kept
    assert state.points == ()
    assert len(state.floors.known) == 1  # what was answered, and no point
    train(state)
    assert [p.objective for p in state.points] == [p.objective for p in before]


@pytest.mark.parametrize("without", [[], ["cheap", "dear", "free"]])
def test_what_is_known_can_be_paid_for_at_every_moment_and_budget(without):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    y = np.where(X.sum(axis=1) > 0, "sick", "well")
    graph = FeatureHypergraph(
        np.eye(3), [1e-6, 3e6, 0.0], None, ("cheap", "dear", "free")
    )
    own = Dataset("own", X, y, graph, positive="sick")
    state = ProofState(dataset=own, source="session", without=without)
    total = graph.total_cost

    def check():
        for share in (0.0, 1e-20, 1e-6 / total, 0.5, np.nextafter(1.0, 0.0), 1.0):
            state.share = share
            known = state.known() or state.known_before()
            if known is not None:
                assert known.cost <= share * total * (1 + 1e-9)
                assert known.lower <= known.upper + 1e-9

    check()
    for run in proofs(state):
        state.show_floors(run)
        check()
    state.share = 1e-6 / total
    for found in answers(state):
        state.show_answer(found)
        check()
    assert state.known() is not None


def test_the_budget_of_the_open_table_is_known_before_its_rows_are_read():
    table = own_table()
    state = ProofState(dataset=table, source="session", share=0.5)
    assert state.budget == pytest.approx(0.5 * table.hypergraph.total_cost)
    state.source = "heart"
    assert state.budget == 0.0
