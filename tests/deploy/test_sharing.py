"""A call is made once for the same arguments, and nothing of a package is changed."""

import types

import numpy as np
import pytest

from solvers.deploy.sharing import Calls
from tests.each import each


def counted():
    asked = []

    def power(x, n=2):
        asked.append(n)
        return x**n

    return power, asked


@each(
    ("one", "other", "is_one"),
    [
        (np.ones(3), np.ones(3), True),
        (np.ones(3), np.ones(3, dtype=np.float32), False),
        (0.0, -0.0, False),
        (1, True, False),
        ([1, (2.5, "a")], [1, (2.5, "a")], True),
        ({"a": 1}, {"a": 2}, False),
        (object(), object(), False),
    ],
)
def test_arguments_are_the_same_to_the_last_bit_or_two(one, other, is_one):
    asked = []
    remembered = Calls().once(lambda x: asked.append(x))
    remembered(one)
    remembered(other)
    assert len(asked) == (1 if is_one else 2)


def test_an_argument_that_was_changed_since_is_another_one():
    once = Calls().once(np.sum)
    values = np.ones(3)
    assert once(values) == 3.0
    values[0] = 5.0
    assert once(values) == 7.0


def test_each_caller_gets_a_copy_of_its_own():
    asked = []
    once = Calls().once(lambda x: asked.append(1) or (x + 1, 2.0))
    (first, _), (second, _) = once(np.zeros(2)), once(np.zeros(2))
    first[:] = 9.0
    second[:] = 8.0
    assert once(np.zeros(2))[0].tolist() == [1.0, 1.0]
    assert len(asked) == 1


@each(
    "function",
    [
        lambda x: x,
        lambda x: x[:1],
        lambda x: x.sort() or x.sum(),
        lambda x: iter(x),
        lambda x: [x],
    ],
    ids=["the argument", "a part of it", "changed", "read once", "in a list"],
)
def test_what_cannot_be_given_again_is_computed_again(function):
    asked = []
    once = Calls().once(lambda x: asked.append(1) or function(x))
    for _ in range(2):
        once(np.array([2.0, 1.0]))
    assert len(asked) == 2


def test_errors_that_are_treated_otherwise_are_met():
    once = Calls().once(lambda x: 1 / x)
    with np.errstate(divide="ignore"):
        assert once(np.zeros(1))[0] == np.inf
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        once(np.zeros(1))


def test_what_a_function_depends_on_is_looked_at():
    window, asked = np.ones(2), []
    calls = Calls()

    def weighted(x):
        asked.append(1)
        return x * window

    once = calls.once(weighted, reads=lambda: (window,))
    once(np.ones(2))
    once(np.ones(2))
    window[0] = 3.0
    assert once(np.ones(2)).tolist() == [3.0, 1.0]
    assert len(asked) == 2


def test_each_function_has_its_own_memory_and_named_arguments_count():
    (power, asked), calls = counted(), Calls()
    once = calls.once(power)
    assert (once(3), once(3), once(3, n=3)) == (9, 9, 27)
    assert calls.once(lambda x: -x)(3) == -3
    assert asked == [2, 3]


def test_a_copy_of_a_module_calls_once_and_the_module_as_ever():
    library, (power, asked) = types.ModuleType("library"), counted()
    library.inner = types.ModuleType("library.inner")
    library.inner.power = power
    copy = Calls().within(library, ["inner", "power"])
    assert [copy.inner.power(2), copy.inner.power(2)] == [4, 4]
    assert asked == [2]
    assert library.inner.power is power


def shared(x):
    CALLED.append(x)
    return x + 1


def twice(x):
    return shared(x) * shared(x)


def alone(x):
    return x


CALLED = []


def test_what_a_function_calls_within_its_package_is_called_once():
    CALLED.clear()
    assert Calls().inside(twice, [shared])(2) == 9
    assert CALLED == [2]
    assert twice(2) == 9
    assert CALLED == [2, 2, 2]
    assert Calls().inside(alone, [shared]) is alone
