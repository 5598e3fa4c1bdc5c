"""Text first, types after: a column is what all of its words write."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError
from solvers.values import (
    AmbiguousCellError,
    DateForm,
    DurationForm,
    NumberForm,
    TimeForm,
    YesNoForm,
    beside_columns,
    form_from,
    guessed_form,
)
from tests.each import each


@each(
    ("words", "form"),
    [
        (["0.5", "2"], NumberForm(".", ",")),
        (["1", "2"], NumberForm()),
        (["$1,234.50", "2"], NumberForm(".", ",", currency="$", accounting=True)),
        (["12.5%", "3 %"], NumberForm(".", ",", percent="marked")),
        (["2024-12-31"], DateForm()),
        (["31/12/2024"], DateForm("dmy")),
        (["08:30", "9:15"], TimeForm()),
        (["26:00", "9:15"], DurationForm()),
        (["ja", "nein"], YesNoForm("nein", "ja")),
        (["0", "1"], YesNoForm("0", "1")),
        (["a", "b", "c"], None),
        (["1_0", "2_1"], None),
        ([], None),
    ],
)
def test_a_column_is_guessed_by_its_words(words, form):
    assert guessed_form(words).form == form


@each(
    ("words", "code"),
    [
        (["01", "1", "10"], "01"),
        (["01", "1", "2", "3"], "01"),
        (["007.1", "7.10"], "007.1"),
        (["1e5", "10e4"], "10e4"),
        (
            ["12345678901234567890123", "12345678901234567890124"],
            "12345678901234567890123",
        ),
        (["02001", "20001"], "02001"),
    ],
)
def test_codes_stay_words_and_are_named(words, code):
    guess = guessed_form(words, name="site")
    assert guess.form is None
    assert guess.notes == (
        f"Column 'site' holds '{code}', which is no number as it is written: its words "
        "are kept.",
    )
    assert guessed_form(words, options={"kind": "number"}).form is not None


@each(
    ("words", "note"),
    [
        (["1,234.50", "5.00"], "'pay' holds numbers: '1,234.50' is 1234.5."),
        (["5", "12.5%"][::-1][:1], "'pay' holds numbers: '12.5%' is 0.125."),
        (["31.12.2024"], "'pay' holds dates: '31.12.2024' is 2024-12-31."),
        (
            ["1:05 PM"],
            "'pay' holds times of day, as minutes since midnight: '1:05 PM' is 785.",
        ),
        (["36 h"], "'pay' holds durations, as days: '36 h' is 1.5."),
        (
            ["20240131"],
            "'pay' holds '20240131', which may be a date; "
            "if it is, say that its kind is date.",
        ),
        (
            ["2024-01-01T12:36:36.610169491"],
            "'pay' holds moments such as '2024-01-01T12:36:36.610169491': what is "
            "finer than a microsecond is cut off.",
        ),
    ],
)
def test_what_is_not_plain_is_said_with_an_example(words, note):
    assert guessed_form(words, name="pay").notes == (f"Column {note}",)


@each("words", [["1.5", "2"], ["2024-12-31"], ["no", "yes"], ["a"]])
def test_what_is_plain_needs_no_note(words):
    assert guessed_form(words, name="x").notes == ()


def test_a_compact_date_is_offered_and_may_be_said():
    words = ["20240131", "20231224"]
    guess = guessed_form(words)
    assert (guess.form, guess.offered) == (NumberForm(), DateForm(compact=True))
    assert form_from({"kind": "date", "compact": True}).read("19700102") == 1


def test_other_columns_of_the_file_decide():
    beside = beside_columns([["a", "1.5"], ["1,5", "2"], ["x"]])
    assert guessed_form(["950", "1.234"], beside=beside).form.read("1.234") == 1234
    with pytest.raises(AmbiguousCellError):
        guessed_form(["950", "1,234"])


@each(
    ("words", "options", "form"),
    [
        (["1,234"], {"decimal": ","}, NumberForm(",", ".")),
        (
            ["1,234", *"abcdefgh"],
            {"kind": "number", "decimal": "."},
            NumberForm(".", ","),
        ),
        (["1/2/2024"], {"order": "mdy"}, DateForm("mdy")),
        (["03:20"], {"clock": "m:s"}, DurationForm("m:s")),
        (["03:20"], {"kind": "duration"}, DurationForm()),
        (["25:00", "03:20"], {"kind": "time"}, TimeForm()),
        (["1", "2"], {"kind": "words"}, None),
    ],
)
def test_what_a_person_says_is_done(words, options, form):
    assert guessed_form(words, options=options).form == form


@each(
    ("options", "sentence"),
    [
        ({"kind": "money"}, "say its kind, one of 'number', 'date'"),
        ({"decimals": ","}, "say its kind"),
        ({"kind": "date", "decimal": ","}, "decimal or percent of numbers"),
        ({"kind": "date"}, "'x' holds 'a' and no date; choose another kind"),
    ],
)
def test_what_a_person_says_has_to_make_sense(options, sentence):
    with pytest.raises(DataError, match=sentence):
        guessed_form(["a"], name="x", options=options)


def test_the_header_tells_the_unit():
    assert guessed_form(["1.5"], name="Cost (USD)").form.unit == "USD"


def test_a_form_comes_back_from_json():
    forms = [
        NumberForm(",", ".", currency="€", percent="marked", unit="ms"),
        *(DateForm("dmy", compact=True), DateForm(), TimeForm(), DurationForm("m:s")),
        YesNoForm("nein", "ja"),
    ]
    for form in forms:
        assert form_from(json.loads(json.dumps(form.data))) == form


@each(
    ("data", "sentence"),
    [
        ({"kind": "colour"}, "has the kind 'colour'; use one of number, date"),
        ({}, "has the kind None"),
        ({"kind": "date", "decimal": ","}, "described by order, compact, monthly"),
        ({"kind": "date", "compact": "yes"}, "has compact='yes'"),
        ({"kind": "time", "x": 1}, "described by nothing more"),
    ],
)
def test_data_of_no_form_are_refused(data, sentence):
    with pytest.raises(DataError, match=sentence):
        form_from(data)


@settings(max_examples=50)
@given(st.lists(st.text(max_size=12), unique=True, max_size=12))
def test_any_words_have_a_form_or_none_or_are_refused_by_name(words):
    words = [word.strip() for word in words if word.strip()]
    try:
        form, cell = guessed_form(words, name="x").form, None
    except AmbiguousCellError as error:
        form, cell = None, error.cell
    assert cell is None or cell in words
    assert form is None or form.read_all(words).shape == (len(words),)
