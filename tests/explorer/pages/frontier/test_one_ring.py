"""Budget and λ move one ring: whichever was touched last leads; one undo undoes it."""

import pytest

from explorer.pages.frontier.queries import MARKS
from explorer.session.state import bundled
from solvers import free_scores
from tests.explorer.worlds import World


@pytest.fixture
def world():
    made = World(bundled("breast_cancer"))
    made.frontier.methods = ["l1"]
    return made


def mark(state, alpha):
    """Move λ as its slider does, with the model at it already known."""
    state.param.update(alpha=alpha, reason="alpha")
    MARKS.answer(state)


def test_the_budget_stands_at_the_model_that_lambda_asks_for(world):
    state = world.frontier
    for alpha in (0.01, 0.1):
        mark(state, alpha)
        chosen = state.chosen()
        assert chosen.reason == "alpha"
        assert state.budget == pytest.approx(state.axes().held(chosen.point))
    state.param.update(budget=5.0, reason="budget")
    mark_before = state.marks["l1"]
    state.marks = {"l1": mark_before}
    assert state.budget == 5.0


def test_a_drag_of_lambda_is_one_step_though_the_budget_goes_along(world):
    state, before = world.frontier, world.frontier.budget
    alpha = state.alpha
    for value in (0.01, 0.03, 0.1):
        mark(state, value)
    assert state.budget != before
    world.undo_stack.undo()
    assert (state.alpha, state.reason) == (alpha, "budget")
    assert state.budget == before


def test_what_calling_every_row_positive_scores_is_told_of_test_rows(world):
    state = world.frontier
    assert state.floor() == free_scores(state.split())["test"]
