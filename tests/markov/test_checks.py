"""What generators and classifiers refuse of their arguments, in one sentence."""

import numpy as np
import pytest

from solvers.errors import DataError, KnobError
from solvers.markov.checks import (
    as_generator,
    check_choice,
    check_count,
    check_number,
    numbers,
)


@pytest.mark.parametrize("value", [0, 0.0, 1, np.float32(0.5), np.int64(1)])
def test_numbers_between_the_bounds_pass_bounds_included(value):
    check_number("share", value, 0.0, 1.0)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("seed", [-1, "three", 1.5])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(KnobError, match="random_state is"):
        as_generator(seed)


@pytest.mark.parametrize("value", [[1.0, np.nan], ["x"], [[1.0], [1.0, 2.0]]])
def test_what_are_no_finite_numbers_is_refused(value):
    with pytest.raises(DataError, match="The weights"):
        numbers("The weights", value)
