"""Values come through between processes as they were, and nothing else comes."""

import json
import sys
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse

from explorer.compute import wire
from explorer.document.reading import TableUse
from solvers import FeatureHypergraph, preview_table
from solvers.datasets import make_heart, open_table
from solvers.methods.csdt import CSDTClassifier
from tests.each import each

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats(),
    lambda inside: (
        st.lists(inside)
        | st.lists(inside).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inside)
    ),
)
EMPTY = ["list", "items", []]
KINDS = arrays.array_shapes(min_side=0).flatmap(
    lambda shape: arrays.arrays(
        st.sampled_from(["f8", "<i4", "?", "U5", "M8[s]", "u1"]), shape
    )
)


@dataclass
class Foreign:
    """A class of nobody's package."""

    value: int = 0


def sent(value):
    return wire.read([bytes(part) for part in wire.written(value)])


@settings(max_examples=50)
@given(PLAIN)
def test_plain_values_come_through(value):
    assert repr(sent(value)) == repr(value)


@settings(max_examples=50)
@given(KINDS)
def test_arrays_come_through_in_their_order_and_can_be_written_to(array):
    for given_array in (array, np.asfortranarray(array)):
        found = sent(given_array)
        np.testing.assert_array_equal(found, given_array)
        assert found.dtype == array.dtype
        assert found.flags.fnc == given_array.flags.fnc
        assert found.flags.writeable


@each("value", [np.int64(3), np.str_("good"), np.bool_(True)])
def test_a_single_label_comes_through_as_numpy_has_it(value):
    assert sent(value) == value
    assert type(sent(value)) is type(value)


@each("n", [3, wire.PIECE, 2 * wire.PIECE + 1])
def test_long_lists_of_names_come_through_in_pieces(n):
    names = tuple(f"größe {k}" for k in range(n))
    parts = wire.written(names)
    assert len(parts) == 1 + (n > wire.PIECE) * -(-n // wire.PIECE)
    assert sent(names) == names


def test_a_data_set_comes_through_with_prices_and_kinds():
    heart, found = make_heart(), sent(make_heart())
    np.testing.assert_array_equal(found.X, heart.X)
    np.testing.assert_array_equal(found.y, heart.y)
    assert found.schema == heart.schema
    assert (found.notes, found.positive) == (heart.notes, heart.positive)
    ours, theirs = found.hypergraph, heart.hypergraph
    assert (ours.incidence != theirs.incidence).nnz == 0
    assert ours.features == theirs.features
    np.testing.assert_array_equal(ours.component_costs, theirs.component_costs)


def test_the_columns_of_a_table_come_through_as_arrow():
    file = open_table(b"a,b,day\n1,x,2020-01-01\n,y,2020-01-02\n")
    found = sent(file)
    assert {n: c.to_pylist() for n, c in found.columns.items()} == {
        name: column.to_pylist() for name, column in file.columns.items()
    }
    assert all(isinstance(column, pa.ChunkedArray) for column in found.columns.values())
    assert sent(preview_table(file)) == preview_table(file)


def test_what_is_ours_is_checked_as_it_is_made():
    costs = np.array([1.0, 2.0])
    parts = [*map(bytes, wire.written(FeatureHypergraph.independent(costs)))]
    cost = parts.index(costs.tobytes())
    parts[cost] = np.array([1.0, -2.0]).tobytes()
    with pytest.raises(ValueError, match="costs"):
        wire.read(parts)


@each(
    "given_text",
    [
        ["array", "f8", [10**12], "C", 1],
        ["dict", ["list", "items", ["a", "b"]], ["list", "items", [1]]],
        ["pickle", 1],
        ["columns", 1],
        ["bytes", 7],
        ["tuple", "pieces", [1]],
        [[]],
        ["csr", [2, 2], *[["array", "<i8", [1], "C", 1]] * 3],
    ],
)
def test_what_makes_no_value_makes_nothing(given_text):
    with pytest.raises((ValueError, TypeError, LookupError)):
        wire.read([json.dumps(given_text).encode(), b"cos\nsystem"[:8]])


@each(
    ("module", "name"),
    [
        ("subprocess", "Popen"),
        ("os", "system"),
        ("explorer.compute.wire", "importlib"),
        ("solvers.errors", "ThriftscopeError"),  # ours, and no dataclass
        ("solvers.methods.csdt", "CSDTClassifier"),  # ours, and an estimator
    ],
)
def test_nothing_is_made_but_dataclasses_of_ours(module, name):
    made = ["object", ["class", module, name], ["dict", EMPTY, EMPTY]]
    with pytest.raises(ValueError, match="none of the classes"):
        wire.read([json.dumps(made).encode()])


@each(
    ("module", "imports"),
    [("solvers.frontier.sweep.orphans", False), ("colorsys", True)],
)
def test_no_module_is_loaded_but_ours_and_that_by_a_child_alone(
    monkeypatch, module, imports
):
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(ValueError, match="none of the classes"):
        wire.read([json.dumps(["class", module, "x"]).encode()], imports=imports)
    assert module not in sys.modules


@each("kind", ["O", "f8,O"])
def test_arrays_of_objects_are_refused_before_they_are_made(kind):
    with pytest.raises(ValueError, match="array of objects"):
        wire.read([json.dumps(["array", kind, [1], "C", 1]).encode(), bytes(16)])


@each(
    ("whole", "torn"),
    [
        (np.array([0, 4, 8], "<i4").tobytes(), np.array([0, 9999, 8], "<i4").tobytes()),
        (b"goodevil", b"good\xff\xff\xff\xff"),
    ],
)
def test_columns_whose_parts_point_beyond_themselves_are_not_made(whole, torn):
    column = pa.chunked_array([pa.array(["good", "evil"])])
    told, stream = map(bytes, wire.written({"a": column}))
    assert stream.count(whole) == 1
    with pytest.raises(ValueError, match=r"Invalid|UTF8|offset"):
        wire.read([told, stream.replace(whole, torn)])


@each("value", [object(), np.array([{}]), {1, 2}, CSDTClassifier()])
def test_what_is_not_to_be_sent_is_not_written(value):
    with pytest.raises(TypeError, match="not sent"):
        wire.written(value)


def test_classes_are_sent_by_name():
    assert sent({"page": (TableUse, ("a",))}) == {"page": (TableUse, ("a",))}


def test_a_class_of_another_package_is_not_made():
    parts = wire.written(Foreign(3))
    with pytest.raises(ValueError, match="none of the classes"):
        wire.read(parts)


def test_rows_that_point_beyond_themselves_are_not_made():
    rows = sparse.csr_array(np.eye(3))
    rows.indptr[:] = 0, 2, 3, 0
    with pytest.raises(ValueError, match="run backwards"):
        sent(rows)
