"""Cut points share the weight evenly, and codes say on which side a value lies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes.learning import CutPoints, learn_cut_points
from solvers.errors import DataError
from tests.each import each

COLUMNS = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


@given(COLUMNS, st.integers(2, 6))
@settings(max_examples=30)
def test_a_cut_lies_between_values_and_states_are_never_empty(values, n_bins):
    column = np.array(values, dtype=float)[:, np.newaxis]
    cuts = learn_cut_points(column, n_bins)
    (points,) = cuts.cuts
    assert (np.diff(points) > 0).all()
    assert not np.isin(points, column).any()
    codes = cuts.codes(column)[:, 0]
    assert set(codes) == set(range(cuts.cardinalities[0]))
    assert cuts.cardinalities[0] <= n_bins


@given(COLUMNS, st.lists(st.integers(0, 3), min_size=30, max_size=30))
@settings(max_examples=30)
def test_a_weight_is_that_many_rows(values, drawn):
    weights = np.array(drawn[: len(values)])
    if not weights.any():
        return
    column = np.array(values, dtype=float)[:, np.newaxis]
    weighed = learn_cut_points(column, 3, weights)
    written = learn_cut_points(np.repeat(column, weights, axis=0), 3)
    assert weighed.cuts[0].tolist() == written.cuts[0].tolist()


def test_distinct_values_fall_into_bins_of_the_same_size():
    column = np.random.default_rng(0).permutation(60.0 * np.arange(60))[:, np.newaxis]
    codes = learn_cut_points(column, 4).codes(column)
    assert np.bincount(codes[:, 0]).tolist() == [15] * 4


def test_a_value_at_a_cut_is_below_it():
    cuts = CutPoints((np.array([1.0, 2.0]),))
    assert cuts.codes([[1.0], [1.5], [2.0], [2.1]]).ravel().tolist() == [0, 1, 1, 2]


@given(COLUMNS, st.integers(2, 4), st.sampled_from([5e-324, 0.1, -1.0, 1e300]))
@settings(max_examples=30)
def test_neighbouring_numbers_are_cut_as_whole_ones_are(values, n_bins, one):
    whole = np.array(values, dtype=float)[:, np.newaxis]
    close = one + whole * np.spacing(abs(one))
    expected, found = (learn_cut_points(x, n_bins).codes(x) for x in (whole, close))
    assert np.array_equal(expected, found)


def test_names_of_states_tell_close_cuts_apart():
    states = CutPoints((np.array([1.00001, 1.00002]), np.array([]))).states
    assert states[0] == ("<= 1.00001", "1.00001 to 1.00002", "> 1.00002")
    assert states[1] == ("any",)


def test_the_middle_of_huge_values_does_not_overflow():
    huge = 1.7e308
    (points,) = learn_cut_points([[huge / 1.1], [huge]], 2).cuts
    assert huge / 1.1 < points[0] < huge


@each(
    ("call", "sentence"),
    [
        (lambda: learn_cut_points([1.0, 2.0]), "X has shape (2,); give rows of finite"),
        (lambda: learn_cut_points(np.zeros((0, 2))), "at least one"),
        (lambda: learn_cut_points([[np.inf]]), "give rows of finite numbers"),
        (lambda: learn_cut_points([[1.0]], 1), "n_bins is 1; it lies between 2 and 32"),
        (lambda: learn_cut_points([[1.0]], 2.5), "n_bins is 2.5"),
        (lambda: CutPoints((np.zeros(1),)).codes([[1.0, 2.0]]), "one column for each"),
        (lambda: CutPoints((np.zeros(1),)).codes([[np.nan]]), "X holds NaN"),
    ],
)
def test_tables_that_cannot_be_cut_are_refused(call, sentence):
    with pytest.raises(DataError) as refusal:
        call()
    assert sentence in str(refusal.value)
