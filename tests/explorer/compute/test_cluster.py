"""Without a cluster all is computed here; with one, what it does not answer is."""

import logging

import pytest

from explorer.commands.cli import main
from explorer.compute import cluster
from explorer.compute.query import Asker
from solvers.frontier import ClusterError
from tests.explorer.compute.test_query import Asked, named
from tests.waiting import until_idle


def three(name):
    yield from ((name, k) for k in range(3))


class Elsewhere:
    """A cluster that notes what it is asked, and answers or refuses."""

    def __init__(self, answers=True):
        self.answers, self.begun, self.closed = answers, [], []

    def stream(self, work, *arguments, **_):
        return Question(self, work, arguments)


class Question:
    def __init__(self, of, work, arguments):
        self.of, self.work, self.arguments = of, work, arguments

    def begin(self):
        if self.arguments not in self.of.begun:
            self.of.begun.append(self.arguments)

    def close(self):
        self.of.closed.append(self.arguments)

    def __iter__(self):
        self.begin()
        yield from (None, 0.5)
        if not self.of.answers:
            raise ClusterError("Gone.")
        yield from self.work(*self.arguments)


def asked_of(elsewhere, monkeypatch, names):
    monkeypatch.setattr(cluster, "_cluster", elsewhere)
    state = Asked(names=names)
    asker = Asker(named(lambda state, name: cluster.computed(three, name)), state)
    asker.ask()
    until_idle(asker)
    return state, asker


NAMES = [*"abcdef"]
WHOLE = {name: tuple((name, k) for k in range(3)) for name in NAMES}


def test_parts_are_asked_ahead_and_given_up_in_the_end(monkeypatch):
    elsewhere = Elsewhere()
    state, asker = asked_of(elsewhere, monkeypatch, NAMES)
    assert state.by_name == WHOLE
    assert elsewhere.begun == [(name,) for name in NAMES]
    assert {*elsewhere.closed} == {*elsewhere.begun}
    assert asker.message == ""


def test_what_a_cluster_does_not_answer_is_computed_here(monkeypatch, caplog):
    with caplog.at_level(logging.WARNING):
        state, asker = asked_of(Elsewhere(answers=False), monkeypatch, NAMES)
    assert state.by_name == WHOLE
    assert asker.message == ""
    assert "Gone. Computed here instead." in caplog.text


def test_without_a_cluster_it_is_the_work_itself():
    assert type(cluster.computed(three, "a")) is type(three("a"))


def test_a_scheduler_that_does_not_answer_is_refused_before_anything_is_served(
    monkeypatch, capsys
):
    pytest.importorskip("distributed")
    monkeypatch.setattr("solvers.frontier.cluster._CONNECT_SECONDS", 0.3)
    asked = ["serve", "--no-browser", "--port=0", "--scheduler=tcp://127.0.0.1:9"]
    assert main(asked) == 2
    assert "No Dask scheduler answers at 'tcp://127.0.0.1:9'" in capsys.readouterr().err
