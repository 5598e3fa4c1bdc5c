"""What a link to the trimming page asks for is what is searched."""

from types import SimpleNamespace

import pytest

from explorer.pages.frontier.state import FrontierState
from explorer.pages.trimming.page import TrimmingPage
from explorer.pages.trimming.state import TrimmingState
from explorer.session.context import Context
from explorer.session.declared import link_names
from explorer.session.link import read_page_link, write_page_link
from explorer.session.page import PageParts
from explorer.session.state import SessionState
from explorer.session.url import PageUrl
from tests.explorer.session.person import AtOnce, trimmer
from tests.waiting import until

LINK = link_names(TrimmingState)


def opened(query):
    page = TrimmingPage(Context(SessionState(page="trimming")))
    read_page_link(query, page.state, LINK)
    page.parts().start()
    until(lambda: page.state.log is not None and page.state.log.is_complete)
    return page.state


def test_a_link_restores_network_threshold_and_budget():
    question = opened("?network=fig3&T=0.3&B=1").log.question
    assert question.original.features == ("F1", "F2", "F3")
    assert (question.threshold, question.budget) == (0.3, 1.0)


def test_a_link_restores_the_target():
    assert opened(
        "?network=quiz&target=Q3&positive=-"
    ).log.question.original.target == ("Q3")


def test_a_link_that_is_written_reads_the_same():
    state = opened("?network=fig3&T=0.3&B=1&target=F3")
    again = opened("?" + write_page_link(state, LINK).lstrip("&"))
    for name in LINK:
        assert getattr(again, name) == getattr(state, name)


@pytest.mark.parametrize("query", ["?network=<b>&T=7&B=-3&target=<i>", "?T=nan&B=x"])
def test_a_hostile_link_is_left_out(query):
    state = opened(query)
    assert (state.source, state.threshold) == ("session", 0.5)
    assert state.target == "class"


def linked(query, is_quick=True, **kept):
    """A person who opens a link in a browser that has kept other choices."""
    person = trimmer()
    pages = {"trimming": person.parts, "frontier": NOTHING}
    location = SimpleNamespace(search=query)
    url = PageUrl(person.context, [*pages], pages.get, location, print)
    with person.context.undo_stack.quiet():
        url.follow("trimming", pages["trimming"])
        person.page.opening = person.page.opening if is_quick else Later()
        if kept:
            person.context.choices.set("trimming", kept)
    if kept:
        url.override()
        if not is_quick:
            person.page.opening.run()
    return person.state


class Later(AtOnce):
    """A job that is done when the test says so, unless it is not wanted any more."""

    given = ()

    def submit(self, *given, **_):
        self.given = given

    def cancel(self):
        self.given = ()

    def run(self):
        if self.given:
            super().submit(*self.given)


NOTHING = PageParts(None, None, print, FrontierState())


@pytest.mark.parametrize(("columns", "is_quick"), [(7, True), (9, True), (9, False)])
def test_a_link_to_a_network_brings_its_own_features_whatever_was_kept(
    columns, is_quick
):
    query = f"?page=trimming&network=breast_cancer&columns={columns}&B=3"
    fresh = linked(query)
    seven = linked("?page=trimming&network=breast_cancer&columns=7").features
    kept = linked(
        query,
        is_quick,
        n_columns=7,
        features=seven,
        target="class",
        threshold=0.2,
        budget=2.0,
    )
    assert len(kept.opened.network.states) == columns + 1
    assert len(fresh.features) == columns
    for name in LINK:
        assert getattr(kept, name) == getattr(fresh, name), name
