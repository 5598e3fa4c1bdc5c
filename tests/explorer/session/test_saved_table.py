"""A person's table comes back from a session to the last bit, or is refused."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.session import saved_table
from explorer.session.saved_table import packed_table, table_key, unpacked_table
from solvers import Dataset, FeatureHypergraph
from solvers.errors import InterchangeError
from tests.each import each

PRICES = FeatureHypergraph([[1, 1], [0, 1]], [3.0, 0.5], ("peak", "mean"), unit="ms")


def _dataset(y=None, **changes):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((8, 2)) * 10.0 ** rng.integers(-300, 300, (8, 2))
    labels = np.arange(8) % 2 if y is None else np.asarray(y)
    dataset = Dataset("own", X, labels, PRICES, notes=("one", "two"), source="a file")
    return dataclasses.replace(dataset, **changes)


def _packed(**changes):
    return json.loads(json.dumps(packed_table(_dataset()))) | changes


@each(
    "y",
    [
        np.arange(8) % 3,
        np.array(["ill", "well"] * 4),
        np.array([True, False] * 4),
        np.array([0.5, 1.5] * 4),
    ],
    ids=["numbers", "words", "booleans", "parts"],
)
def test_rows_and_labels_come_back_to_the_last_bit(y):
    before = _dataset(y, positive=None)
    back = unpacked_table(json.loads(json.dumps(packed_table(before))))
    assert (back.X == before.X).all()
    assert back.y.tolist() == before.y.tolist()
    assert (back.name, back.source, back.notes) == ("own", "a file", ("one", "two"))
    assert back.fractions == before.fractions
    assert (back.hypergraph.component_costs == PRICES.component_costs).all()


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=25)
def test_any_number_is_kept(value):
    before = _dataset(X=np.full((8, 2), value))
    assert (unpacked_table(packed_table(before)).X == before.X).all()


def test_the_same_content_has_the_same_name_and_other_content_another():
    key = table_key(_dataset())
    assert key == table_key(_dataset())
    others = [
        _dataset(X=_dataset().X + 1),
        _dataset(y=1 - np.arange(8) % 2),
        _dataset(name="other"),
        _dataset(positive=0),
        _dataset(hypergraph=PRICES.set_cost("c0", 9.0)),
    ]
    assert key not in {table_key(other) for other in others}


def test_a_table_too_large_to_be_kept_is_none(monkeypatch):
    monkeypatch.setattr(saved_table, "MAX_BYTES", 100)
    assert packed_table(_dataset()) is None


@each(
    "changes",
    [
        {"more": 1},
        {"rows": 9},
        {"rows": -8},
        {"rows": 8.0},
        {"columns": True},
        {"values": "no base64!"},
        {"values": "QUJD"},
        {"labels": 5},
        {"classes": []},
        {"classes": [0, "1"]},
        {"classes": [0]},
        {"positive": [1]},
        {"name": 5},
        {"fractions": [0.5, 0.5]},
        {"notes": "one"},
        {"roles": {"colour": [1] * 8}},
        {"roles": {"weight": [1.0] * 7}},
        {"roles": {"group": ["a"] * 8}},
    ],
    ids=str,
)
def test_a_damaged_table_is_refused(changes):
    with pytest.raises(InterchangeError, match="damaged"):
        unpacked_table(_packed(**changes))


def test_a_table_that_claims_too_much_is_refused_before_it_is_unpacked():
    with pytest.raises(InterchangeError, match="at most 256 MB are read"):
        unpacked_table(_packed(rows=10**8, columns=10**6))
