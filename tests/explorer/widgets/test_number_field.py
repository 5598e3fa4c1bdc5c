"""What is typed in a field for numbers, as people write numbers."""

from explorer.widgets.number_field import NumberField
from tests.each import each


def typed(text, **params):
    """The field after somebody has typed, and what the browser shows of it."""
    field = NumberField(**params)
    field._text.value = text
    return field, field._text


@each(
    ("text", "unit", "value", "written"),
    [
        ("12,5", None, 12.5, "12.5"),
        (" -1.2e-3 ", None, -0.0012, "-0.0012"),
        ("1 000", None, 1000.0, "1000"),
        ("0.3 ms", "us", 300.0, "300"),
        ("$7,5", "USD", 7.5, "7.5"),
        ("", "us", None, ""),
        ("7", "features", 7.0, "7"),
    ],
)
def test_numbers_are_read_as_they_are_everywhere(text, unit, value, written):
    field, shown = typed(text, unit=unit, value=3.0)
    assert field.value == value
    assert (shown.value, shown.error_state, shown.helper_text) == (written, False, "")


@each(
    ("text", "unit", "said"),
    [
        ("abc", None, "'abc' is no number; type one such as 2.5."),
        ("1,234", None, "may be 1.234 or 1234"),
        ("5 CAD", "us", "cannot be put beside"),
        ("-3", "us", "no number of 0 or more"),
    ],
)
def test_what_cannot_be_read_stays_and_is_told(text, unit, said):
    field, shown = typed(text, unit=unit, value=3.0)
    assert (field.value, shown.value, shown.error_state) == (3.0, text, True)
    assert said in shown.helper_text
    field.value = 4.0  # as a slider moves it
    assert (shown.value, shown.error_state, shown.helper_text) == ("4", False, "")


def test_the_number_that_was_held_can_be_typed_again():
    field, shown = typed("abc", value=3.0)
    shown.value = "3"
    assert (field.value, shown.error_state) == (3.0, False)


@each(
    ("text", "value", "said"),
    [
        ("-5", 0.0, "0 is the least that it can be; '-5' was typed."),
        ("1e30", 9.0, "9 is the most that it can be; '1e30' was typed."),
        ("9.001", 9.0, ""),  # as it was shown, rounded
    ],
)
def test_what_is_beyond_the_ends_is_the_nearest_and_is_told(text, value, said):
    field, shown = typed(text, start=0.0, end=9.0)
    assert (field.value, shown.value) == (value, f"{value:g}")
    assert (shown.error_state, shown.helper_text) == (False, said)
