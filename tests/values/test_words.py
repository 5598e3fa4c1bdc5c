"""Cells are trimmed once and first."""

import pytest

from solvers.errors import DataError
from solvers.values import (
    GAP_MARKS,
    YesNoForm,
    trimmed,
    unit_in,
    yes_no_form,
)
from tests.each import each


@each("mark", GAP_MARKS)
def test_blanks_around_the_mark_of_a_gap_change_nothing(mark):
    assert trimmed(mark) is trimmed(f" \t{mark}\xa0") is None


def test_other_marks_may_stand_for_a_gap():
    marks = ["", "n.k."]
    assert [trimmed(w, marks) for w in (" n.k.", "NA", " a ", " ")] == [
        None,
        "NA",
        "a",
        None,
    ]


@each(
    "words",
    [
        *(("no", "yes"), ("N", "y"), ("False", "TRUE"), ("0", "1"), ("nein", "Ja")),
        *(("Non", "Oui"), ("no", "sí"), ("nej", "ja"), ("nie", "tak"), ("нет", "да")),
        *(("FALSCH", "WAHR"), ("não", "sim")),
    ],
)
def test_no_and_yes_are_known_in_any_order(words):
    for given in (words, words[::-1]):
        form = yes_no_form(list(given))
        assert (form.no, form.yes) == words
        assert form.read_all([*words, "perhaps", None]).tolist()[:2] == [0, 1]
        assert [form.write(value) for value in (0.0, 1.0)] == [*words]


def test_capitals_do_not_make_a_third_answer():
    assert yes_no_form(["Yes", "yes", "NO"]) == YesNoForm("NO", "Yes")


@each("words", [["yes"], ["yes", "no", "?"], ["ja", "no"], ["a", "b"]])
def test_other_answers_are_no_yes_and_no(words):
    assert yes_no_form(words) is None


def test_whoever_learned_words_may_be_given_truths():
    form = YesNoForm("nein", "ja")
    assert [form.read(w) for w in ("False", "1", "yes", "no")] == [0, 1, 1, 0]
    assert YesNoForm("yes", "no").read("yes") == 0  # its own words are first
    with pytest.raises(DataError, match="both 'Ja'"):
        YesNoForm("Ja", "ja")


@each(
    ("header", "found"),
    [
        ("Cost (USD)", ("Cost", "USD")),
        ("time [ms]", ("time", "ms")),
        ("rate (%)", ("rate", "%")),
        ("height (cm, required)", ("height", "cm")),
        ("rank (of all)", ("rank (of all)", "")),
        ("n (2020)", ("n (2020)", "")),
        (" plain ", ("plain", "")),
        ("f(x) (m/s)", ("f(x)", "m/s")),
    ],
)
def test_the_unit_of_a_header_stands_in_brackets(header, found):
    assert unit_in(header) == found
