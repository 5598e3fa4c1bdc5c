"""Rows that go on to the slow test pay for both, and sooner or later all do."""

import pytest

from explorer.pages.lessons.course.two_tests import COSTS, THRESHOLDS, outcome, world
from tests.each import each


@each("threshold", THRESHOLDS[::3])
def test_the_mean_is_what_quick_and_slow_rows_pay(threshold):
    found = outcome(threshold)
    paid = COSTS[0] + COSTS[1] * found.is_slow
    assert found.mean == pytest.approx(paid.mean())
    assert found.max == paid.max()
    assert found.share_quick == pytest.approx(1 - found.is_slow.mean())


def test_the_higher_the_threshold_the_fewer_rows_leave_early():
    shares = [outcome(threshold).share_quick for threshold in THRESHOLDS]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1.0


def test_where_the_quick_test_knows_nothing_nearly_every_row_goes_on():
    assert outcome(0.0, quick=0.0).mean == pytest.approx(sum(COSTS), rel=0.05)
    assert world(0.0) is world(0.0)
