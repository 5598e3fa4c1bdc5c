"""Whatever a message shows, it is short, on one line, and can be printed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.costs.interchange import guarded, unguarded
from solvers.errors import listed, reason_of, shown
from tests.each import each

ANYTHING = st.recursive(
    st.text(st.characters(categories=["Cs", "Cc", "Lu", "Zl"]))
    | st.integers()
    | st.floats()
    | st.binary()
    | st.integers(4000, 4400).map(lambda n: 10**n),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(max_size=3), inside),
)


@given(ANYTHING)
def test_anything_is_shown_on_one_short_line_that_is_utf_8(value):
    text = shown(value)
    text.encode()
    assert len(text) <= 120
    assert text.isprintable()


def test_what_says_itself_what_it_is_says_it_on_one_line_that_is_utf_8():
    class Odd:
        def __repr__(self):
            return "a\nb\ud800\x1b[2J\u2028"

    assert shown(Odd()) == r"a b\ud800\x1b[2J\u2028"


@each("value", [2, 0.5, True, "red", b"red"])
def test_numbers_and_texts_of_numpy_are_shown_as_those_of_python(value):
    scalar = np.asarray(value)[()]
    assert shown(scalar) == shown(value)


def test_a_list_of_long_names_is_short():
    assert len(listed(["x" * 10_000] * 1000)) < 500


@each(
    ("error", "text"),
    [
        (OSError("broken page"), "broken page"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError(), "OSError"),
        (ValueError("a\nb\ud800."), "a b\\ud800"),
    ],
)
def test_the_reason_of_any_failure_has_words(error, text):
    assert reason_of(error) == text
    assert len(reason_of(ValueError("x" * 9999))) <= 180


@given(st.text(st.sampled_from("'=+-@\t\ra1. "), max_size=6))
def test_a_guarded_cell_is_read_back_and_begins_no_formula(cell):
    written = guarded(cell)
    assert unguarded(written) == cell
    if written[:1] in tuple("=+-@\t\r"):
        float(written)
