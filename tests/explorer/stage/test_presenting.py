"""How much of a page is seen is the session's, and a link says it."""

from types import SimpleNamespace

from explorer.pages import all_pages
from explorer.session.context import Context
from explorer.session.state import SessionState
from explorer.session.url import PageUrl
from explorer.stage.presenting import Presenting
from tests.each import each


def opened(search):
    context, location = Context(SessionState()), SimpleNamespace(search=search)
    pages, built = all_pages(), {}

    def parts(name):
        if name not in built:
            built[name] = pages[name].build(context)
        return built[name]

    url = PageUrl(context, pages, parts, location, lambda said: None)
    url.read()
    return context.session, location


@each(
    ("search", "frame"),
    [("?present=1", "present"), ("?embed=1", "embed"), ("?present=yes", ""), ("", "")],
)
def test_a_link_asks_for_a_frame(search, frame):
    session, _ = opened(search)
    assert session.frame == frame


def test_what_is_presented_stays_in_the_address():
    session, location = opened("?present=1")
    session.page = "problem"
    assert "&present=1" in location.search
    session.frame = ""
    assert "present" not in location.search


def test_browser_and_session_agree():
    session = SessionState(frame="embed")
    shown = Presenting(session)
    assert shown.frame == "embed"
    session.frame = "present"
    assert shown.frame == "present"
    shown.frame = ""
    assert session.frame == ""
