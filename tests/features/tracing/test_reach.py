"""What code can reach is known, can be compared, or makes the code unknown."""

import collections
import enum
import functools
import os
import random
import re
import sys
import threading
import time
import types

import numpy as np
import pandas as pd
import pytest

from solvers.features.tracing import reach
from solvers.features.tracing.reach import Reach
from tests.each import each

RATE = 2.0
WINDOW = np.hanning(4)
TABLE = {"order": [1, 2]}
NAMES = collections.Counter("ab")
RNG = np.random.default_rng(0)
WORDS = re.compile("a")
library = types.ModuleType("library")
library.rate = 1.0


class Mode(enum.Enum):
    FAST = 1


class Scaler:
    factor = 1.0

    def __init__(self):
        self.offset = np.zeros(1)

    def scale(self, x):
        return x * self.factor + self.offset


SCALER = Scaler()


def scaled(x):
    return SCALER.scale(x) * RATE


def windowed(x, seen=TABLE):
    return scaled(x) * WINDOW + NAMES["a"] + len(seen["order"]) + library.rate


def plain(x):
    return np.fft.rfft(np.asarray(x)) + float(RATE) + len(WORDS.findall("a"))


def by_mode(x, mode):
    return x * (2 if mode is Mode.FAST else 3)


@functools.cache
def cached(x):
    return x


def within(x):
    return cached(x)


def drawing(x):
    return RNG.normal()


def legacy(x):
    return np.random.normal() + random.random()


def late(x):
    return time.perf_counter()


def environment(x):
    return os.environ.get("A")


def looking(x):
    return x.base


def reading(x):
    return np.loadtxt(x), pd.read_csv(x)


def handing(x):
    return windowed(library)


def writing(x):
    global RATE
    RATE = x


def opening(x):
    return open(x)


def locked(x):
    return LOCAL.rate


LOCAL = threading.local()


def absent(x):
    return nowhere(x)  # noqa: F821


def sleeping(x):
    time.sleep(0)
    return x


@each("function", [plain, scaled, windowed, by_mode, sleeping])
def test_what_can_be_read_to_the_end_is_known(function):
    assert Reach([function]).unknown == ""


@each(
    ("function", "why"),
    [
        (within, "cached remembers what it gave"),
        (drawing, "RNG, which cannot be looked into"),
        (legacy, "whose code cannot be read"),
        (late, "perf_counter, whose code cannot be read"),
        (environment, "cannot be"),
        (looking, "asks for base"),
        (reading, "asks for loadtxt"),
        (handing, "hands on the module library"),
        (writing, "sets the variable RATE"),
        (opening, "calls open"),
        (locked, "cannot be"),
        (absent, "names nowhere, which is not there"),
        (random.random, "code cannot be read"),
        (np.frompyfunc(plain, 1, 1), "code cannot be read"),
    ],
)
def test_what_cannot_be_followed_says_why(function, why):
    assert why in Reach([function]).unknown


def test_functions_of_c_are_taken_at_their_word_where_their_package_is_named():
    assert Reach([time.perf_counter]).unknown
    assert not Reach([time.perf_counter], ["time"]).unknown
    assert not Reach([np.fft.rfft]).unknown


def test_all_that_could_change_is_found():
    names = {name.split(".")[-1] for name, _ in Reach([windowed]).state}
    assert names == {"WINDOW", "NAMES", "SCALER", "a default of windowed"}


def test_who_reaches_more_than_can_be_compared_is_known_to():
    nodes = []
    for _ in range(5):  # few, in very many ways: as all that runs in a process
        nodes = [{"number": number, "next": nodes} for number in range(40)]

    def count(x):
        return x * len(nodes)

    reach = Reach([count])
    assert reach.asks == "reaches more than can be compared"
    assert reach.unknown
    assert not reach.has_changed()


