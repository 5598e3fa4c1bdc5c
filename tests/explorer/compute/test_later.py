"""Calls are made in the order of their times, by a thread that waits for none."""

import threading

from explorer.compute.later import call_later
from tests.waiting import HANGS_SECONDS


def test_what_is_due_first_is_called_first_and_what_was_cancelled_is_not(clock):
    called, all_are = [], threading.Event()
    call_later(0.1, all_are.set)
    call_later(0.05, lambda: called.append("second"))
    cancelled = call_later(0.01, lambda: called.append("cancelled"))
    call_later(0.0, lambda: called.append("first"))
    cancelled.cancel()
    clock.now += 1.0
    assert all_are.wait(HANGS_SECONDS)
    assert called == ["first", "second"]


def test_a_call_that_fails_does_not_keep_the_others_waiting(caplog):
    is_called = threading.Event()
    call_later(0.0, lambda: 1 / 0)
    call_later(0.01, is_called.set)
    assert is_called.wait(HANGS_SECONDS)
    assert "ZeroDivisionError" in caplog.text


def test_no_thread_is_started_for_a_call():
    is_called = threading.Event()
    call_later(0.0, is_called.set)
    assert is_called.wait(HANGS_SECONDS)
    threads = threading.enumerate()
    later = [call_later(60.0, is_called.set) for _ in range(10)]
    assert threading.enumerate() == threads
    for one in later:
        one.cancel()
