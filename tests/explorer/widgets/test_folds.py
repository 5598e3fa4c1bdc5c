"""Open panels are names in the state, and the names there are open panels."""

import panel as pn
import panel_material_ui as pmui
import param
import pytest

from explorer.widgets.folds import Fold, bind_folds, unfold


class State(param.Parameterized):
    unfolded = param.List(default=[])


@pytest.fixture
def state():
    return State(unfolded=["second", "of another accordion"])


@pytest.fixture
def accordion(state):
    found = pmui.Accordion(pn.Column(name="One"), pn.Column(name="Two"))
    bind_folds(found, state, lambda: ["first", "second"])
    return found


def test_what_a_link_opened_is_open(accordion):
    assert accordion.active == [1]


def test_a_panel_that_is_opened_or_closed_is_told(accordion, state):
    accordion.active = [0, 1]
    assert {*state.unfolded} == {"first", "second", "of another accordion"}
    accordion.active = []
    assert state.unfolded == ["of another accordion"]


def test_a_state_that_is_set_opens_and_closes(accordion, state):
    state.unfolded = ["first"]
    assert accordion.active == [0]
    state.unfolded = ["gone", "first", "second"]
    assert accordion.active == [0, 1]
    assert state.unfolded == ["gone", "first", "second"]


@pytest.fixture
def fold(state):
    return Fold("Title", pn.pane.HTML("inside"), state, "second")


def below(fold):
    return fold.__panel__()[1:]


def test_what_is_folded_is_not_sent(fold, state):
    assert fold.is_open
    assert below(fold)
    state.unfolded = ["of another accordion"]
    assert not below(fold)


def test_a_press_on_the_heading_is_told_and_leaves_others_open(fold, state):
    fold._head.is_open = False
    assert state.unfolded == ["of another accordion"]
    fold._head.is_open = True
    assert {*state.unfolded} == {"second", "of another accordion"}


def test_what_is_unfolded_opens_once_and_leaves_others_open(state):
    unfold(state, "first")
    unfold(state, "first")
    assert state.unfolded == ["second", "of another accordion", "first"]


def test_what_is_never_opened_is_never_made_and_what_is_opened_is_made_once(state):
    made = []

    def make():
        made.append(pn.pane.HTML("inside"))
        return made[-1]

    fold = Fold("Title", make, state, "third")
    assert made == []
    for _ in range(2):
        unfold(state, "third")
        assert below(fold) == made
        state.unfolded = []
    assert len(made) == 1


def test_what_opens_within_opens_what_holds_it_which_can_be_closed_again(state):
    holder = Fold("Holder", pn.pane.HTML("inside"), state, "all", holds=["inner"])
    assert not holder.is_open
    unfold(state, "inner")
    assert holder.is_open
    holder._head.is_open = False
    assert state.unfolded == ["second", "of another accordion", "inner"]
    assert not holder.is_open
    assert Fold("Holder", "", state, "all", holds=["inner"]).is_open
