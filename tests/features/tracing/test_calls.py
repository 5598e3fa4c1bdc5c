"""A run of an entry is a tree of calls, with what went in and came out."""

import pytest

from solvers.features.tracing.calls import MOST_CALLS, Recorder
from solvers.features.tracing.clones import Inside
from solvers.features.tracing.entries import FeatureFunction


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


@pytest.mark.parametrize(
    ("function", "called", "why"),
    [
        (empties, emptied, "it changes what it is given in place"),
        (caught, raising, "it raises"),
    ],
)
def test_what_cannot_be_computed_once_says_why(function, called, why):
    (one,) = [c for c in walk(watched(function)) if c.function is called]
    assert one.objection == why
