"""A person at one page, computing on the thread of the test."""

from explorer.compute.jobs import immediately
from explorer.compute.waiting import WAITING
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
    person.page.opening = AtOnce()
    for asker in (person.page.search, person.page.further):
        # On a page what is asked is posted: it comes after the step that asked it.
        asker.submit, asker._post = answered_at_once, immediately
    person.start()
    return person


def found(work):
    """Return the items of some work, without the signs that it is elsewhere."""
    return [item for item in work() if item is not WAITING]


def answered_at_once(work, arrived, done=None, **_):
    """Compute on the test's own thread; stands in for a job's `submit`."""
    items = found(work)
    if items:
        arrived(items)
    if done is not None:
        done()


class AtOnce:
    """A job that is done before it is given."""

    message, progress = "", 0.0

    def submit(self, work, arrived, *_, **__):
        items = found(work)
        if items:
            arrived(items)

    def cancel(self):
        """There is nothing to stop."""
