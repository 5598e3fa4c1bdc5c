"""What columns are, in files and back, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from solvers.datasets.columns.schema import Column, TableSchema
from solvers.errors import DataError
from tests.each import each

WORDS = st.lists(st.text(min_size=1, max_size=5), max_size=4, unique=True).map(tuple)
COLUMNS = st.builds(
    Column,
    name=st.text(min_size=1, max_size=6),
    kind=st.sampled_from(["number", "category", "ordered", "yes/no"]),
    values=WORDS,
    gaps=st.sampled_from(["fill", "value", "drop"]),
    has_gaps=st.booleans(),
)


@given(st.lists(COLUMNS, max_size=4, unique_by=lambda column: column.name))
def test_a_schema_comes_back_from_its_file(columns):
    schema = TableSchema(tuple(columns))
    assert TableSchema.from_json(schema.to_json()) == schema


@each(
    ("column", "is_plain"),
    [
        (Column("x"), True),
        (Column("x", has_gaps=True), False),
        (Column("x", "yes/no", ("0", "1")), True),
        (Column("x", "yes/no", ("no", "yes")), False),
        (Column("x", "category", ("0", "1")), False),
    ],
)
def test_only_numbers_without_gaps_are_their_own_encoding(column, is_plain):
    assert column.is_plain == is_plain


def test_columns_are_taken_by_place_and_renamed_in_order():
    schema = TableSchema((Column("a"), Column("b", "date"), Column("c")))
    assert schema.take([2, 1]).names == ("c", "b")
    renamed = schema.renamed(["x", "y", "z"])
    assert renamed.names == ("x", "y", "z")
    assert renamed.columns[1].kind == "date"


def test_a_clone_is_the_schema_itself():
    schema = TableSchema((Column("a"),))
    assert clone(schema) is schema


@each(
    ("make", "sentence"),
    [
        (lambda: Column("x", "smell"), "Column 'x' has the kind 'smell'; use one of"),
        (lambda: Column("x", gaps="ignore"), "has the treatment of gaps 'ignore'"),
        (lambda: Column("x", encoding="sum"), "has the encoding 'sum'"),
        (lambda: TableSchema((Column("a"), Column("a"))), "Two columns are called 'a'"),
    ],
)
def test_what_no_column_is_is_refused(make, sentence):
    with pytest.raises(DataError) as refusal:
        make()
    assert sentence in str(refusal.value)
