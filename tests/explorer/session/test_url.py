"""The address and the session say the same, and what does not fit is told."""

from types import SimpleNamespace

import pytest

from explorer.pages.cascade.state import CascadeState
from explorer.pages.frontier.state import FrontierState
from explorer.session.context import Context
from explorer.session.page import PageParts
from explorer.session.state import SessionState, bundled
from explorer.session.url import MAX_TOLD, PageUrl


class Person:
    """A session of two pages behind an address."""

    def __init__(self, search):
        self.session = SessionState(dataset=bundled("breast_cancer"))
        self.context, self.told = Context(self.session), []
        self.location = SimpleNamespace(search=search)
        states = {
            "frontier": FrontierState(dataset=self.session.dataset),
            "cascade": CascadeState(),
        }
        self.parts = {
            name: PageParts(None, None, lambda: None, state)
            for name, state in states.items()
        }
        self.url = PageUrl(
            self.context, [*states], self.parts.get, self.location, self.told.append
        )
        with self.context.undo_stack.quiet():
            self.url.read()
            for name, parts in self.parts.items():
                self.url.follow(name, parts)

    def state(self, name):
        return self.parts[name].state


def test_what_is_asked_for_is_on_the_page():
    person = Person("?page=cascade&budget=3")
    assert person.session.page == "cascade"
    assert person.state("frontier").budget == 3.0
    assert person.told == []


def test_a_choice_is_in_the_address_and_opens_the_same():
    person = Person("?page=cascade")
    person.state("cascade").source = "breast_cancer"
    person.state("frontier").budget = 4.5
    again = Person(person.location.search)
    assert again.session.page == "cascade"
    assert again.state("cascade").source == "breast_cancer"
    assert again.state("frontier").budget == 4.5


def test_a_link_within_the_app_brings_its_page_to_the_front():
    person = Person("")
    person.url.go("?page=cascade&budget=2")
    assert person.session.page == "cascade"
    assert person.state("frontier").budget == 2.0


@pytest.mark.parametrize("asked", ["?budget=much", "?page=gone", "?g=broken"])
def test_what_does_not_fit_is_told_and_the_rest_is_used(asked):
    person = Person(asked)
    assert len(person.told) == 1
    assert person.session.page == "frontier"


def test_of_many_values_that_do_not_fit_the_first_are_told_and_the_others_counted():
    person = Person("")
    person.url._say([f"No {k}." for k in range(MAX_TOLD + 2)])
    assert person.told[-1].endswith("So are 2 more of its values.")


def test_in_a_notebook_nothing_is_linked():
    session = SessionState(dataset=bundled("breast_cancer"))
    url = PageUrl(Context(session), [], {}.get, None, print)
    url.read()
    assert url.asks == {}
