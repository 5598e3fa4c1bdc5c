"""A mask, indices and names select the same, and what selects nothing known is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.costs.selection import as_mask
from solvers.errors import HypergraphError
from tests.each import each

NAMES = ("peak", "mean", "energy")
INDEX = {name: i for i, name in enumerate(NAMES)}


def _mask(selection):
    return as_mask(selection, NAMES, INDEX, "feature").tolist()


@given(st.lists(st.booleans(), min_size=3, max_size=3))
def test_mask_indices_and_names_select_the_same(chosen):
    indices = np.flatnonzero(chosen)
    names = [NAMES[i] for i in indices]
    assert _mask(np.array(chosen)) == _mask(indices) == _mask(names) == chosen


@each("one", ["mean", 1, np.int32(1), np.str_("mean")])
def test_a_single_name_or_index_is_a_selection_of_one(one):
    assert _mask(one) == [False, True, False]


@each("nothing", [[], (), np.zeros(0), np.zeros(0, dtype=int)])
def test_an_empty_selection_selects_nothing(nothing):
    assert _mask(nothing) == [False] * 3


def test_a_mask_is_copied():
    given_mask = np.array([True, False, False])
    found = as_mask(given_mask, NAMES, INDEX, "feature")
    found[:] = True
    assert given_mask.tolist() == [True, False, False]


@each(
    ("selection", "sentence"),
    [
        ([True, False], "The mask has shape (2,), but there are 3 features"),
        ([0, 3], "There is no feature 3; indices run from 0 to 2."),
        ([-1], "There is no feature -1"),
        (["energi"], "There is no feature 'energi'; did you mean 'energy'?"),
        (["zzz"], "There is no feature 'zzz'; use a name of a known feature."),
        ([0.5], "A selection of features is a boolean mask, indices or names"),
        ([[0, 1]], "is a boolean mask, indices or names"),
        ([None], "is a boolean mask, indices or names"),
    ],
)
def test_what_selects_nothing_known_is_refused(selection, sentence):
    with pytest.raises(HypergraphError) as refusal:
        _mask(selection)
    assert sentence in str(refusal.value)
