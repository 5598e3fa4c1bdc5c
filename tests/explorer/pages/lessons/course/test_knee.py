"""The last dollar buys least, unless each test is a part of a whole."""

import numpy as np
import pytest
from scipy.stats import norm

from explorer.pages.lessons.course import knee


def test_tests_that_show_the_same_bring_what_theory_says():
    """With k tests of noise 1 the classes are sqrt(k) times as far apart."""
    counts = np.sqrt(np.arange(knee.N_TESTS + 1))
    expected = 100 * norm.cdf(counts * knee.STRENGTH)
    assert knee.right(knee.REPEATS) == pytest.approx(expected, abs=1.0)


def test_parts_of_a_whole_bring_most_at_the_end():
    """The sign of a sum of k of n parts is the whole's with 1/2 + asin(k/n)/pi."""
    share = np.arange(knee.N_TESTS) / knee.N_TESTS
    expected = 50 + 100 * np.arcsin(np.sqrt(share)) / np.pi
    found = knee.right(knee.PARTS)
    assert found[:-1] == pytest.approx(expected, abs=1.5)
    gains = np.diff(found)
    assert gains.argmax() == len(gains) - 1


def test_each_dollar_buys_less_than_the_one_before():
    assert (np.diff(knee.right(knee.REPEATS), n=2) < 0).all()
