"""Testing stops paying, and pays nothing at all at either end."""

import numpy as np
import pytest
from scipy.stats import norm

from explorer.pages.lessons.course import stops_paying as lesson
from tests.each import each


def in_theory(k, miss):
    """Tests and mistakes of the best threshold on the sum of k tests."""
    ill, alarm = lesson.ILL, lesson.FALSE_ALARM
    if k == 0:
        return min(ill * miss, (1 - ill) * alarm)
    apart = 2 * lesson.STRENGTH * np.sqrt(k)
    cut = np.log(alarm / miss) - np.log(ill / (1 - ill))
    missed = norm.cdf((cut - apart**2 / 2) / apart)
    alarmed = norm.cdf((-cut - apart**2 / 2) / apart)
    return k + ill * miss * missed + (1 - ill) * alarm * alarmed


@each("miss", lesson.MISSES)
def test_tests_and_mistakes_cost_what_theory_says(miss):
    expected = [in_theory(k, miss) for k in range(lesson.N_TESTS + 1)]
    assert lesson.totals(miss) == pytest.approx(expected, abs=0.15)
    assert lesson.worth(miss) == int(np.argmin(expected))


def test_the_money_that_tests_are_worth_rises_and_falls_to_nothing():
    bought = [lesson.worth(miss) for miss in lesson.MISSES]
    peak = bought.index(max(bought))
    assert bought[: peak + 1] == sorted(bought[: peak + 1])
    assert (bought[0], bought[-1]) == (0, 0)
    assert lesson.judge().right == 1
