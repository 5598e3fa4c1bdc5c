"""A newer request wins, nothing stale is drawn, and every failure is a sentence."""

import threading
import time

import numpy as np
import pytest

from explorer.compute import jobs as jobs_module
from explorer.compute.jobs import STREAM_SHARE, Job, _Frames, immediately
from solvers import ThriftscopeError
from tests.waiting import HANGS_SECONDS, until


class Page:
    """Stands for the page's thread: callbacks queue up until they are run."""

    def __init__(self):
        self.queue = []
        self.lock = threading.Lock()

    def post(self, callback):
        with self.lock:
            self.queue.append(callback)

    def run(self):
        with self.lock:
            callbacks, self.queue = self.queue, []
        for callback in callbacks:
            callback()

    def run_until(self, condition):
        until(condition, self.run)


@pytest.fixture
def page():
    return Page()


def test_what_is_called_back_at_once_is_called_by_one_thread_at_a_time():
    inside, most = [], []

    def drawn():
        inside.append(1)
        time.sleep(0.01)  # for another to come between
        most.append(len(inside))
        inside.pop()

    threads = [threading.Thread(target=immediately, args=(drawn,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 5


def test_items_arrive_in_order_and_once(page):
    job, arrived = Job(page.post), []
    job.submit(lambda: iter(range(100)), arrived.extend)
    page.run_until(lambda: not job.busy)
    assert arrived == list(range(100))
    assert job.progress == 1.0
    assert job.completed == 1


def test_many_quick_requests_end_in_one_complete_result(page):
    job, results, last = Job(page.post), {}, threading.Event()

    def work(number):
        for step in range(20):
            yield number, step
            if step == 10:
                assert last.wait(HANGS_SECONDS)

    def collect(items):
        for number, step in items:
            results.setdefault(number, []).append(step)

    for number in range(12):
        job.submit(lambda number=number: work(number), collect)
        page.run()
    last.set()
    page.run_until(lambda: not job.busy)
    assert results[11] == list(range(20))
    assert job.completed == 1


def test_stale_items_are_not_delivered(page):
    job, arrived, gate = Job(page.post), [], threading.Event()

    def slow():
        yield "old"
        gate.wait(HANGS_SECONDS)
        yield "older"

    job.submit(slow, arrived.extend)
    while not page.queue:
        time.sleep(0.001)
    job.submit(lambda: iter(["new"]), arrived.extend)
    gate.set()
    page.run_until(lambda: not job.busy)
    assert arrived == ["new"]


def test_a_superseded_generator_is_closed(page):
    job, closed, started = Job(page.post), threading.Event(), threading.Event()

    def endless():
        try:
            while True:
                started.set()
                time.sleep(0.001)
                yield None
        finally:
            closed.set()

    job.submit(endless, lambda items: None)
    assert started.wait(HANGS_SECONDS)
    job.cancel()
    assert closed.wait(HANGS_SECONDS)
    assert not job.busy


def test_a_refusal_becomes_the_message(page):
    job = Job(page.post)

    def refuse():
        yield 1
        raise ThriftscopeError("Component 'fft' costs -1; a cost is 0 or more.")

    arrived = []
    job.submit(refuse, arrived.extend)
    page.run_until(lambda: not job.busy)
    assert arrived == [1]
    assert job.message == "Component 'fft' costs -1; a cost is 0 or more."
    assert job.completed == 0


def test_a_fault_of_ours_is_logged_and_told(page, caplog):
    job = Job(page.post)

    def fail():
        yield 1 / 0

    job.submit(fail, lambda items: None)
    page.run_until(lambda: not job.busy)
    assert "the log has the details" in job.message
    assert "ZeroDivisionError" in caplog.text


def test_an_item_between_flushes_does_not_wait_for_the_next(page):
    job, arrived, gate = Job(page.post), [], threading.Event()

    def work():
        yield 1
        yield 2
        gate.wait(HANGS_SECONDS)

    job.submit(work, arrived.extend)
    page.run_until(lambda: arrived == [1, 2])
    gate.set()
    page.run_until(lambda: not job.busy)


def test_a_first_answer_does_not_wait_for_the_ends_of_others(page):
    """Four that never end hold two threads; a fifth is answered all the same."""

    def endless():
        while True:
            time.sleep(0.005)
            yield None

    others = [Job(page.post) for _ in range(4)]
    for other in others:
        other.submit(endless, lambda items: None)
    job, arrived = Job(page.post), []
    job.submit(lambda: iter(range(10)), arrived.extend)
    page.run_until(lambda: not job.busy)
    assert arrived == list(range(10))
    assert all(other.busy for other in others)
    for other in others:
        other.cancel()


def test_long_ones_take_turns_and_all_come_to_their_ends(page):
    def long():
        for number in range(60):
            time.sleep(0.005)
            yield number

    jobs = [Job(page.post) for _ in range(6)]
    arrived = [[] for _ in jobs]
    for job, items in zip(jobs, arrived, strict=True):
        job.submit(long, items.extend)
    page.run_until(lambda: not any(job.busy for job in jobs))
    assert arrived == [list(range(60))] * 6


def test_the_first_item_of_what_streams_is_shown_at_once(page, monkeypatch):
    frames = _Frames()
    frames._next_at = time.monotonic() + 3600
    monkeypatch.setattr(jobs_module, "_frames", frames)
    arrived, job = [], Job(page.post)
    job.submit(lambda: iter(range(3)), arrived.extend, is_long=True)
    page.run_until(lambda: arrived)


def test_what_streams_leaves_most_of_the_time_to_others(clock):
    began = clock.now
    frames = _Frames()
    for _ in range(100):
        frames.took(0.01)
    places = [frames.at(began) for _ in range(10)]
    assert places[0] == began
    assert np.allclose(np.diff(places), 0.01 / STREAM_SHARE, atol=1e-4)
    late = places[-1] + 100
    assert frames.at(late) == late
    assert frames.at(began) < late, "it has taken no place of an earlier one"
