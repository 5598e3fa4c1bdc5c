"""Numbers, comments and strings as C writes them, whatever people wrote."""

import ast
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.deploy.c_text import comment_of, listed, real_of, string_of


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_written_to_the_last_bit(value):
    assert float(real_of(value, "double")) == value


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_is_marked_as_one_and_read_as_itself(value):
    text = real_of(value, "float")
    assert text.endswith("f")
    assert np.float32(text[:-1]) == np.float32(value)


@pytest.mark.parametrize(
    ("value", "real", "text"),
    [
        (math.inf, "double", "INFINITY"),
        (-math.inf, "float", "-INFINITY"),
        (1e300, "float", "INFINITY"),
        (-1e300, "float", "-INFINITY"),
        (1e300, "double", "1e+300"),
    ],
)
def test_what_a_type_cannot_hold_is_infinite(value, real, text):
    assert real_of(value, real) == text


@given(st.text(max_size=12))
def test_a_string_says_the_same_bytes_and_cannot_end_early(text):
    literal = string_of(text)
    assert literal.isascii()
    assert literal[0] == literal[-1] == '"'
    assert '"' not in literal[1:-1]
    assert "?" not in literal  # no trigraph
    said = ast.literal_eval(f"b{literal}")
    assert said == text.encode("utf-8", "replace")


@given(st.text(st.sampled_from("*/?\\ \na"), max_size=10))
def test_a_comment_is_neither_ended_nor_begun_nor_continued(text):
    comment = comment_of(text)
    assert "*/" not in comment
    assert "/*" not in comment
    assert "??" not in comment
    assert "\n" not in comment


def test_an_empty_list_holds_a_zero():
    assert listed([]) == "    0"
    assert listed("abcde") == "    a, b, c, d,\n    e"
