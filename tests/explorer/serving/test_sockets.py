"""A message's things are counted, not what stands in its texts."""

import json

import pytest

from explorer.serving.sockets import MOST_ITEMS, _is_crowded

MANY = 2 * MOST_ITEMS


@pytest.mark.parametrize(
    "value",
    [
        {"events": [{"kind": "ModelChanged", "new": [1, 2]}]},
        "[" * MANY,
        [r"\"[," * MANY],
        {"text": json.dumps([["a", "b"]] * (MANY // 8))},
        json.dumps(json.dumps(["\\"] * (MANY // 8))),
    ],
)
def test_a_text_is_one_thing_whatever_it_holds(value):
    assert not _is_crowded(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    [
        "[" * MANY,
        "[" + "0," * MANY,
        json.dumps([{}] * MANY),
        json.dumps(["\\"] * MANY),
        '"' * 2_000_000 + "," * MANY,
    ],
)
def test_many_things_are_a_crowd(text):
    assert _is_crowded(text)
