"""Folds within training: no group is torn, and every class is learned from."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from solvers.errors import DataError
from solvers.numerics.inner_folds import (
    anew,
    deal_folds,
    evenly,
    group_codes,
    in_turn,
    left_out,
    spread_of_sum,
    stratified,
)
from tests.each import each

rows_of_groups = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 3)), min_size=2, max_size=40
)


@example([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 0)], 2, 1)
@given(rows_of_groups, st.integers(2, 5), st.integers(0, 9))
def test_no_group_is_torn_and_every_class_is_learned_where_one_can_be(rows, n, seed):
    groups, labels = np.array(rows).T
    folds = deal_folds(labels, n, seed, groups, freely=stratified)
    assert all(len(set(folds[groups == group])) == 1 for group in groups)
    for learned, _ in left_out(folds):
        assert set(labels[learned]) == set(labels)
    # What need not stay is left out once, and what stays holds a class of its own.
    held = np.concatenate([held for _, held in left_out(folds)])
    assert sorted(held) == list(range(len(rows)))
    for group in set(groups[folds < 0]):
        alone = [len(set(groups[labels == k])) == 1 for k in labels[groups == group]]
        assert any(alone) or len(set(labels)) > 2


@each("n_groups", [2, 3, 4])
def test_of_two_classes_a_group_stays_only_if_it_holds_all_of_one(n_groups):
    """Every way in which two to four groups hold two classes."""
    for holds in product([(0,), (1,), (0, 1)], repeat=n_groups):
        rows = [(g, label) for g, labels in enumerate(holds) for label in labels]
        groups, labels = np.array(rows).T
        if len(set(labels)) < 2:
            continue
        alone = [len(set(groups[labels == label])) == 1 for label in (0, 1)]
        for n_folds, seed in product((2, 3), range(3)):
            folds = deal_folds(labels, n_folds, seed, groups, freely=in_turn)
            assert (folds < 0).any() == any(alone)


def test_groups_are_dealt_evenly_the_rare_class_too():
    groups = np.repeat(np.arange(60), 8)
    labels = np.zeros(480, dtype=int)
    labels[:80:8] = 1  # one row each of ten groups
    folds = deal_folds(labels, 5, 0, groups, freely=in_turn)
    assert np.bincount(folds).tolist() == [96] * 5
    assert np.bincount(folds[labels == 1]).tolist() == [2] * 5


@given(st.integers(0, 99), st.sampled_from([anew, evenly]))
def test_a_row_that_is_its_own_group_is_dealt_as_it_would_be_without(seed, freely):
    labels = np.random.default_rng(seed).integers(0, 3, 40)
    alone = deal_folds(labels, 4, seed, np.arange(40), freely=evenly)
    assert np.array_equal(alone, deal_folds(labels, 4, seed, freely=evenly))
    whole = deal_folds(labels, 4, seed, freely=freely)
    for label in range(3):
        assert np.ptp(np.bincount(whole[labels == label], minlength=4)) <= 1


def test_rows_without_groups_are_dealt_as_scikit_learn_deals_them():
    labels = np.random.default_rng(0).integers(0, 2, 50)
    folds = deal_folds(labels, 3, 7, freely=stratified)
    cut = StratifiedKFold(3, shuffle=True, random_state=7)
    for one, other in zip(left_out(folds), cut.split(labels, labels), strict=True):
        assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


def test_the_row_of_a_class_of_one_is_never_left_out():
    labels = np.array([0] * 6 + [1] * 5 + [2])
    folds = deal_folds(labels, 3, 0, freely=in_turn)
    assert folds[-1] == -1
    assert (folds[:-1] >= 0).all()
    assert [held.tolist() for _, held in left_out(folds)][-1] == [11]


def test_the_mean_of_copies_is_as_unsure_as_that_of_one_of_each():
    rng = np.random.default_rng(0)
    terms = rng.standard_normal(30)
    groups = np.repeat(np.arange(30), 8)
    once = spread_of_sum(terms, np.ones(30)) / 30**2
    copied = spread_of_sum(terms[groups], np.ones(240), groups) / 240**2
    assert copied == pytest.approx(once * 30 / 29)
    assert spread_of_sum(terms[groups], np.ones(240)) / 240**2 < once / 7


@each(
    "groups",
    [["b", "a", "b"], pd.Series([7, 3, 7]), np.array(["2", "1", "2"], dtype=object)],
)
def test_groups_may_be_named_in_any_way(groups):
    assert group_codes(groups, 3).tolist() == [1, 0, 1]


@each(
    ("groups", "sentence"),
    [
        ([1, 2], r"groups has shape \(2,\), and there are 3 rows"),
        ([[1, 2, 3]], r"groups has shape \(1, 3\)"),
        ([1.0, np.nan, 2.0], "A row has no group"),
        (["a", None, "b"], "groups holds 'a' beside what does not sort"),
        (np.array(["a", 1, "b"], dtype=object), "all as text or all as numbers"),
    ],
)
def test_what_names_no_group_of_every_row_is_refused(groups, sentence):
    with pytest.raises(DataError, match=sentence):
        group_codes(groups, 3)
