"""Arguments have one order and one key, however a call spells them."""

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.features.fingerprint import standing_for
from solvers.features.tracing.spelling import spelling_of


def half(x, by=2):
    return x / by


def many(x, *rest, power=1, **more):
    return x, rest, power, more


def ordered(function, *args, **kwargs):
    return spelling_of(function).ordered(args, kwargs)


@pytest.mark.parametrize(
    ("args", "named"), [((1,), {}), ((1, 2), {}), ((), {"by": 2, "x": 1})]
)
def test_arguments_have_one_order_and_defaults(args, named):
    assert ordered(half, *args, **named) == ((1, 2), {})


@given(st.lists(st.integers(0, 3), min_size=1), st.integers(0, 2), st.booleans())
def test_ordered_arguments_call_the_same(args, power, more):
    named = {"power": power} | ({"b": 1, "a": 2} if more else {})
    by_place, by_name = spelling_of(many).ordered(args, named)
    assert many(*by_place, **by_name) == many(*args, **named)
    assert list(by_name) == ["power", *(["b", "a"] if more else [])]


def test_a_decorated_function_has_the_defaults_of_its_wrapper():
    @functools.wraps(half)
    def wrapper(x, by=4):
        return half(x, by)

    assert ordered(wrapper, 1) == ((1, 4), {})


def test_what_has_no_readable_order_is_known_as_it_is_spelled():
    assert ordered(max, [1], default=0) == (([1],), {"default": 0})
    assert ordered(half, 1, 2, 3) == ((1, 2, 3), {})  # the call will say what is wrong


def test_a_double_is_spelled_as_its_function():
    double = standing_for(half)(print)
    assert spelling_of(double) is spelling_of(half)
