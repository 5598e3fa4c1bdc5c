"""What everybody checks is taken, or refused in one sentence, alike by everybody."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import learn_classifier
from solvers.checks import (
    as_generator,
    at_least_zero,
    check_choice,
    check_count,
    check_number,
    finite_numbers,
    first_twin,
    library,
    refuse_twins,
    refuse_unknown,
    row_weights,
)
from solvers.errors import DataError, KnobError, ThriftscopeError
from solvers.methods.l1 import L1Classifier
from tests.each import each

X, Y = np.arange(8.0).reshape(4, 2) % 3, np.array([0, 1, 0, 1])


def test_none_weighs_each_row_alike_and_one_number_weighs_all():
    assert row_weights(None, 3).tolist() == [1.0, 1.0, 1.0]
    assert row_weights(2, 3).tolist() == [2.0, 2.0, 2.0]
    assert row_weights([0, 1.5, True], 3).tolist() == [0.0, 1.5, 1.0]


WHO = {
    "a method": lambda w: L1Classifier().fit(X, Y, w),
    "a network": lambda w: learn_classifier(X, Y, 1, ["a", "b"], sample_weight=w),
}


@each("who", WHO.values(), ids=WHO)
@each(
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


@each("budget", [0, 0.5, np.float64(3), np.inf, True])
def test_a_budget_is_any_number_from_zero_up(budget):
    assert at_least_zero(budget, "The budget") == float(budget)


@each("budget", [-1, np.nan, None, "5", [1], 1j])
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


@each("value", [0, 0.0, 1, np.float32(0.5), np.int64(1)])
def test_numbers_between_the_bounds_pass_bounds_included(value):
    check_number("share", value, 0.0, 1.0)


@each(
    ("value", "high", "sentence"),
    [
        ("1", 1.0, "share is '1'; give a number."),
        (True, 1.0, "share is True; give a number."),
        (None, 1.0, "share is None; give a number."),
        (1.5, 1.0, "share is 1.5; it is between 0 and 1."),
        (-1, np.inf, "share is -1; it is 0 or more."),
        (np.inf, np.inf, "share is inf; it is 0 or more."),
        (np.nan, 1.0, "share is nan; it is between 0 and 1."),
    ],
)
def test_what_is_no_number_between_the_bounds_is_refused(value, high, sentence):
    with pytest.raises(KnobError) as refusal:
        check_number("share", value, 0.0, high)
    assert str(refusal.value) == sentence


@each(
    ("value", "high", "sentence"),
    [
        (2.0, None, "n is 2.0; give a whole number."),
        (True, None, "n is True; give a whole number."),
        (0, None, "n is 0; it is 1 or more."),
        (9, 5, "n is 9; it is between 1 and 5."),
    ],
)
def test_what_is_no_count_is_refused(value, high, sentence):
    with pytest.raises(KnobError) as refusal:
        check_count("n", value, 1, high)
    assert str(refusal.value) == sentence


def test_what_is_not_offered_is_refused_with_what_is():
    check_choice("kind", "cold", ("cold", "warm"))
    with pytest.raises(KnobError) as refusal:
        check_choice("kind", "hot", ("cold", "warm"))
    assert str(refusal.value) == "kind is 'hot'; it is one of 'cold', 'warm'."


def test_a_seed_gives_the_same_numbers_and_a_source_goes_on():
    assert as_generator(3).random() == as_generator(3).random()
    source = np.random.default_rng(3)
    assert as_generator(source) is source


@each("seed", [-1, "three", 1.5])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(KnobError, match="random_state is"):
        as_generator(seed)


@each("value", [[1.0, np.nan], ["x"], [[1.0], [1.0, 2.0]]])
def test_what_are_no_finite_numbers_is_refused(value):
    with pytest.raises(DataError, match="The weights"):
        finite_numbers("The weights", value)


def test_a_whole_number_of_309_digits_is_none_between_two_bounds():
    with pytest.raises(KnobError, match="share is inf; it is 0 or more"):
        check_number("share", 10**400, 0.0)


def test_a_name_that_stands_twice_is_refused_with_who_has_it():
    refuse_twins(["a", "b"], "The file has the column")
    with pytest.raises(DataError) as refusal:
        refuse_twins(["a", "b", "a"], "The file has the column")
    assert str(refusal.value) == "The file has the column 'a' twice; name each once."


def test_a_name_that_nothing_has_is_refused_with_those_that_are_there():
    refuse_unknown("b", ["a", "b"], "table")
    with pytest.raises(ThriftscopeError) as refusal:
        refuse_unknown("c", ["a", "b"], "table")
    assert str(refusal.value) == "There is no table 'c'; choose from a, b."
