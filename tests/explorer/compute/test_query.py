"""A question is asked once: kept answers come back, the newest one wins."""

import threading
import time

import param
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from explorer.compute import query as queries
from explorer.compute.query import Asker, Query, appended, newest
from solvers import ThriftscopeError
from tests.waiting import HANGS_SECONDS, until, until_idle


class Asked(param.Parameterized):
    """A state with one question, of its number, and one of several."""

    number = param.Integer(default=0)
    found = param.Parameter(default=())
    names = param.List(default=[])
    by_name = param.Dict(default={})


class Stage:
    """Where streams yield when they are told to, and say that they are at it."""

    def __init__(self, pause=0.0):
        self.running, self.most, self.begun, self.pause = set(), 0, [], pause
        self.gates = {}
        self._lock = threading.Lock()

    def stream(self, number, n_items=3):
        with self._lock:
            self.running.add(threading.get_ident())
            self.most = max(self.most, len(self.running))
            self.begun.append(number)
        try:
            for k in range(n_items):
                gate = self.gates.get(number)
                if gate is not None:
                    gate.acquire(timeout=HANGS_SECONDS)
                time.sleep(self.pause)
                yield number, k
        finally:
            with self._lock:
                self.running.discard(threading.get_ident())


@pytest.fixture
def stage():
    return Stage()


def numbered(stage, **more):
    return Query(
        "found",
        asks=lambda state: state.number,
        work=lambda state: stage.stream(state.number),
        follows=["number"],
        joins=appended,
        **more,
    )


def whole(number):
    return tuple((number, k) for k in range(3))


def named(work, **more):
    return Query(
        "by_name",
        asks=lambda state: {name: ("of", name) for name in state.names},
        work=work,
        follows=["names"],
        joins=appended,
        has_parts=True,
        keeps=8,
        **more,
    )


def test_what_is_asked_is_computed_as_the_state_changes(stage):
    state = Asked()
    asker = Asker(numbered(stage), state)
    asker.ask()
    until_idle(asker)
    assert state.found == whole(0)
    state.number = 1
    until_idle(asker)
    assert state.found == whole(1)
    assert asker.progress == 1.0


def test_a_kept_answer_comes_back_without_computing(stage):
    state = Asked()
    asker = Asker(numbered(stage, keeps=2), state)
    for number in (1, 2, 1, 2):
        state.number = number
        until_idle(asker)
        assert state.found == whole(number)
    assert stage.begun == [1, 2]
    state.number = 3  # the one that was asked for least recently is dropped
    until_idle(asker)
    state.number = 1
    until_idle(asker)
    assert stage.begun == [1, 2, 3, 1]


def test_the_old_answer_stays_until_the_first_item_of_the_new_one(stage):
    state = Asked()
    asker = Asker(numbered(stage), state)
    asker.ask()
    until_idle(asker)
    gate = stage.gates[5] = threading.Semaphore(0)
    state.number = 5
    until(lambda: 5 in stage.begun)
    assert state.found == whole(0)
    gate.release()
    until(lambda: state.found == ((5, 0),))
    gate.release(2)
    until_idle(asker)
    assert state.found == whole(5)


def test_the_newest_waits_for_the_one_at_hand_and_those_between_are_never_begun(
    stage, monkeypatch
):
    monkeypatch.setattr(queries, "PATIENCE_SECONDS", HANGS_SECONDS)
    state = Asked()
    asker = Asker(numbered(stage), state)
    gate = stage.gates[1] = threading.Semaphore(0)
    state.number = 1
    until(lambda: stage.begun == [1])
    for number in range(2, 100):
        state.number = number
    assert asker.busy
    gate.release()
    until_idle(asker)
    assert stage.begun == [1, 99]
    assert stage.most == 1
    assert state.found == whole(99)


