"""Copies call substitutes wherever code reaches a function; originals never do."""

import functools
import types

import numpy as np

from solvers.features.tracing.clones import Inside, rebuilt
from tests.each import each

HERE = Inside([__name__])


def inner(x):
    return x + 1


TABLE = {"inner": inner, "others": [1, (inner, 2)]}
PLACE = types.SimpleNamespace(inner=inner)


def by_name(x):
    return inner(x)


def by_default(x, f=inner):
    return f(x)


def by_keyword_default(x, *, f=inner):
    return f(x)


def by_container(x):
    return TABLE["others"][1][0](x)


def by_partial(x):
    return PARTIAL(0)(x)


PARTIAL = functools.partial(lambda f, _: f, inner)


def make_closure():
    held = inner

    def by_closure(x):
        return held(x)

    return by_closure


def by_inner_function(x):
    def within(value):
        return inner(value)

    return within(x)


def calls_nothing(x):
    return x * 2


def lazily(x):
    yield inner(x)


def _hundredfold(function):
    """Stand in for `inner` alone: what it gives, times 100."""
    return (lambda x: 100 * function(x)) if function is inner else function


@each(
    "function",
    [
        by_name,
        by_default,
        by_keyword_default,
        by_container,
        by_partial,
        make_closure(),
        by_inner_function,
    ],
    ids=lambda function: function.__name__,
)
def test_a_copy_calls_the_substitute_and_the_original_does_not(function):
    copy = rebuilt(function, HERE, _hundredfold)
    assert copy(1) == 200
    assert function(1) == 2
    assert copy.__name__ == function.__name__
    assert copy.__module__ == function.__module__


def test_a_function_that_names_nothing_watched_is_itself():
    assert rebuilt(calls_nothing, HERE, _hundredfold) is calls_nothing
    assert rebuilt(by_name, Inside(["numpy"]), _hundredfold) is by_name
    assert rebuilt(by_name, HERE, lambda function: function) is by_name


def test_attributes_of_modules_are_found_and_the_module_is_left_alone():
    def spectrum(x):
        return np.fft.rfft(x)

    seen = []

    def noted(function):
        seen.append(function.__name__)
        return lambda x: "stood in"

    copy = rebuilt(spectrum, Inside(["numpy.fft"]), noted)
    assert copy([1.0, 2.0]) == "stood in"
    assert "rfft" in seen
    assert spectrum([1.0, 2.0]).tolist() == [3.0, -1.0]


def test_a_bound_method_keeps_its_object():
    class Scaler:
        factor = 3

        def scale(self, x):
            return self.factor * x

    method = Scaler().scale
    copy = rebuilt(method, HERE, lambda f: lambda self, x: -self.factor * x)
    assert copy(2) == -6
    assert method(2) == 6


def test_a_package_is_known_by_its_name_and_what_lies_below():
    inside = Inside(["numpy", "scipy.fft"])
    assert inside.package_of("numpy.linalg") == "numpy"
    assert inside.package_of("scipy.fft") == "scipy.fft"
    assert inside.package_of("scipy.signal") is None
    assert inside.package_of("numpyish") is None
    assert inside.package_of(None) is None


@each(
    ("value", "is_covered"),
    [
        (inner, True),
        (np.fft.rfft, True),
        (lazily, False),  # its body runs later
        (types.SimpleNamespace, False),  # a class
        (functools.partial(inner, 1), False),  # looked into, not watched
        (3, False),
    ],
)
def test_what_is_a_function_of_the_packages_is_watched(value, is_covered):
    assert Inside([__name__, "numpy", "types"]).covers(value) == is_covered


def test_functions_of_a_scope_are_watched_whatever_module_they_name():
    scope = {"__name__": "elsewhere"}
    exec("def strange(x):\n    return x", scope)
    assert not HERE.covers(scope["strange"])
    assert Inside([], [scope]).covers(scope["strange"])
