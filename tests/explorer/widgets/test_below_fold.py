"""What stands below the fold waits for a person, or for a server with nothing to do."""

import pytest
from bokeh.document import Document

from explorer.compute.jobs import immediately
from explorer.widgets import below_fold
from explorer.widgets.below_fold import AT_ONCE, BelowFold


class Served:
    """A document of a session; its timer is told when to ring."""

    session_context = "a session"

    def __init__(self):
        self.models = Document().models
        self.timers = []

    def add_timeout_callback(self, call, _):
        self.timers.append(call)

    def ring(self):
        self.timers.pop()()


@pytest.fixture
def served():
    document = Served()
    fold = BelowFold(immediately)
    fold._document = document
    return fold, document


def ask(fold, n):
    made = []
    for number in range(n):
        fold.post(lambda number=number: made.append(number))
    return made


def test_without_a_server_nothing_waits():
    assert ask(BelowFold(immediately), 2) == [0, 1]


def test_what_is_scrolled_to_is_made_at_once_and_in_order(served):
    fold, _ = served
    made = ask(fold, 5)
    assert made == []
    fold.in_sight = True
    assert made == [0, 1, 2, 3, 4]
    assert ask(fold, 1) == [0]  # nor does what comes later wait


def test_an_idle_server_makes_a_few_at_a_time_without_a_person(served, monkeypatch):
    fold, document = served
    monkeypatch.setattr(below_fold.time, "process_time", lambda: 7.0)
    made = ask(fold, AT_ONCE + 1)
    document.ring()
    assert len(made) == AT_ONCE
    document.ring()
    assert len(made) == AT_ONCE + 1
    document.ring()
    assert not document.timers


def test_a_busy_server_waits(served, monkeypatch):
    fold, document = served
    seconds = iter(range(100))
    monkeypatch.setattr(below_fold.time, "process_time", lambda: next(seconds))
    made = ask(fold, 1)
    for _ in range(5):
        document.ring()
    assert made == []


def test_pages_do_not_all_find_the_server_idle_at_once(monkeypatch):
    seconds, made, documents, posted = [0.0], [], [], []

    def make():
        made.append(True)
        seconds[0] += 0.2

    monkeypatch.setattr(below_fold.time, "process_time", lambda: seconds[0])
    for _ in range(3):
        fold = BelowFold(posted.append)
        fold._document = Served()
        documents.append(fold._document)
        fold.post(make)
    for look_later in posted:
        look_later()
    for document in documents:
        document.ring()
    for later in posted[len(documents) :]:
        later()
    assert len(made) == 1
