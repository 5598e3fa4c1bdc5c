"""A weight of two is a row written twice, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.distinct_rows import DistinctRows


@given(
    st.lists(
        st.tuples(st.integers(-1, 1), st.booleans(), st.integers(1, 4)),
        min_size=1,
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_weights_repetition_and_order_are_one(rows, random):
    X = np.array([[value, 1.0] for value, _, _ in rows], dtype=float)
    signs = np.array([1.0 if label else -1.0 for _, label, _ in rows])
    times = np.array([number for _, _, number in rows])
    repeated = np.repeat(np.arange(len(rows)), times).tolist()
    random.shuffle(repeated)
    weighted = DistinctRows.of(X, signs, times / times.mean())
    written = DistinctRows.of(X[repeated], signs[repeated], np.ones(len(repeated)))
    assert np.array_equal(weighted.X, written.X)
    assert np.array_equal(weighted.signs, written.signs)
    assert np.array_equal(weighted.shares, written.shares)


def test_rows_of_both_labels_stay_apart():
    rows = DistinctRows.of(np.zeros((3, 1)), np.array([1.0, -1.0, 1.0]), np.ones(3))
    assert rows.signs.tolist() == [-1.0, 1.0]
    assert np.allclose(rows.shares, [1 / 3, 2 / 3])


def test_shares_of_a_part_sum_to_one():
    rows = DistinctRows.of(np.arange(4.0)[:, None], np.ones(4), np.arange(1.0, 5.0))
    part = rows.part(np.array([True, False, False, True]))
    assert np.allclose(part.shares, [0.2, 0.8])
    assert part.X.ravel().tolist() == [0.0, 3.0]


def test_weights_average_to_one():
    rows = DistinctRows.of(np.arange(4.0)[:, None], np.ones(4), np.arange(1.0, 5.0))
    assert np.allclose(rows.weights, [0.4, 0.8, 1.2, 1.6])


def test_minus_zero_is_zero():
    X = np.array([[0.0], [-0.0]])
    assert DistinctRows.of(X, np.ones(2), np.ones(2)).n_rows == 1
