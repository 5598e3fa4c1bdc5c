"""Numbers, units and names in words."""

import pytest

from explorer.widgets.text import cost_text, number, plain


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.00123, "0.00123"),
        (0.5, "0.500"),
        (12.345, "12.3"),
        (123.45, "123"),
        (98765.4, "98765"),
        (float("inf"), "inf"),
    ],
)
def test_numbers_show_three_digits_that_count(value, shown):
    assert number(value) == shown


def test_microseconds_are_written_with_their_sign():
    assert cost_text(12.34, "us") == "12.3 µs"
    assert cost_text(2, "features") == "2 features"


def test_names_are_never_markup():
    assert plain("<script>alert('x')</script>") == (
        "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"
    )
