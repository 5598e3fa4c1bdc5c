"""Undo takes back what was done last, on whatever page, and redo does it again."""

import pytest

from explorer.document import undo_stack as undo_stack_module
from explorer.session.state import bundled
from tests.explorer.worlds import World


@pytest.fixture
def world():
    return World()


def test_nothing_is_undone_at_first(world):
    before = world.everything()
    world.undo_stack.undo()
    world.undo_stack.redo()
    assert world.everything() == before
    assert (world.undo_stack.undoes, world.undo_stack.redoes) == ("", "")


def test_a_scalar_is_taken_back_and_done_again(world):
    world.frontier.p = 0.25
    assert world.undo_stack.undoes == "Quasi-norm p"
    world.undo_stack.undo()
    assert world.frontier.p == 0.5
    world.undo_stack.redo()
    assert world.frontier.p == 0.25


def test_a_drag_is_one_step(world):
    for share in (0.6, 0.7, 0.8):
        world.cascade.share = share
    world.undo_stack.undo()
    assert world.cascade.share == 0.5
    assert not world.undo_stack.undoes


def test_moves_that_lie_apart_are_two_steps(world, monkeypatch):
    monkeypatch.setattr(undo_stack_module, "DRAG_SECONDS", -1.0)
    world.cascade.share = 0.6
    world.cascade.share = 0.7
    world.undo_stack.undo()
    assert world.cascade.share == 0.6


def test_undo_brings_the_page_to_the_front_that_it_was_done_on(world):
    world.frontier.alpha = 0.02
    world.session.page = "cascade"
    world.cascade.cap = 0.4
    world.session.page = "frontier"
    world.undo_stack.undo()
    assert (world.session.page, world.cascade.cap) == ("cascade", 1.0)
    world.undo_stack.undo()
    assert (world.session.page, world.frontier.alpha) == ("frontier", 0.003)


def test_drawing_and_sliders_are_undone_in_the_order_in_which_they_were_done(world):
    world.frontier.alpha = 0.02
    world.editor.receive({"op": "clear"})
    world.cascade.cap = 0.4
    world.undo_stack.undo()
    assert world.cascade.cap == 1.0
    assert world.editor.drawing.hypergraph.n_features == 0
    world.undo_stack.undo()
    assert world.editor.drawing.hypergraph.n_features == 30
    assert world.frontier.alpha == 0.02


def test_a_new_data_set_and_its_budget_are_one_step(world):
    budget, hypergraph = world.frontier.budget, world.session.dataset.hypergraph
    world.session.open(bundled("sources"))
    assert world.frontier.budget != budget
    world.undo_stack.undo()
    assert world.session.dataset.hypergraph is hypergraph
    assert world.frontier.budget == budget
    world.undo_stack.redo()
    assert world.session.dataset is bundled("sources")


def test_what_a_computation_brings_is_no_step(world):
    with world.undo_stack.quiet():
        world.frontier.alpha = 0.7
    assert not world.undo_stack.undoes


def test_the_drawings_own_undo_takes_back_its_own_last_step(world):
    world.editor.receive({"op": "clear"})
    world.frontier.alpha = 0.02
    world.editor.receive({"op": "undo"})
    assert world.editor.drawing.hypergraph.n_features == 30
    assert world.undo_stack.undoes == "Trade-off λ"
    world.undo_stack.redo()
    assert world.editor.drawing.hypergraph.n_features == 0


def test_a_new_step_forgets_what_was_taken_back(world):
    world.frontier.alpha = 0.02
    world.undo_stack.undo()
    world.frontier.p = 0.3
    assert not world.undo_stack.redoes


def test_ticked_methods_are_undone(world):
    world.frontier.methods = ["l1"]
    world.undo_stack.undo()
    assert "acafh" in world.frontier.methods


def test_the_drawings_own_undo_leaves_what_was_moved_since(world):
    world.session.open(bundled("sources"))
    world.frontier.p = 0.25
    world.editor.undo()
    assert world.session.dataset.name == "breast_cancer"
    assert world.frontier.p == 0.25
    world.undo_stack.undo()
    assert world.frontier.p == 0.5
    world.undo_stack.redo()
    world.undo_stack.redo()
    assert (world.session.dataset.name, world.frontier.p) == ("sources", 0.25)


def test_undo_of_prices_takes_the_budget_back_that_followed_them(world):
    world.frontier.budget = 2.0
    priced = world.session.dataset.hypergraph
    dear = dict.fromkeys(priced.components, 1e4 / 3)
    world.context.problem.set_costs(dear, priced.unit, "Dearer")
    assert world.frontier.budget > 200.0
    world.undo_stack.undo()
    assert world.frontier.budget == 2.0


def test_a_step_on_another_page_leaves_nothing_for_the_drawing_to_redo(world):
    world.editor.receive({"op": "clear"})
    world.editor.undo()
    world.frontier.p = 0.25
    assert (world.editor.redoes, world.undo_stack.redoes) == ("", "")


def test_undo_on_one_page_leaves_what_the_app_did_on_another(world):
    world.frontier.alpha = 0.02
    with world.undo_stack.quiet():
        world.cascade.share = 0.8
    world.undo_stack.undo()
    assert (world.frontier.alpha, world.cascade.share) == (0.003, 0.8)
