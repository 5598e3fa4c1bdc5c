"""A person at one page, computing on the thread of the test."""

from explorer.pages.trimming.page import TrimmingPage
from explorer.session.autosave import Autosave
from explorer.session.context import Context
from explorer.session.saved import read_session
from explorer.session.state import SessionState, bundled
from tests.explorer.worlds import DECLARED


class Person:
    """A session with one page in front, computing on the test's own thread."""

    def __init__(self, build, name):
        session = SessionState(page=name, dataset=bundled("breast_cancer"))
        self.context = Context(session)
        self.page = build(self.context)
        parts = self.parts = self.page.parts()
        kept = DECLARED[name][1]
        self.context.choices.adopt(name, parts.state, kept, parts.restored)
        self.state, self.start = parts.state, parts.start
        self.autosave = Autosave(self.context, DECLARED)

    def open(self, other):
        """Open another person's session."""
        saved = read_session(other.autosave.text(), DECLARED)
        self.autosave._take(saved, "Opened a session")


def trimmer():
    person = Person(TrimmingPage, "trimming")
    person.page.opening = person.page.search = AtOnce()
    person.start()
    return person


class AtOnce:
    """A job that is done before it is given."""

    message, progress = "", 0.0

    def submit(self, work, arrived, *_, **__):
        items = list(work())
        if items:
            arrived(items)

    def cancel(self):
        """There is nothing to stop."""
