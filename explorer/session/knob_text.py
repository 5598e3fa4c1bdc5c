"""The value of a knob as it stands in a link, and back."""

from __future__ import annotations

from typing import Any

from solvers import Choice, Knob, Number, Switch


def knob_text(value: Any) -> str:
    """Return a value as text that `knob_value` reads as the same value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    # Short where nothing is lost by it: 1 for 1.0.
    return f"{value!r}".removesuffix(".0") if isinstance(value, float) else str(value)


def knob_value(text: str, knob: Knob) -> Any:
    """Return the value of a text; what is none is left to the knob to refuse."""
    if isinstance(knob, Choice):
        return text
    if isinstance(knob, Switch):
        return {"yes": True, "no": False}.get(text, text)
    if text == "none":
        return None
    number = float(text)
    is_whole = isinstance(knob, Number) and knob.integer and number.is_integer()
    return int(number) if is_whole else number
