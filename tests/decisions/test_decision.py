"""What a method decided about some rows, and what it bought for it."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.decisions.decision import Decision, called, logistic_shares
from tests.each import each

SHARED = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 0.5])


def _decision(acquired):
    n = len(acquired)
    return Decision(np.zeros(n), np.zeros(n), np.asarray(acquired), SHARED)


def test_each_row_pays_for_what_it_computed_once():
    decision = _decision([[True, True, False], [False, False, True], [False] * 3])
    assert decision.cost.tolist() == [3.0, 0.5, 0.0]


def test_what_was_computed_cannot_be_written_and_is_not_copied():
    acquired = np.zeros((2, 3), dtype=bool)
    decision = _decision(acquired)
    assert np.shares_memory(decision.acquired, acquired)
    with pytest.raises(ValueError, match="read-only"):
        decision.acquired[0, 0] = True
    acquired[0, 0] = True  # the caller's own still can


@each(
    ("scores", "codes"),
    [
        (np.array([-1.0, 0.0, 1e-9]), [0, 0, 1]),
        (np.array([[0.1, 0.5, 0.4], [0.4, 0.2, 0.4]]), [1, 0]),
    ],
)
def test_a_score_is_for_the_second_class_above_zero_or_for_the_largest(scores, codes):
    assert called(scores).tolist() == codes


def test_shares_of_huge_odds_are_sure_and_swap_with_the_sign():
    odds = np.array([-800.0, np.log(3.0), 800.0])
    shares = logistic_shares(odds)
    assert shares[:, 1] == pytest.approx([0.0, 0.75, 1.0])
    assert np.array_equal(logistic_shares(-odds), shares[:, ::-1])
