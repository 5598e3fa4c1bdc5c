"""Choices of pages, built or not: kept, told, and only what fits."""

import param
import pytest

from explorer.session.choices import Choices
from solvers.errors import KnobError
from tests.each import each


class PageState(param.Parameterized):
    """A page whose target must be one of its source."""

    source = param.Selector(default="a", objects=["a", "b"])
    target = param.String(default="", label="The target")
    listed = param.List(default=[])

    @param.depends("target", watch=True)
    def _refuse(self):
        if self.target == "wrong":
            raise KnobError("target is 'wrong'; choose another.")


NAMES = ("source", "target", "listed")


@pytest.fixture
def adopted():
    choices, state = Choices(), PageState()
    choices.adopt("page", state, NAMES)
    return choices, state


def test_choices_of_a_page_that_is_not_built_wait_for_it():
    choices, state = Choices(), PageState()
    choices.set("page", {"source": "b", "target": "x"})
    assert not choices.is_followed("page")
    assert choices.values("page") == {"source": "b", "target": "x"}
    choices.adopt("page", state, NAMES)
    assert (state.source, state.target) == ("b", "x")
    assert choices.is_followed("page")


def test_values_are_copies(adopted):
    choices, state = adopted
    state.listed = [1]
    choices.values("page")["listed"].append(2)
    assert state.listed == [1]
    given = {"listed": [3]}
    choices.set("page", given)
    given["listed"].append(4)
    assert state.listed == [3]


@each("value", ["c", 5])
def test_what_does_not_fit_leaves_the_choice_as_it_was(adopted, value):
    choices, state = adopted
    choices.set("page", {"source": value, "target": "y"})
    assert (state.source, state.target) == ("a", "y")


def test_names_that_the_page_does_not_know_are_passed_over(adopted):
    choices, state = adopted
    choices.set("page", {"colour": "red"})
    assert not hasattr(state, "colour")


def test_listeners_are_told_what_changed_where(adopted):
    choices, state = adopted
    told = []
    choices.listeners.append(lambda page, names: told.append((page, names)))
    state.target = "z"
    assert told == [("page", ["target"])]


def test_a_page_hears_that_it_was_set_only_if_something_was():
    choices, state, heard = Choices(), PageState(), []
    choices.adopt("page", state, NAMES, lambda: heard.append(state.target))
    assert heard == []
    choices.set("page", {"target": "x"})
    choices.set("page", {})
    assert heard == ["x"]


def test_a_choice_is_called_what_its_page_calls_it(adopted):
    choices, _ = adopted
    assert choices.label("page", "target") == "The target"
    assert choices.label("elsewhere", "target") == "target"


def test_everything_is_by_page_without_those_that_chose_nothing(adopted):
    choices, _ = adopted
    choices.set("later", {"x": 1})
    choices.set("never", {})
    assert set(choices.everything()) == {"page", "later"}
