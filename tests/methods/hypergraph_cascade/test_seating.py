"""Bounds stand amid the gap between scores that they part."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.methods.hypergraph_cascade.members import amid

SCORES = st.lists(st.integers(-8, 8), min_size=1, max_size=8, unique=True).map(
    lambda drawn: np.sort(np.array(drawn, dtype=float))
)


@given(SCORES, st.floats(-10, 10, allow_subnormal=False))
@settings(max_examples=100)
def test_no_score_changes_sides_of_a_bound_that_parts_them(scores, bound):
    if np.abs(scores - bound).min() < 1e-6:
        return
    assert ((scores > amid(bound, scores)) == (scores > bound)).all()


@given(SCORES, st.floats(-8, 8))
@settings(max_examples=100)
def test_a_bound_between_scores_is_seated_in_the_middle_of_their_gap(scores, bound):
    if scores[0] <= bound <= scores[-1]:
        assert np.abs(scores - amid(bound, scores)).min() >= 0.5


def test_scores_that_differ_by_rounding_are_not_parted():
    scores = np.array([0.3, 0.1 + 0.2, 1.0])
    scores.sort()
    assert amid(float(scores[1]), scores) == (scores[1] + 1.0) / 2


def test_a_bound_on_the_last_score_goes_above_it_and_on_the_first_below_it():
    assert amid(2.0, np.array([1.0, 2.0])) == 1.5
    assert amid(2.0 + 1e-12, np.array([1.0, 2.0])) == 3.0
    assert amid(1.0, np.array([1.0, 2.0])) == 0.0


def test_what_is_as_sure_as_can_be_is_beyond_every_bound():
    assert amid(25.0, np.array([1.0, 2.0])) == np.inf
    assert amid(-25.0, np.array([1.0, 2.0])) == -np.inf
