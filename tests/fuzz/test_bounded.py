"""A bound on memory holds wherever a test stands among others."""

import itertools

import pytest

from tests.fuzz.bounded import bounded, counted_calls

MB = 1024 * 1024


def test_what_is_taken_counts_though_more_was_held_before():
    assert len(b"x" * (200 * MB))
    with pytest.raises(AssertionError, match="MB over"), bounded(megabytes=50):
        assert len(b"x" * (100 * MB))
    with bounded(megabytes=50):
        assert len(b"x" * MB)


def test_what_hangs_is_ended(monkeypatch):
    monkeypatch.setattr("tests.fuzz.bounded.HANGS_SECONDS", 0.01)
    endless = itertools.repeat(None)
    with pytest.raises(TimeoutError, match="and no end"), bounded(megabytes=50):
        sum(1 for _ in endless)


def test_calls_are_counted_by_what_is_called():
    def twice(values):
        return max(values) + max(values)

    with counted_calls() as calls:
        twice([1])
    assert (calls[twice.__qualname__], calls["max"]) == (1, 2)
    assert calls.total() < 10  # it looks at nothing but its own end besides
