"""Weights of rows are taken, or refused in one sentence, alike by everybody."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import learn_classifier
from solvers.checks import at_least_zero, first_twin, library, row_weights
from solvers.errors import DataError, KnobError
from solvers.methods.l1 import L1Classifier

X, Y = np.arange(8.0).reshape(4, 2) % 3, np.array([0, 1, 0, 1])


def test_none_weighs_each_row_alike_and_one_number_weighs_all():
    assert row_weights(None, 3).tolist() == [1.0, 1.0, 1.0]
    assert row_weights(2, 3).tolist() == [2.0, 2.0, 2.0]
    assert row_weights([0, 1.5, True], 3).tolist() == [0.0, 1.5, 1.0]


WHO = {
    "a method": lambda w: L1Classifier().fit(X, Y, w),
    "a network": lambda w: learn_classifier(X, Y, 1, ["a", "b"], sample_weight=w),
}


@pytest.mark.parametrize("who", WHO.values(), ids=WHO)
@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1, -1, 1, 1], "A sample weight is -1; weights are 0 or more, and finite"),
        ([1, np.inf, 1, 1], "A sample weight is inf"),
        ([0, 0, 0, 0], "Every sample weight is zero; give some row one above zero"),
        ([1, 1, 1], r"sample_weight has shape \(3,\); give one .* of the 4 rows"),
        (["a", 1, 1, 1], "sample_weight holds what is no real number"),
    ],
)
def test_what_weighs_no_rows_is_refused_alike(who, weights, sentence):
    with pytest.raises(DataError, match=sentence):
        who(weights)


@given(st.lists(st.sampled_from("abcd")))
def test_the_first_twin_is_the_first_name_that_stood_before(names):
    again = [name for k, name in enumerate(names) if name in names[:k]]
    assert first_twin(names) == (again[0] if again else None)


@pytest.mark.parametrize("budget", [0, 0.5, np.float64(3), np.inf, True])
def test_a_budget_is_any_number_from_zero_up(budget):
    assert at_least_zero(budget, "The budget") == float(budget)


@pytest.mark.parametrize("budget", [-1, np.nan, None, "5", [1], 1j])
def test_what_is_no_budget_is_refused_in_one_sentence(budget):
    with pytest.raises(KnobError, match=r"^The budget is .*; give a number, 0 or more"):
        at_least_zero(budget, "The budget", KnobError)


def test_a_library_that_is_not_there_names_who_needs_it_and_its_extra():
    sentence = (
        r"^A sweep needs no_such_thing, which cannot be imported \(No module .*\); run "
        r"pip install 'thriftscope\[cluster\]', or do without\.$"
    )
    with pytest.raises(DataError, match=sentence):
        library("no_such_thing", "cluster", "A sweep", DataError, ", or do without")
