"""A call is made once for the same arguments, and nothing of a package is changed."""

import types

import numpy as np
import pytest

from solvers.deploy.sharing import Calls


def counted():
    asked = []

    def power(x, n=2):
        asked.append(n)
        return x**n

    return power, asked


@pytest.mark.parametrize(
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
