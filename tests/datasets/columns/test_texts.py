"""Cells of a text file are numbers only where numbers would be written so."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from solvers.datasets.columns.arrow import typed_text
from tests.each import each


def typed(*words):
    column = typed_text(pa.chunked_array([pa.array(list(words), pa.string())]))
    return str(column.type), column.to_pylist()


@each(
    ("words", "kind", "values"),
    [
        (["1", " 20 ", None, "?"], "int64", [1, 20, None, None]),
        (["0.5", "-.5", "5.", "1e5", "+3"], "double", [0.5, -0.5, 5.0, 1e5, 3.0]),
        (["true", "FALSE", " NA "], "bool", [True, False, None]),
        (["2024-12-31", ""], "date32[day]", None),
        (["2024-12-31 10:00", "2024-12-31T10:00:00.5"], "timestamp[us]", None),
    ],
)
def test_plain_words_take_their_type(words, kind, values):
    found = typed(*words)
    assert found[0] == kind
    assert values is None or found[1] == values


@each(
    "words",
    [
        *(["01", "1", "10"], ["007.1", "7.10"], ["1e5", "10e4"], ["1_0"], ["inf"]),
        *([f"{10**22 + 7}"], ["1,5"], ["$5"], ["12%"], ["1.234", "2.345"]),
        *(["2024-02-30"], ["0000-01-01"], ["08:30"], ["True", "1"], ["1e999"], ["."]),
        *(["2024-01-01T12:36:36.610169491"], ["1.1", "1.10"]),
    ],
)
def test_what_is_not_plain_stays_text_as_it_stands(words):
    assert typed(*words) == ("string", words)


def test_gaps_at_the_beginning_hide_nothing():
    assert typed(*[None] * 2000, "1", "2")[0] == "int64"
    assert typed(*["1"] * 2000, "01")[0] == "string"
    assert typed(*["1.234"] * 2000, "5.67")[0] == "double"


def test_blanks_go_before_a_cell_is_compared_with_the_marks_of_gaps():
    assert typed(" ?", "a", "NA ")[1] == [None, "a", None]
    assert typed(None, " ", "?") == ("string", [None, None, None])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_are_those_of_python(numbers):
    numbers = list(dict.fromkeys([0.5, *numbers]))
    assert typed(*map(repr, numbers)) == ("double", numbers)
