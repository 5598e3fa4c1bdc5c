"""What a link to the trimming page asks for is what is searched."""

from functools import cache
from types import SimpleNamespace

from explorer.pages.frontier.state import FrontierState
from explorer.pages.trimming.page import TrimmingPage
from explorer.pages.trimming.state import TrimmingState
from explorer.session.context import Context
from explorer.session.declared import link_names
from explorer.session.link import read_page_link, write_page_link
from explorer.session.page import PageParts
from explorer.session.state import SessionState
from explorer.session.url import PageUrl
from tests.each import each
from tests.explorer.session.person import AtOnce, trimmer
from tests.waiting import until

LINK = link_names(TrimmingState)


def opened(query):
    page = TrimmingPage(Context(SessionState(page="trimming")))
    read_page_link(query, page.state, LINK)
    page.parts().start()

    def is_there():
        log, is_at_work = page.state.log, page.opening.busy or page.search.busy
        return log is not None and log.is_complete and not is_at_work

    until(is_there)
    return page.state


def test_a_link_restores_what_is_asked_and_reads_the_same_once_it_is_written():
    assert [*opened("?network=fig3").features] == ["F1", "F2", "F3"]
    state = opened("?network=fig3&T=0.3&B=1&target=F3")
    question = state.log.question
    assert question.original.target == "F3"
    assert (question.threshold, question.budget) == (0.3, 1.0)
    again = opened("?" + write_page_link(state, LINK).lstrip("&"))
    for name in LINK:
        assert getattr(again, name) == getattr(state, name)


@each("query", ["?network=<b>&T=7&B=-3&target=<i>", "?T=nan&B=x"])
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


NOTHING = PageParts(None, print, print, FrontierState())


@cache
def fresh_of(columns):
    """A person who opens a link in a browser that has kept nothing."""
    return linked(LEARNED.format(columns))


LEARNED = "?page=trimming&network=breast_cancer&columns={}&B=3"


@each(("columns", "is_quick"), [(7, True), (9, True), (9, False)])
def test_a_link_to_a_network_brings_its_own_features_whatever_was_kept(
    columns, is_quick
):
    fresh = fresh_of(columns)
    kept = linked(
        LEARNED.format(columns),
        is_quick,
        n_columns=7,
        features=fresh_of(7).features,
        target="class",
        threshold=0.2,
        budget=2.0,
    )
    assert len(kept.opened.network.states) == columns + 1
    assert len(fresh.features) == columns
    for name in LINK:
        assert getattr(kept, name) == getattr(fresh, name), name
