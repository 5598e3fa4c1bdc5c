"""Code is read for what it names, sets, imports and compares, taken branches or not."""

import functools

import numpy as np

from solvers.features.tracing.bytecode import Name, names_in, read_code
from tests.each import each

RATE = 1.0


def read(function):
    return read_code(function.__code__)


def paths(function):
    return {name.path for name in read(function).names}


def named(x):
    return np.fft.rfft(x) * RATE + len(x) + x.mean().real


def test_variables_are_named_with_the_attributes_that_are_taken_of_them():
    assert paths(named) == {("np", "fft", "rfft"), ("RATE",), ("len",)}
    assert {"mean", "real", "rfft"} <= read(named).attributes


def test_inner_functions_and_classes_are_read_too():
    def outer(x):
        class Point:
            scale = 2.0
            twice = scale * RATE

        return lambda: np.abs(x) + Point.scale

    assert paths(outer) == {("RATE",), ("np", "abs"), ("__name__",)}
    assert {"abs", "scale"} <= names_in(outer.__code__)
    assert len(read(outer).codes) == 3


def held_by(function, depth=0):
    def inner(x):
        nonlocal depth
        depth += 1
        return function(x).item

    return inner


def test_what_functions_around_hold_is_told_from_the_module_s():
    code = read(held_by(len))
    assert set(code.names) == {Name(("function",), True), Name(("depth",), True)}
    assert code.sets == {"depth"}


def setting(x):
    global RATE
    RATE = x


def setting_an_attribute(x):
    x.shape = (2,)


def setting_an_attribute_of_a_module(x):
    np.rate = x


def importing(x):
    import math

    return math.sqrt(x)


@each(
    ("function", "sets", "attributes", "named", "imports"),
    [
        (setting, {"RATE"}, False, False, set()),
        (setting_an_attribute, set(), True, False, set()),
        (setting_an_attribute_of_a_module, set(), True, True, set()),
        (importing, set(), False, False, {"math"}),
    ],
)
def test_what_is_set_and_imported_is_said(function, sets, attributes, named, imports):
    code = read(function)
    found = code.sets, code.sets_attributes, code.sets_named, code.imports
    assert found == (sets, attributes, named, imports)
    assert code.makes_names == bool(imports)


@each(
    ("text", "compared"),
    [
        ("x is None", []),
        ("x is not Ellipsis", [(None, ("Ellipsis",))]),
        ("x is len", [((None), ("len",))]),
        ("len is x[0]", [(None, None)]),
        ("type(x) is float", [(None, ("float",))]),
        ("x.__class__ is y.__class__", []),
        ("self is x", []),
        ("x == len", []),
        ("x in (len, y)", []),
        ("np.mean is x", [(("np", "mean"), None)]),
    ],
)
def test_only_what_may_be_a_function_is_compared(text, compared):
    scope = {}
    exec(f"def f(self, x, y):\n return {text}", scope)
    found = [
        tuple(one and one.path for one in pair) for pair in read(scope["f"]).compared
    ]
    assert found == compared


def test_a_code_is_read_once():
    assert read(named) is read(named)
    assert read(functools.wraps(named)(lambda x: x)) is not read(named)
