"""A bound on memory holds wherever a test stands among others."""

import pytest

from tests.fuzz.bounded import bounded

MB = 1024 * 1024


def test_what_is_taken_counts_though_more_was_held_before():
    assert len(b"x" * (200 * MB))
    with pytest.raises(AssertionError, match="MB over"), bounded(60, 50):
        assert len(b"x" * (100 * MB))
    with bounded(60, 50):
        assert len(b"x" * MB)
