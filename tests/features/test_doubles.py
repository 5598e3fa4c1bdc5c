"""A double passes for the function that it stands for; only `is` tells them apart."""

import copy
import functools
import inspect
import pickle
import types

import numpy as np
import pytest

from solvers.features.fingerprint import original_of, standing_for
from tests.each import each


def mean(values, order=1):
    """Return the mean."""
    return sum(values) / len(values)


@pytest.fixture
def double():
    return standing_for(mean)(lambda *given, **named: ("called", given, named))


def test_it_is_called_in_its_place(double):
    assert double([1], order=2) == ("called", ([1],), {"order": 2})
    assert original_of(double) is mean
    assert original_of(mean) is mean


def test_it_is_equal_and_as_hashable_in_both_directions(double):
    other = standing_for(mean)(print)
    assert double == mean
    assert mean == double
    assert double == other
    assert double != len
    assert {mean: 1}[double] == {double: 1}[mean] == 1
    assert double in (len, mean)


def test_it_has_the_class_the_signature_and_the_names(double):
    assert isinstance(double, types.FunctionType)
    assert inspect.isfunction(double)
    assert inspect.signature(double) == inspect.signature(mean)
    told = "__name__", "__doc__", "__module__", "__qualname__", "__code__"
    assert [getattr(double, n) for n in told] == [getattr(mean, n) for n in told]
    assert repr(double) == repr(mean)
    assert functools.wraps(double)(lambda: 0).__name__ == "mean"


def test_attributes_are_those_of_the_function(double):
    double.scale = 2
    try:
        assert mean.scale == double.scale == vars(double)["scale"] == 2
    finally:
        del double.scale
    assert not hasattr(mean, "scale")


def test_it_is_a_method_where_the_function_is(double):
    class Holder:
        method = double

    holder = Holder()
    assert holder.method(1) == ("called", (holder, 1), {})
    assert standing_for(np.add)(print).__get__(holder) == np.add


@each("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_its_copies_are_the_function(double, again):
    assert again(double) is mean
