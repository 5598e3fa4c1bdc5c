"""Columns that tell the label by themselves are named, and others are not."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from solvers.datasets.columns.leaks import _area, _counted, leak_notes, looked_at
from solvers.datasets.columns.schema import Column, TableSchema
from tests.each import each

Y = np.array(["ill", "well"] * 50)
NUMBER = TableSchema((Column("x", "number"),))
WORDS = TableSchema((Column("x", "category", ("a", "b", "c")),))


def _told(schema, column, y=Y, positive="ill"):
    return leak_notes(schema, np.array(column, dtype=float)[:, np.newaxis], y, positive)


@each("sign", [1, -1])
def test_a_number_whose_order_is_that_of_the_label_is_named(sign):
    rng = np.random.default_rng(0)
    column = sign * ((Y == "ill") + 0.4 * rng.random(100))
    (note,) = _told(NUMBER, column)
    assert "Column 'x' alone tells the label of nearly every row" in note
    assert "1.0000" in note


def test_a_category_of_which_each_value_has_one_label_is_named():
    assert _told(WORDS, np.where(Y == "ill", 1, 2))
    assert not _told(WORDS, np.arange(100) % 3)


def test_that_a_value_is_missing_can_tell_the_label():
    column = np.where(Y == "ill", np.nan, np.random.default_rng(1).random(100))
    assert _told(NUMBER, column)


def test_a_good_column_that_errs_now_and_then_is_no_leak():
    column = (Y == "ill") + np.random.default_rng(2).standard_normal(100)
    assert not _told(NUMBER, column)


def test_many_values_of_few_rows_tell_by_accident():
    assert not _told(NUMBER, np.random.default_rng(3).permutation(100))


def test_of_three_classes_each_has_to_be_told():
    y = np.array(["a", "b", "c"] * 30)
    codes = np.tile([0.0, 1.0, 2.0], 30)
    assert leak_notes(WORDS, codes[:, np.newaxis], y, None)
    only_one = np.where(y == "a", 0.0, 1.0)
    assert not leak_notes(WORDS, only_one[:, np.newaxis], y, None)
    assert leak_notes(WORDS, only_one[:, np.newaxis], y, "a")


def test_rows_of_one_class_are_told_by_nothing():
    assert _told(NUMBER, np.arange(100), np.array(["ill"] * 100)) == ()


@each("seed", range(3))
def test_the_area_is_that_of_scikit_learn_whichever_way_it_goes(seed):
    rng = np.random.default_rng(seed)
    codes, wanted = rng.integers(0, 9, 60).astype(float), rng.random(60) < 0.4
    area = roc_auc_score(wanted, codes)
    assert _area(*_counted(codes, wanted)) == pytest.approx(max(area, 1 - area))


def test_a_gap_comes_before_all_numbers():
    codes = np.array([np.nan, 0.0, -3.0, np.nan, 7.0, 2.0])
    wanted = np.array([False, True, False, True, True, False])
    area = roc_auc_score(wanted, np.where(np.isnan(codes), -9.0, codes))
    assert _area(*_counted(codes, wanted)) == pytest.approx(max(area, 1 - area))


def test_of_many_rows_some_tell_the_leak_of_a_rare_class():
    n = 60_000
    rng = np.random.default_rng(0)
    y = np.zeros(n, dtype=int)
    y[rng.choice(n, 40, replace=False)] = 1
    assert len(looked_at(y)) == 10_040
    assert set(np.flatnonzero(y)) <= set(looked_at(y))
    schema = TableSchema((Column("told"), Column("noise")))
    codes = np.column_stack([y + 0.1 * rng.random(n), rng.normal(size=n)])
    (note,) = leak_notes(schema, codes, y, 1)
    assert "'told' alone tells the label" in note