def test_a_step_that_takes_too_long_is_not_waited_for(stage, monkeypatch):
    monkeypatch.setattr(queries, "PATIENCE_SECONDS", 0.01)
    state = Asked()
    asker = Asker(numbered(stage), state)
    gate = stage.gates[1] = threading.Semaphore(0)
    state.number = 1
    until(lambda: stage.begun == [1])
    state.number = 2
    until_idle(asker)
    assert state.found == whole(2)
    gate.release(3)
    until(lambda: not stage.running)
    assert state.found == whole(2)


def test_under_a_hand_that_never_rests_first_items_are_shown_one_at_a_time(stage):
    state, seen = Asked(), []
    state.param.watch(lambda event: seen.append(event.new), "found")
    asker = Asker(numbered(stage, trails=["number"]), state)
    gates = [threading.Semaphore(0) for _ in range(3)]
    stage.gates = dict(enumerate(gates, 1))
    state.number = 1
    until(lambda: stage.begun == [1])
    state.number = 2
    state.number = 3
    gates[0].release()
    until(lambda: seen == [((1, 0),)])
    gates[0].release()  # it lets go at its next item, and nothing more is seen of it
    gates[2].release(3)
    until_idle(asker)
    assert stage.begun == [1, 3]
    assert ((1, 0), (1, 1)) not in seen
    assert state.found == whole(3)
    assert list(asker.query.known(state)) == [3]


def test_what_is_no_move_of_a_hand_shows_nothing_of_the_question_before(stage):
    state, seen = Asked(), []
    asker = Asker(numbered(stage, trails=["found"]), state)
    state.param.watch(lambda event: seen.append(event.new), "found")
    gate = stage.gates[1] = threading.Semaphore(0)
    state.number = 1
    until(lambda: stage.begun == [1])
    state.number = 2
    gate.release(3)
    until_idle(asker)
    assert all(dict(found).keys() == {2} for found in seen)


def test_asking_again_for_what_is_under_way_changes_nothing(stage):
    state = Asked()
    asker = Asker(numbered(stage), state)
    gate = stage.gates[1] = threading.Semaphore(0)
    state.number = 1
    until(lambda: stage.begun == [1])
    asker.ask()
    gate.release(3)
    until_idle(asker)
    assert stage.begun == [1]


def with_one_item(stage):
    """A state that asks for three, of which one has come; what lets more come."""
    state = Asked()
    asker = Asker(numbered(stage), state)
    gate = stage.gates[1] = threading.Semaphore(1)
    state.number = 1
    until(lambda: state.found == ((1, 0),))
    return state, asker, gate


def test_cancelling_keeps_what_came_and_the_same_is_computed_when_asked_again(stage):
    state, asker, gate = with_one_item(stage)
    asker.cancel()
    assert not asker.busy
    gate.release(3)
    until(lambda: not stage.running)
    assert state.found == ((1, 0),)
    gate.release(3)
    asker.ask()
    until_idle(asker)
    assert state.found == whole(1)


def test_what_a_person_has_stopped_stays_so_until_something_else_is_asked(stage):
    state, asker, gate = with_one_item(stage)
    asker.interrupt()
    gate.release(3)
    asker.come_back()  # its page comes to the front again
    assert asker.is_cut
    assert not asker.busy
    state.number = 2
    until_idle(asker)
    assert state.found == whole(2)
    assert not asker.is_cut


def test_a_page_that_is_not_in_front_asks_nothing_and_catches_up_once(stage):
    state, seen = Asked(), []
    asker = Asker(numbered(stage), state, is_in_front=lambda: bool(seen))
    state.number = 1
    state.number = 2
    assert stage.begun == []
    seen.append("in front")
    asker.catch_up()
    until_idle(asker)
    asker.catch_up()
    assert stage.begun == [2]


def test_what_follows_is_told_when_the_answer_is_there_computed_or_kept(stage):
    state, told = Asked(), []
    query = numbered(stage, keeps=2)
    asker = Asker(query, state, then=lambda: told.append(state.found))
    for number in (1, 2, 1):
        state.number = number
        until_idle(asker)
    assert told == [whole(1), whole(2), whole(1)]


