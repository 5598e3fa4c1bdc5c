"""The address and the session say the same, and what does not fit is told."""

import re
from types import SimpleNamespace

from explorer.pages.cascade.state import CascadeState
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.context import Context
from explorer.session.declared import kept_names
from explorer.session.link import write_link
from explorer.session.page import PageParts
from explorer.session.saved_drawing import graph_text
from explorer.session.state import SessionState, bundled
from explorer.session.url import MAX_TOLD, PageUrl
from solvers import FeatureHypergraph
from tests.each import each


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
            name: PageParts(None, lambda: None, lambda: None, state)
            for name, state in states.items()
        }
        self.url = PageUrl(
            self.context, [*states], self.parts.get, self.location, self.told.append
        )
        self.session.param.watch(
            lambda event: states["frontier"].open_dataset(event.new), "dataset"
        )
        with self.context.undo_stack.quiet():
            for name, state in states.items():
                self.context.choices.adopt(name, state, kept_names(type(state)))
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


def test_a_budget_stands_at_the_prices_that_its_link_carries():
    """It was read at those of the data before, and lost when these were drawn."""
    graph = FeatureHypergraph.independent([40.0, 3.0, 1.0], ["a", "b", "c"])
    for asked in (9.0, 43.5):  # dearer than all of the data that opens first
        person = Person(f"?budget={asked}&g={graph_text(graph)}")
        assert person.state("frontier").dataset.feature_names == ("a", "b", "c")
        assert person.state("frontier").budget == asked


def test_a_choice_is_in_the_address_and_opens_the_same():
    person = Person("?page=cascade")
    person.state("cascade").source = "breast_cancer"
    person.state("frontier").budget = 4.5
    again = Person(person.location.search)
    assert again.session.page == "cascade"
    assert again.state("cascade").source == "breast_cancer"
    assert again.state("frontier").budget == 4.5


def test_of_a_pick_and_another_budget_the_address_says_what_stands():
    few = {"l1.n_alphas": 12}
    state = FrontierState(
        dataset=bundled("breast_cancer"), methods=["l1"], settings=few
    )
    TRACES.answer(state)
    state.choose_point(state.frontier().points[3])
    link = write_link(SessionState(dataset=state.dataset), state)
    person = Person(re.sub("budget=[^&]*", "budget=1", link))
    assert person.state("frontier").chosen().reason == "picked"
    assert person.location.search == link


def test_a_link_within_the_app_brings_its_page_to_the_front():
    person = Person("")
    person.url.go("?page=cascade&budget=2")
    assert person.session.page == "cascade"
    assert person.state("frontier").budget == 2.0


@each("asked", ["?budget=much", "?page=gone", "?g=broken"])
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


KEPT = {
    "frontier": {"methods": ["csdt"], "alpha": 0.5},
    "cascade": {"share": 0.4, "order": "random"},
}


def after(kept, search):
    """A person whose browser has kept choices, and who then opens a link."""
    person = Person(search)
    for page, values in kept.items():
        person.context.choices.set(page, values)
    person.url.override()
    return person


@each("search", ["?data=heart&budget=50", "?page=cascade&data=heart&exit=0.2"])
def test_a_link_that_names_data_opens_the_same_whatever_was_kept(search):
    kept, fresh = after(KEPT, search), after({}, search)
    pages = ("frontier", "cascade") if "cascade" in search else ("frontier",)
    for page in pages:
        assert kept.context.choices.values(page) == fresh.context.choices.values(page)


def test_what_a_link_does_not_speak_of_stays_as_it_was_kept():
    assert after(KEPT, "?data=heart").state("cascade").share == 0.4
    assert after(KEPT, "?lambda=0.2").state("frontier").methods == ["csdt"]


def test_a_link_that_names_a_table_of_its_page_forgets_nothing_of_others():
    person = after(KEPT, "?page=cascade&table=breast_cancer")
    assert person.state("cascade").share != 0.4
    assert person.state("frontier").alpha == 0.5


def test_undo_brings_back_what_a_link_made_forget():
    person = after(KEPT, "?data=heart")
    person.context.undo_stack.undo()
    assert person.state("frontier").methods == ["csdt"]


def test_a_link_to_three_classes_ticks_what_a_first_visit_does():
    kept = {"frontier": {"methods": ["l1"]}}
    link = "?data=scenes"
    methods = after(kept, link).state("frontier").methods
    assert methods == after({}, link).state("frontier").methods
