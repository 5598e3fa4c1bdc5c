"""A run of an entry is a tree of calls, with what went in and came out."""

import functools

from hypothesis import given
from hypothesis import strategies as st

from solvers.features.fingerprint import standing_for
from solvers.features.tracing.calls import MOST_CALLS, Recorder, spelling_of
from solvers.features.tracing.clones import Inside
from solvers.features.tracing.entries import FeatureFunction
from tests.each import each


def half(x, by=2):
    return x / by


def twice(x):
    return half(x) + half(by=2, x=x)


def entry(x):
    return twice(x) + half(x, 4)


def often(x):
    return sum(half(x) for _ in range(MOST_CALLS + 5))


def emptied(values):
    values.clear()
    return 0.0


def empties(x):
    return emptied([x])


def raising(x):
    raise ValueError(x)


def caught(x):
    try:
        return raising(x)
    except ValueError:
        return 0.0


def watched(function, sample=8.0):
    recorder = Recorder(Inside([__name__]))
    return recorder.watched(FeatureFunction(function.__name__, function), sample, [])


def test_calls_stand_below_their_caller_in_order():
    root = watched(entry)
    (top,) = [root] if root.children[0].function is twice else root.children
    first, second = top.children
    assert (first.function, second.function) == (twice, half)
    assert [one.index for one in first.children] == [0, 1]
    assert root.result == entry(8.0)
    assert first.nanoseconds >= sum(one.nanoseconds for one in first.children)


def test_the_same_arguments_have_one_key_however_they_are_spelled():
    (top,) = watched(twice).children or [watched(twice)]
    calls = top.children or [top]
    assert len({str(one.key) for one in calls}) == 1


def walk(call):
    yield call
    for child in call.children:
        yield from walk(child)


def test_calls_beyond_the_most_are_part_of_their_caller():
    assert sum(one.function is half for one in walk(watched(often))) == MOST_CALLS


@each(
    ("function", "called", "why"),
    [
        (empties, emptied, "it changes what it is given in place"),
        (caught, raising, "it raises"),
    ],
)
def test_what_cannot_be_computed_once_says_why(function, called, why):
    (one,) = [c for c in walk(watched(function)) if c.function is called]
    assert one.objection == why


def many(x, *rest, power=1, **more):
    return x, rest, power, more


def ordered(function, *args, **kwargs):
    return spelling_of(function).ordered(args, kwargs)


@each(("args", "named"), [((1,), {}), ((1, 2), {}), ((), {"by": 2, "x": 1})])
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
