"""Values have one fingerprint where nothing can tell them apart, and two elsewhere."""

import functools

import numpy as np
import pandas as pd

from solvers.features.fingerprint import alike, fingerprint, original_of, standing_for
from tests.each import each


def _key(value):
    kept = []
    return fingerprint(value, kept), kept


def _same(one, other):
    kept = []
    return fingerprint(one, kept) == fingerprint(other, kept)


ARRAY = np.arange(6.0).reshape(2, 3)


@each(
    ("one", "other"),
    [
        (3, 3),
        ("peak", "peak"),
        ([1, (2.0, "x")], [1, (2.0, "x")]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({1, 2, 3}, {3, 2, 1}),
        (ARRAY, ARRAY.copy()),
        (np.float32(2), np.float32(2)),
        (slice(1, 5, 2), slice(1, 5, 2)),
        (float("nan"), float("nan")),
        (functools.partial(np.sum, axis=0), functools.partial(np.sum, axis=0)),
        (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1, 2]})),
        (np.array(["x", None], dtype=object), np.array(["x", None], dtype=object)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_equal_values_are_one(one, other):
    assert _same(one, other)


@each(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        (0.1 + 0.2, 0.3),
        ([1, 2], (1, 2)),
        ([1, [2]], [1, 2]),
        ({"a": 1}, {"a": 2}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),  # a loop over it goes another way
        (ARRAY, ARRAY.astype(np.float32)),
        (ARRAY, ARRAY.reshape(3, 2)),
        (ARRAY, np.asfortranarray(ARRAY)),  # sums differ in the last bit
        (ARRAY, ARRAY + 1e-16 * (ARRAY == 0)),
        (np.float64(2), 2.0),
        (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"b": [1, 2]})),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_something_could_tell_apart_are_two(one, other):
    assert not _same(one, other)


def test_functions_are_one_where_code_and_what_they_hold_are():
    def made(step):
        return lambda x: x + step

    assert _same(made(1), made(1))
    assert not _same(made(1), made(2))


def test_what_cannot_be_looked_into_is_known_by_itself_and_kept():
    one, other = np.random.default_rng(0), np.random.default_rng(0)
    key, kept = _key(one)
    assert kept == [one]
    assert key == _key(one)[0]
    assert key != _key(other)[0]


def test_a_container_that_holds_itself_has_an_end():
    circle = []
    circle.append(circle)
    key, kept = _key(circle)
    assert key
    assert kept


def test_a_stand_in_is_known_by_what_it_stands_for():
    def original(x):
        return x

    @standing_for(original)
    def stand_in(x):
        return x + 1

    assert original_of(stand_in) is original
    assert original_of(original) is original
    assert stand_in.__name__ == "original"
    assert _same(stand_in, original)


def test_numbers_are_alike_to_the_last_bit():
    assert alike((1.0, float("nan")), (1.0, float("nan")))
    assert not alike((0.1 + 0.2,), (0.3,))


def test_a_function_that_names_what_is_not_there_yet_has_a_key():
    def early():
        return later

    kept = []
    before = fingerprint(early, kept)
    later = 1
    assert fingerprint(early, kept) != before


def test_what_holds_more_than_can_be_looked_into_is_known_by_itself_alone():
    nodes = []
    for _ in range(5):
        nodes = [{"number": number, "next": nodes} for number in range(40)]
    kept = []
    key = fingerprint(nodes, kept)
    assert kept
    assert fingerprint(nodes, kept) == key
    assert fingerprint([dict(node) for node in nodes], []) != key
    # Much alone is no reason.
    kept = []
    fingerprint([(number, str(number)) for number in range(10_000)], kept)
    assert not kept