def test_parts_are_computed_in_order_and_known_one_by_one(stage):
    state = Asked()
    asker = Asker(named(lambda _, name: stage.stream(name)), state)
    state.names = ["a", "b"]
    until_idle(asker)
    state.names = ["c", "a"]
    until_idle(asker)
    assert stage.begun == ["a", "b", "c"]
    assert state.by_name == {"c": whole("c"), "a": whole("a")}
    assert list(state.by_name) == ["c", "a"]


def test_a_part_that_is_still_asked_for_goes_on_where_it_was(stage):
    state = Asked()
    asker = Asker(named(lambda _, name: stage.stream(name), n_abreast=2), state)
    gate = stage.gates["b"] = threading.Semaphore(1)
    state.names = ["a", "b"]
    until(lambda: "b" in state.by_name)
    state.names = ["c", "b"]
    assert state.by_name["b"] == (("b", 0),)
    gate.release(8)
    until_idle(asker)
    assert stage.begun == ["a", "b", "c"]
    assert state.by_name == {"c": whole("c"), "b": whole("b")}
    assert asker.query.known(state)["of", "b"] == whole("b")


def test_a_part_that_is_asked_for_no_more_is_closed(stage):
    state = Asked()
    asker = Asker(named(lambda _, name: stage.stream(name), n_abreast=2), state)
    gate = stage.gates["b"] = threading.Semaphore(1)
    state.names = ["a", "b"]
    until(lambda: "b" in state.by_name)
    state.names = ["b"]
    asker.cancel()
    gate.release(8)
    until(lambda: not stage.running)
    state.names = ["a"]
    until_idle(asker)
    assert stage.begun.count("b") == 1
    assert state.by_name == {"a": whole("a")}


def test_of_parts_that_go_abreast_a_short_one_is_there_before_a_long_one_ends(stage):
    lengths = {"long": 50, "short": 2, "third": 1}
    pulled = []

    def work(_, name):
        for item in stage.stream(name, lengths[name]):
            pulled.append(item)
            yield item

    state = Asked()
    asker = Asker(named(work, n_abreast=2), state)
    state.names = [*lengths]
    until_idle(asker)
    assert pulled[:5] == [
        *(("long", 0), ("short", 0), ("long", 1), ("short", 1)),
        ("long", 2),
    ]
    assert pulled.index(("third", 0)) < pulled.index(("long", 6))
    assert {name: len(found) for name, found in state.by_name.items()} == lengths


def test_of_what_a_hand_moves_the_first_part_is_not_slowed_by_others(stage):
    begun = []

    def work(_, name):
        for item in stage.stream(name):
            begun.append(name)
            yield item

    state = Asked()
    asker = Asker(named(work, n_abreast=2, trails=["names"]), state)
    state.names = ["a", "b"]
    until_idle(asker)
    assert begun == [*"aaabbb"]


def test_a_part_that_is_refused_says_so_and_the_others_go_on(stage):
    def work(_, name):
        yield from stage.stream(name)
        if name == "a":
            raise ThriftscopeError("It takes no such rows.")

    state = Asked()
    asker = Asker(named(work, title=lambda name: f"{name}: "), state)
    state.names = ["a", "b"]
    until_idle(asker)
    assert asker.message == "a: It takes no such rows."
    assert state.by_name["b"] == whole("b")
    assert ("of", "a") not in asker.query.known(state)


def test_one_part_is_stopped_and_the_others_go_on(stage):
    gate = stage.gates["a"] = threading.Semaphore(0)
    state = Asked()
    asker = Asker(named(lambda _, name: stage.stream(name)), state)
    state.names = ["a", "b", "c"]
    until(lambda: stage.begun == ["a"])
    asker.stop("a")
    asker.stop("b")
    gate.release(3)
    until_idle(asker)
    assert state.by_name == {"c": whole("c")}


