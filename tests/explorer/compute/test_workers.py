"""Workers end their turns when the interpreter ends, and begin none after that."""

import threading
import time

from explorer.compute.workers import Workers
from tests.waiting import HANGS_SECONDS


class Turns:
    """Work of endless turns, each as long as the test lets it be."""

    sign_at, is_stale = 0.0, False

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


def test_the_turn_that_runs_is_waited_for_and_none_follows():
    workers, work = Workers(n_threads=1, most_lost=0, patience=60), Turns()
    workers.submit(work)
    assert work.begun.wait(HANGS_SECONDS)
    threading.Timer(0.05, work.go_on.set).start()
    workers.end(seconds=HANGS_SECONDS)
    assert work.n_ended == 1
    time.sleep(0.05)
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
