"""What is the same for all is computed once, by whoever asks first."""

import pytest

from explorer.compute.shared import SharedRows
from explorer.compute.waiting import WAITING


@pytest.fixture
def counted():
    computed = []

    def compute():
        for row in range(3):
            computed.append(row)
            yield row

    return compute, computed


def test_who_asks_later_is_given_the_rows_of_who_asked_first(counted):
    (compute, computed), shared = counted, SharedRows()
    assert [*shared.rows("10", compute)] == [*shared.rows("10", compute)] == [0, 1, 2]
    assert computed == [0, 1, 2]


def test_who_asks_meanwhile_waits_and_computes_what_was_given_up(counted):
    (compute, _), shared = counted, SharedRows()
    first, second = shared.rows("10", compute), shared.rows("10", compute)
    assert (next(first), next(second)) == (0, WAITING)
    first.close()
    assert [*second] == [0, 1, 2]