def test_what_had_come_of_a_part_that_was_stopped_stays_until_as_much_comes_anew():
    allowed, seen = [2], []

    def stream(state, name):
        for k in range(3):
            while k >= allowed[0]:
                time.sleep(0.001)
                yield 0.5
            yield name, k

    def longer(cut, now):
        return max(cut, now or (), key=len)

    state = Asked(names=["a"])
    state.param.watch(lambda event: seen.append(len(event.new["a"])), "by_name")
    asker = Asker(named(stream, resumes=longer), state)
    for stop in (asker.interrupt, lambda: asker.stop("a"), asker.interrupt):
        asker.ask()
        until(lambda: asker.shares.get("a") == 0.5)
        stop()
        until_idle(asker)
        assert state.by_name["a"] == whole("a")[:2]
    allowed[0] = 3
    asker.ask()
    until_idle(asker)
    assert state.by_name["a"] == whole("a")
    assert seen == sorted(seen)


def test_a_stream_says_how_far_it_is_by_floats_that_are_no_items(stage):
    gate = threading.Semaphore(0)

    def work(_):
        yield 0.25
        gate.acquire(timeout=HANGS_SECONDS)
        yield "the answer"

    query = Query("found", asks=lambda s: s.number, work=work, joins=newest)
    state = Asked()
    asker = Asker(query, state)
    asker.ask()
    until(lambda: asker.progress == 0.25)
    assert state.found == ()
    gate.release()
    until_idle(asker)
    assert state.found == "the answer"


def test_a_first_answer_stands_until_the_whole_has_come_and_is_not_kept(stage):
    gate = stage.gates[1] = threading.Semaphore(0)
    query = numbered(
        stage,
        coarse=lambda state: iter([("coarse", state.number)]),
        refines=lambda coarse, answer: (*(answer or ()), *coarse),
    )
    state = Asked()
    asker = Asker(query, state)
    state.number = 1
    until(lambda: state.found == (("coarse", 1),))
    # What stands is part of what is done.
    assert asker.progress == pytest.approx(1 / (query.expects + 1))
    gate.release()
    until(lambda: state.found == ((1, 0), ("coarse", 1)))
    gate.release(2)
    until_idle(asker)
    assert state.found == query.known(state)[1] == whole(1)
    gate.release(3)
    assert query.answer(Asked(number=1)) == whole(1)


class NewestWins(RuleBasedStateMachine):
    """Moves, kept answers, cancelling and coming to the front, in any order."""

    @initialize()
    def begin(self):
        self.stage, self.seen = Stage(pause=0.002), True
        self.query = numbered(self.stage, keeps=3)
        self.state = Asked()
        self.is_cancelled = False
        self.asker = Asker(self.query, self.state, is_in_front=lambda: self.seen)
        self.asker.ask()

    @rule(number=st.integers(0, 6))
    def move(self, number):
        if number != self.state.number:
            known = number in self.query.known(self.state)
            begun = len(self.stage.begun)
            self.state.number, self.is_cancelled = number, False
            if known and self.seen:
                assert self.state.found == whole(number)
                assert number not in self.stage.begun[begun:]

    @rule()
    def cancel(self):
        self.asker.cancel()
        assert not self.asker.busy
        self.is_cancelled = True

    @rule()
    def ask(self):
        self.asker.ask()
        self.is_cancelled = False

    @rule(is_seen=st.booleans())
    def turn(self, is_seen):
        self.seen = is_seen
        if is_seen:
            self.asker.catch_up()

    @rule()
    def rest(self):
        until_idle(self.asker)
        if self.seen and not self.is_cancelled:
            assert self.state.found == whole(self.state.number)

    @invariant()
    def one_is_at_it(self):
        if hasattr(self, "stage"):
            assert self.stage.most <= 1

    @invariant()
    def what_is_kept_is_whole(self):
        if hasattr(self, "query"):
            for number, answer in list(self.query.known(self.state).items()):
                assert answer == whole(number)


NewestWins.TestCase.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None
)
TestNewestWins = NewestWins.TestCase
