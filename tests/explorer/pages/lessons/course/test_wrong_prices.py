"""What is chosen by a wrong list costs more than it says; everything does not."""

import numpy as np
import pytest

from explorer.pages.lessons.course import wrong_prices
from solvers.costs.budgets import room_of


def test_a_choice_pays_more_the_larger_the_errors_and_everything_does_not():
    chosen, everything = zip(*map(wrong_prices.paid, wrong_prices.ERRORS), strict=True)
    assert chosen[0] == everything[0] == pytest.approx(100)
    assert (np.diff(chosen) > 1).all()
    assert everything == pytest.approx([100.0] * len(everything), abs=0.5)


def test_without_errors_the_best_set_is_that_of_trying_all():
    prices, worth = np.array(wrong_prices.PRICES), np.array(wrong_prices.WORTH)
    count = len(prices)
    sets = np.array([[k >> j & 1 for j in range(count)] for k in range(2**count)])
    best = wrong_prices._best(sets.astype(float), sets @ worth, prices[None])
    within = [row for row in sets if row @ prices <= room_of(wrong_prices.BUDGET)]
    assert sets[best[0]] @ worth == max(row @ worth for row in within)
