"""Workers end their turns when the interpreter ends, and begin none after that."""

import threading
import time

from explorer.compute.workers import Workers
from tests.waiting import HANGS_SECONDS, until


class Turns:
    """Work of endless turns, each as long as the test lets it be."""

    sign_at, is_stale, is_awaited, is_elsewhere = 0.0, False, False, False

    def __init__(self):
        self.begun, self.n_ended = threading.Event(), 0
        self.go_on = threading.Event()

    def __call__(self):
        self.begun.set()
        self.go_on.wait(HANGS_SECONDS)
        self.n_ended += 1
        return True

    def check(self):
        pass


class Once(Turns):
    """Work of one turn."""

    def __call__(self):
        super().__call__()
        return False


def test_the_turn_that_runs_is_waited_for_and_none_follows():
    workers, work = Workers(n_threads=1, most_lost=0, patience=60), Turns()
    workers.submit(work)
    assert work.begun.wait(HANGS_SECONDS)
    threading.Timer(0.05, work.go_on.set).start()
    workers.end(seconds=HANGS_SECONDS)
    assert work.n_ended == 1
    time.sleep(0.05)
    assert work.n_ended == 1


def test_workers_are_idle_while_nothing_is_asked_of_them():
    workers, work = Workers(n_threads=1, most_lost=0, patience=60), Once()
    assert workers.is_idle
    workers.submit(work)
    assert not workers.is_idle
    work.go_on.set()
    until(lambda: workers.is_idle)
    assert work.n_ended == 1


def test_what_does_not_come_back_is_waited_for_but_a_moment():
    workers, work = Workers(n_threads=1, most_lost=0, patience=60), Turns()
    workers.submit(work)
    assert work.begun.wait(HANGS_SECONDS)
    workers.end(seconds=0.05)  # comes back, though nothing lets the work go on
    assert work.n_ended == 0
    work.go_on.set()


def test_one_thread_is_kept_free_of_what_is_long():
    workers = Workers(n_threads=2, most_lost=0, patience=60)
    long = Turns(), Turns()
    for work in long:
        workers.submit(work, is_long=True)
    assert long[0].begun.wait(HANGS_SECONDS)
    short = Turns()
    workers.submit(short)
    assert short.begun.wait(HANGS_SECONDS)
    assert not long[1].begun.is_set()
    long[0].go_on.set()
    assert long[1].begun.wait(HANGS_SECONDS), "they take turns on the other one"
    for work in (*long, short):
        work.go_on.set()
    workers.end(seconds=HANGS_SECONDS)


def test_what_is_long_goes_on_where_one_thread_is_all_there_is():
    workers, work = Workers(n_threads=1, most_lost=0, patience=60), Turns()
    workers.submit(work, is_long=True)
    assert work.begun.wait(HANGS_SECONDS)
    work.go_on.set()
    workers.end(seconds=HANGS_SECONDS)


class Shown:
    """Work of some turns, of which the last ones show something."""

    sign_at, is_stale, is_elsewhere = 0.0, False, False

    def __init__(self, order, name, n_turns, n_unseen):
        self.order, self.name, self.n_turns = order, name, n_turns
        self.n_unseen, self.n_had = n_unseen, 0

    @property
    def is_awaited(self):
        return self.n_had < self.n_unseen

    def __call__(self):
        self.order.append(self.name)
        self.n_had += 1
        return self.n_had < self.n_turns

    def check(self):
        pass


def test_what_has_shown_nothing_yet_comes_before_all_that_has():
    workers, gate, order = Workers(1, most_lost=0, patience=60), Turns(), []
    workers.submit(gate)
    assert gate.begun.wait(HANGS_SECONDS)
    seen = Shown(order, "seen", 6, 0)
    awaited = Shown(order, "awaited", 14, 10)
    endless = Shown(order, "endless", 200, 200)
    for work in (seen, awaited, endless):
        workers.submit(work)
    gate.go_on.set()
    until(lambda: endless.n_had == 200)
    workers.end(seconds=HANGS_SECONDS)
    told = [name for name in order if name != "endless"]
    seen_at = [place for place, name in enumerate(told) if name == "seen"]
    # Two turns each at first; then the one that is waited for has all that it needs.
    assert seen_at[:3] == [0, 3, 2 + awaited.n_unseen]
    # What is not seen for very long does not keep all others from theirs.
    assert order[-100:] == ["endless"] * 100


def test_what_nobody_waits_for_is_let_go_of_first():
    workers, gate, order = Workers(1, most_lost=0, patience=60), Turns(), []
    workers.submit(gate)
    assert gate.begun.wait(HANGS_SECONDS)
    works = [Shown(order, name, 1, 0) for name in ("first", "second", "stale")]
    works[-1].is_stale = True
    for work in works:
        workers.submit(work)
    gate.go_on.set()
    until(lambda: len(order) == len(works))
    workers.end(seconds=HANGS_SECONDS)
    assert order == ["stale", "first", "second"]


class Elsewhere(Turns):
    """Work that only looks at what is computed elsewhere."""

    is_elsewhere = True

    def __init__(self):
        super().__init__()
        self.n_looks = 0

    def __call__(self):
        self.n_looks += 1
        return not self.go_on.is_set()


def test_what_is_computed_elsewhere_holds_no_thread_and_is_held_up_by_no_other():
    workers, order = Workers(n_threads=1, most_lost=0, patience=60), []
    looking = [Elsewhere() for _ in range(3)]
    for one in looking:
        workers.submit(one, is_long=True)
    workers.submit(Shown(order, "here", 3, 0), is_long=True)
    until(lambda: len(order) == 3)
    seen = [one.n_looks for one in looking]
    until(lambda: all(one.n_looks > n for one, n in zip(looking, seen, strict=True)))
    for one in looking:
        one.go_on.set()
