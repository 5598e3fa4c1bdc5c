"""Words of one shape are read together; what a form holds is plain."""

import copy
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.values import AmbiguousCellError, Beside, NumberForm, number_form
from solvers.values.base import any_of, layouts, shapes_of
from solvers.values.reading import folded


@given(st.lists(st.text("01 9.,\n\t\0$aÄ\u202f"), min_size=1))
def test_every_word_keeps_its_place_and_is_folded(words):
    texts, shapes = shapes_of(words)
    assert len(texts) == len(shapes) == len(words)
    for word, text in zip(words, texts, strict=True):
        if "\n" not in word.strip():
            assert text == folded(word)


def test_a_shape_keeps_what_is_no_digit_and_zeros_that_lead():
    shapes = shapes_of(["012.50", "$ 0.5", "-1,000", "10"])[1]
    assert shapes == ["099.99", "$ 0.9", "-9,999", "99"]


def test_parts_of_many_words_are_numbers_of_six_digits_at_most():
    pattern = "(?P<a>[0-9]+)-(?P<b>[0-9]+)(?P<c>x)?"
    found = {tuple(one.texts): one for one in layouts(["1-2", None, "3-4"], [pattern])}
    (one,) = found.values()
    assert one.places == [0, 2]
    assert one.parts.keys() == {"a", "b"}
    assert one.whole("a").tolist() == [1, 3]
    (long,) = layouts(["1-12345678"], [pattern])
    assert long.whole("b").tolist() == [123456]


def test_words_of_a_pattern_stand_for_themselves():
    words = ["a.b", "a.", "(c)", "x|y", "\\d", "[0-9]"]
    for word in words:
        assert re.fullmatch(any_of(words), word)
    assert not re.fullmatch(any_of(words), "axb")


def test_one_mark_or_order_decides_and_two_do_not():
    assert (Beside({","}).decimal, Beside({",", "."}).decimal) == (",", "")
    assert (Beside({","}).order, Beside({","}, {"mdy"}).order) == ("dmy", "mdy")
    assert Beside((), {"mdy", "dmy"}).order == ""


def test_a_refusal_comes_whole_out_of_another_process():
    with pytest.raises(AmbiguousCellError) as caught:
        number_form(["1,234"], name="pay")
    again = copy.copy(caught.value)  # as it is sent: made anew of its message
    assert str(again) == str(caught.value)
    assert (again.cell, again.readings) == ("1,234", caught.value.readings)


def test_no_words_are_no_values():
    assert NumberForm().read_all([]).tolist() == []
    np.testing.assert_array_equal(NumberForm().read_all([None, ""]), [np.nan, np.nan])