def changed(monkeypatch, name):
    """Changes that somebody else may make, each of one thing that is reached."""
    if name == "variable":
        monkeypatch.setattr(f"{__name__}.RATE", 3.0)
    elif name == "function":
        monkeypatch.setattr(f"{__name__}.scaled", plain)
    elif name == "module":
        monkeypatch.setattr(library, "rate", 3.0)
    elif name == "class":
        monkeypatch.setattr(Scaler, "factor", 3.0)
    elif name == "method":
        monkeypatch.setattr(Scaler, "scale", plain)
    elif name == "instance":
        monkeypatch.setattr(SCALER, "factor", 3.0, raising=False)
    elif name == "array in an instance":
        monkeypatch.setattr(SCALER, "offset", np.ones(1))
    elif name == "nested list":
        monkeypatch.setitem(TABLE, "order", [1, 3])
    else:
        monkeypatch.setitem(NAMES, "a", 3)


@each(
    "name",
    [
        "variable",
        "function",
        "module",
        "class",
        "method",
        "instance",
        "array in an instance",
        "nested list",
        "counter",
    ],
)
def test_a_change_of_what_is_reached_is_seen_and_gone_when_it_is_undone(name):
    reach = Reach([windowed])
    assert not reach.has_changed()
    with pytest.MonkeyPatch.context() as patch:
        changed(patch, name)
        assert reach.has_changed()
        assert reach.change()
    assert not reach.has_changed()
    assert reach.change() == ""


def test_numbers_in_an_array_are_compared():
    reach = Reach([windowed])
    WINDOW[0] += 1.0
    assert reach.change().endswith("WINDOW")
    WINDOW[0] -= 1.0
    assert not reach.has_changed()


def test_a_variable_of_a_function_around_is_seen():
    rate = 1.0

    def inner(x):
        return x * rate

    reach = Reach([inner])
    assert not reach.has_changed()
    rate = 2.0
    assert reach.has_changed()


def test_attributes_of_functions_are_compared_where_somebody_asks_for_them():
    def counted(x):
        return x * counted.scale

    counted.scale = 1.0
    reach = Reach([counted])
    assert not reach.has_changed()
    counted.scale = 2.0
    assert reach.change().startswith("attributes of")
    counted.scale = 1.0
    assert not reach.has_changed()


def asking(f):
    return f is plain


def asking_a_class(f):
    return type(f) is types.FunctionType


def harmless(x):
    return x is RATE or x is Mode.FAST or type(x) is float or x is None


@each(
    ("function", "why"),
    [
        (asking, "tests which function it has"),
        (asking_a_class, "asks what kind of function it has"),
        (looking, "asks for base"),
        (lambda f: id(f), "asks for id"),
        (lambda f: eval("f"), "asks for eval"),
        (harmless, ""),
        (windowed, ""),
        (os.path.join, ""),  # Python's own library compares no functions
    ],
)
def test_who_asks_which_of_two_equal_objects_it_has_is_found(function, why):
    assert Reach([function]).asks == why


def test_who_may_draw_or_set_is_found():
    from sklearn.utils import shuffle

    assert Reach([lambda x: shuffle(x)]).draws
    assert not Reach([plain]).draws
    assert Reach([writing]).sets
    assert Reach([lambda x: setattr(x, "a", 1)]).sets
    assert not Reach([Scaler]).sets  # its own attributes, in a new instance


def test_only_what_was_read_is_known():
    reach = Reach([scaled])
    assert reach.knows(Scaler)
    assert reach.knows(scaled.__code__)
    assert reach.knows(pd.Series)
    assert not reach.knows(Mode)
    assert not reach.knows(plain.__code__)


@each(
    ("module", "is_trusted"),
    [
        ("numpy", True),
        ("scipy.signal.windows", True),
        ("builtins", True),
        ("statistics", True),
        ("numpy.random.mtrand", False),
        ("numpyish", False),
        ("os", False),
        ("time", False),
        (None, False),
    ],
)
def test_who_computes_and_does_nothing_else_is_trusted(module, is_trusted):
    assert reach.is_trusted(module) == is_trusted


def test_a_module_of_somebody_s_own_with_a_name_of_python_s_is_not(monkeypatch):
    own = types.ModuleType("statistics")
    own.__file__ = "/somewhere/statistics.py"
    monkeypatch.setitem(sys.modules, "statistics", own)
    reach._is_named.cache_clear()
    try:
        assert not reach.is_trusted("statistics")
    finally:
        reach._is_named.cache_clear()


def test_some_libraries_may_draw_global_random_numbers():
    assert reach.may_draw("sklearn.utils")
    assert reach.may_draw("scipy.stats._entropy")
    assert not reach.may_draw("numpy.fft")
