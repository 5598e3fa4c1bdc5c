"""A solver that hangs, dies or eats all memory ends with a sentence; the page lives."""

import os
import sys
import threading
import time

import joblib
import pytest

from explorer.compute import jobs
from explorer.compute.jobs import Job
from explorer.compute.workers import Workers
from tests.waiting import HANGS_SECONDS, until, until_idle


class Hang:
    """A generator's step that does not come back until the test lets it."""

    def __init__(self):
        self.gate = threading.Event()
        self.started = threading.Event()

    def __call__(self):
        yield "first"
        self.started.set()
        self.gate.wait(HANGS_SECONDS)
        yield "second"


@pytest.fixture
def hang():
    hang = Hang()
    yield hang
    hang.gate.set()


@pytest.fixture
def impatient(monkeypatch):
    """Workers that wait for a tenth of a second, and bear two that are lost."""
    workers = Workers(n_threads=2, most_lost=2, patience=0.1)
    monkeypatch.setattr(jobs, "_workers", workers)
    monkeypatch.setattr(jobs, "SILENT_SECONDS", 0.1)
    monkeypatch.setattr("explorer.compute.workers.CHECK_SECONDS", 0.02)
    return workers


def result_of(work):
    """Everything that a new job delivers."""
    job, arrived = Job(), []
    job.submit(work, arrived.extend)
    until_idle(job)
    return arrived


def test_silence_is_told_while_the_work_goes_on(impatient, hang):
    job, arrived = Job(), []
    job.submit(hang, arrived.extend)
    until(lambda: "No sign of progress" in job.message)
    assert job.busy
    hang.gate.set()
    until_idle(job)
    assert arrived == ["first", "second"]
    assert job.message == ""


def test_what_hangs_can_be_cancelled_at_once(impatient, hang):
    job = Job()
    job.submit(hang, lambda items: None)
    until(lambda: job.message)
    job.cancel()
    assert not job.busy
    assert job.message == ""


def test_two_that_hang_do_not_keep_others_from_computing(impatient):
    hangs = [Hang(), Hang()]
    jobs = [Job(), Job()]
    for job, one in zip(jobs, hangs, strict=True):
        job.submit(one, lambda items: None)
        assert one.started.wait(HANGS_SECONDS)
        job.cancel()
    until(lambda: impatient.n_lost == 2)
    assert result_of(lambda: iter([1, 2])) == [1, 2]
    for one in hangs:
        one.gate.set()
    until(lambda: impatient.n_lost == 0)


def test_when_all_threads_hang_a_sentence_says_so(impatient):
    hangs = [Hang() for _ in range(4)]
    for one in hangs:
        job = Job()
        job.submit(one, lambda items: None)
        assert one.started.wait(HANGS_SECONDS)
        job.cancel()
    until(lambda: impatient.is_stuck)
    job = Job()
    job.submit(lambda: iter([1]), lambda items: None)
    assert "do not come back" in job.message
    assert not job.busy
    for one in hangs:
        one.gate.set()
    until(lambda: not impatient.is_stuck)
    assert result_of(lambda: iter([1])) == [1]


def test_a_late_item_of_what_was_given_up_is_not_drawn(impatient, hang):
    job, arrived = Job(), []
    job.submit(hang, arrived.extend)
    until(hang.started.is_set)
    job.cancel()
    until(lambda: impatient.n_lost == 1)
    hang.gate.set()
    until(lambda: impatient.n_lost == 0)
    assert arrived == ["first"]


def test_work_with_a_limit_is_given_up_with_a_sentence(impatient):
    def endless():
        while True:
            time.sleep(0.01)
            yield None

    job = Job()
    job.submit(endless, lambda items: None, seconds=0.2)
    until_idle(job)
    assert job.message.startswith("This took more than 0.2 s and was given up")


@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_a_killed_worker_process_is_told_and_the_next_computation_runs(caplog):
    def in_processes(call, value):
        yield from joblib.Parallel(n_jobs=2, backend="loky")(
            [joblib.delayed(call)(value), joblib.delayed(call)(value)]
        )

    job = Job()
    job.submit(lambda: in_processes(os._exit, 137), lambda items: None)
    until_idle(job)
    assert "ran out of memory" in job.message
    assert result_of(lambda: in_processes(abs, -3)) == [3, 3]


def test_a_table_too_large_for_memory_is_told(caplog):
    def greedy():
        yield bytearray(2**62)

    job = Job()
    job.submit(greedy, lambda items: None)
    until_idle(job)
    assert "ran out of memory" in job.message


def test_a_solver_that_exits_does_not_take_its_thread_along(caplog):
    def leaving():
        yield sys.exit(3)

    for _ in range(4):
        job = Job()
        job.submit(leaving, lambda items: None)
        until_idle(job)
        assert "the log has the details" in job.message
    assert result_of(lambda: iter([1])) == [1]
