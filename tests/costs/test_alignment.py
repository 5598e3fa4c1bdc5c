"""What has names is taken by name, in any order; what has none goes by position."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils import check_array

from solvers import FeatureHypergraph, all_methods
from solvers.costs.alignment import (
    aligned_columns,
    aligned_values,
    column_names,
    generic_names,
    named_columns,
    named_values,
    order_by_name,
)
from solvers.errors import DataError
from tests.each import each

NAMES = st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)


@given(NAMES.flatmap(lambda names: st.tuples(st.just(names), st.permutations(names))))
def test_every_order_of_the_same_names_is_put_into_the_known_one(pair):
    known, given_names = pair
    order = order_by_name(given_names, known, "X")
    found = given_names if order is None else [given_names[k] for k in order]
    assert found == known
    values = np.arange(2.0 * len(known)).reshape(2, -1)
    frame = pd.DataFrame(values, columns=given_names)
    assert aligned_columns(frame, known).equals(frame[known])
    series = pd.Series(values[0], given_names)
    for one in (series, series.to_dict()):
        assert list(aligned_values(one, known, "It")) == series[known].tolist()


@settings(max_examples=50)
@given(NAMES, NAMES)
def test_a_name_that_one_side_lacks_is_refused_and_named(given_names, known):
    if set(given_names) == set(known):
        return
    with pytest.raises(DataError) as told:
        order_by_name(given_names, known, "X")
    for lacking in (set(given_names) - set(known), set(known) - set(given_names)):
        assert len(lacking) > 5 or all(
            repr(name) in str(told.value) for name in lacking
        )


@given(NAMES)
def test_generic_names_are_none(names):
    generic = generic_names(len(names))
    assert order_by_name(generic, names, "X") is None
    assert order_by_name(names, generic, "X") is None
    parts = generic_names(len(names), "component")
    assert order_by_name(names, parts, "X", what="component") is None
    with pytest.raises(DataError):
        order_by_name(names, parts, "X")


@each(
    "frame",
    [
        pd.DataFrame({"a": [1.0], "b": [2.0]}),
        pl.DataFrame({"a": [1.0], "b": [2.0]}),
        pa.table({"a": [1.0], "b": [2.0]}),
    ],
    ids=lambda frame: type(frame).__module__,
)
def test_frames_keep_their_type(frame):
    assert column_names(frame) == ("a", "b")
    turned = aligned_columns(frame, ["b", "a"])
    assert type(turned) is type(frame)
    assert column_names(turned) == ("b", "a")
    assert check_array(turned).tolist() == [[2.0, 1.0]]
    assert aligned_columns(frame, ["a", "b"]) is frame, "no copy is made"


@each(
    "bare", [np.eye(2), [[1, 2]], pd.DataFrame(np.eye(2)), pd.Series([1.0, 2.0]), "ab"]
)
def test_what_has_no_names_stays_as_it_is(bare):
    assert column_names(bare) is None
    assert aligned_columns(bare, ["a", "b"]) is bare
    assert named_values(bare) is None
    assert aligned_values(bare, ["a", "b"], "It") is bare


def test_a_table_names_its_columns_unless_a_list_does():
    frame = pd.DataFrame({"a": [1], "b": [2]})
    assert named_columns(frame, None)[1] == ("a", "b")
    table, names = named_columns(frame, ["b", "a"])
    assert (list(table.columns), names) == (["b", "a"], ["b", "a"])
    with pytest.raises(DataError, match="X has no 'c', which the list of names names"):
        named_columns(frame, ["a", "b", "c"])


def test_names_that_stand_twice_or_are_of_several_types_are_refused():
    with pytest.raises(DataError, match="X has 'a' twice; give each a name of its own"):
        column_names(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(DataError, match="A Series of values has 'a' twice"):
        named_values(pd.Series([1, 2], ["a", "a"]))
    with pytest.raises(DataError, match="named by texts and by other things"):
        column_names(pd.DataFrame([[1, 2]], columns=["a", 0]))


@each("frame_of", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_that_look_the_same_are_whichever_signs_write_them(frame_of):
    composed, parted = "gr\u00f6\u00dfe", "gro\u0308\u00dfe"
    table = aligned_columns(frame_of({"b": [1.0], parted: [2.0]}), [composed, "b"])
    assert column_names(table) == (composed, "b")
    assert check_array(table).tolist() == [[2.0, 1.0]]
    with pytest.raises(DataError, match="twice"):
        aligned_columns(frame_of({composed: [1.0], parted: [2.0]}), [composed, "b"])


def test_a_model_is_asked_by_names_that_look_as_those_it_was_trained_with():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 2)), columns=["b", "gr\u00f6\u00dfe"])
    y, parted = (frame["b"] > 0).astype(int), "gro\u0308\u00dfe"
    prices = FeatureHypergraph.independent([1.0, 2.0], ["b", parted])
    model = all_methods()["l1"](hypergraph=prices).fit(frame, y)
    asked = frame.rename(columns={"gr\u00f6\u00dfe": parted})[[parted, "b"]]
    assert (model.predict(asked) == model.predict(frame)).all()
