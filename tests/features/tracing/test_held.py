"""A value is held and given where nothing can tell the calls apart; else computed."""

import dataclasses
import warnings

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from solvers.features.fingerprint import alike
from solvers.features.tracing.held import Began, Place, copier
from solvers.features.tracing.reach import Reach
from tests.each import each

BUFFER = np.zeros(3)


@dataclasses.dataclass
class Spectrum:
    values: np.ndarray


def spectrum(x, order=1):
    return np.abs(np.fft.rfft(x)) ** order


def place(function=spectrum):
    return Place(function, Reach([function, Spectrum]), Began())


def held(function, *args, **kwargs):
    made = place(function)
    _, kept = made.compute(function, args, kwargs)
    return made, kept


def gives(made, kept, *args, **kwargs):
    return kept is not None and made.may_give(kept, args, kwargs)


X = np.arange(6.0)


def test_a_copy_is_given_for_the_same_arguments_however_they_are_spelled():
    made, kept = held(spectrum, X)
    for args, kwargs in [((X,), {}), ((X.copy(), 1), {}), ((), {"order": 1, "x": X})]:
        assert made.may_give(kept, args, kwargs)
    one, other = kept[2](), kept[2]()
    assert one.tolist() == other.tolist() == spectrum(X).tolist()
    assert not np.shares_memory(one, other)
    assert made.taken == 3


@each(
    "other",
    [
        X.astype(np.float32),
        X + 1e-15,
        X[::-1],
        X.reshape(2, 3),
        X.tolist(),
        np.repeat(X, 2)[::2],
        pd.Series(X),
    ],
    ids=lambda one: f"{type(one).__name__}",
)
def test_nothing_is_given_for_other_arguments(other):
    made, kept = held(spectrum, X)
    assert not gives(made, kept, other)
    assert not gives(made, kept, X, 2)


def test_an_argument_that_was_changed_since_is_another_one():
    x = X.copy()
    made, kept = held(spectrum, x)
    x[0] = 5.0
    assert not gives(made, kept, x)


def test_nothing_is_given_where_errors_or_warnings_are_treated_otherwise():
    made, kept = held(spectrum, X)
    with np.errstate(divide="raise"):
        assert not gives(made, kept, X)
    with warnings.catch_warnings():
        assert not gives(made, kept, X)
        warnings.simplefilter("error")
        assert not gives(made, kept, X)
    assert gives(made, kept, X)


def sorting(x):
    x.sort()
    return x.sum()


def returning(x):
    return x


def heading(x):
    return x[:2]


def filling(x):
    BUFFER[:] = x[:3]
    return BUFFER


def filling_once(x):
    BUFFER[:] = 0.0
    return BUFFER


def ignoring(x):
    np.seterr(divide="ignore")
    return x.sum()


def listing(x):
    return [x]


def iterating(x):
    return iter([1.0])


def twice(x):
    y = x + 1
    return y, y


WHY_NOT = "what it returns cannot be copied, or is part of something else"


@each(
    ("function", "why"),
    [
        (sorting, "it changes what it is given in place"),
        (returning, WHY_NOT),
        (heading, WHY_NOT),
        (
            filling,
            "it depends on tests.features.tracing.test_held.BUFFER, which changes",
        ),
        (filling_once, WHY_NOT),
        (listing, WHY_NOT),
        (iterating, WHY_NOT),
        (twice, WHY_NOT),
        (ignoring, "it changes how errors or warnings are treated"),
    ],
)
def test_what_is_not_safe_is_not_held_and_says_why(function, why):
    with np.errstate():
        made, kept = held(function, np.array([3.0, 1.0, 2.0]))
    BUFFER[:] = 0.0
    assert kept is None
    assert made.why == why


def test_what_cannot_be_looked_into_is_not_held():
    made, kept = held(lambda rng: 1.0, np.random.default_rng(0))
    assert kept is None
    assert made.why == "it is given what cannot be looked into"


def test_where_a_feature_counts_warnings_all_is_computed():
    made = place()
    with warnings.catch_warnings(record=True):
        assert made.compute(spectrum, (X,), {})[1] is None
    assert made.why == "errors or warnings are treated otherwise where it is called"


LAYOUTS = {
    "rows": lambda x: x,
    "columns": np.asfortranarray,
    "every other": lambda x: np.repeat(x, 2, axis=0)[::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
    "a column": lambda x: np.repeat(x[..., None], 3, -1)[..., 1],
    "turned": lambda x: x.T,
}


@given(
    arrays.arrays(
        st.sampled_from(["f8", "f4", "i2", "c16", "?", ">f8", "U3", "M8[s]"]),
        arrays.array_shapes(max_dims=3, max_side=4),
    ),
    st.sampled_from(sorted(LAYOUTS)),
)
def test_a_copy_of_an_array_has_its_numbers_and_lies_as_it_does(values, layout):
    values = LAYOUTS[layout](values)
    give = copier(values, (), Reach([]))
    assert give is not None
    for copied in (give(), give()):
        assert alike(copied, values)
        assert not np.shares_memory(copied, values)
        assert copied.flags.writeable


@each(
    "value",
    [
        1.5,
        "a",
        (1.0, X),
        [X, {"a": X + 1}],
        {1, 2},
        Spectrum(X),
        pd.Series(X, name="a"),
        pd.DataFrame({"a": X, "b": list("xyzxyz")}),
        np.array(["x", None], dtype=object),
    ],
    ids=lambda one: type(one).__name__,
)
def test_other_values_are_copied_whole(value):
    give = copier(value, (), Reach([Spectrum]))
    assert alike(give(), value)


@each(
    "value",
    [
        np.broadcast_to(1.0, 3),
        X[::100].repeat(2)[None].T[:, ::1],
        (X, X[:2]),
        [X, X],
        lambda: 1,
        np.zeros(2, dtype=[("a", "f8")])[0],
        np.arange(10_000.0)[::5000],
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_cannot_be_copied_alike_is_not(value):
    copied = copier(value, (), Reach([]))
    assert copied is None or alike(copied(), value)
    if not isinstance(value, np.ndarray) or not value.flags.writeable:
        assert copied is None
