"""A field in which a number is typed as people write it, or none.

It is read as every number that a person writes: in files, in the matrix of costs, here.
What cannot be read stays in the field, with a sentence that says why.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import param
from panel.viewable import Viewer

from solvers.errors import DataError, ThriftscopeError, shown
from solvers.values.rounding import rounded

from ..document.units import read_cost, typed_number
from .ui import pmui

# What the template's field takes once it is drawn, in CSS pixels.
FIELD_HEIGHT = 40
# The class by which the page's keyboard knows it (`select_keys.js`).
FIELD_CLASS = "number-field"
# A sentence of several lines: below the field it would move what stands there.
_OVER_THE_PAGE = {
    "& .MuiFormHelperText-root": {
        "position": "absolute",
        "top": "100%",
        "zIndex": 10,
        "width": "max-content",
        "maxWidth": "min(320px, 80vw)",
        "margin": "4px 0 0",
        "padding": "6px 10px",
        "borderRadius": "6px",
        "border": "1px solid currentColor",
        "backgroundColor": "background.paper",
    }
}
_LOOKS: dict[str, Any] = {
    "size": "small",
    "min_height": FIELD_HEIGHT,
    "css_classes": [FIELD_CLASS],
    "sx": _OVER_THE_PAGE,
}


class NumberField(Viewer):
    """A number that is typed; None where nothing is.

    `looks`: what the template's field is to look like.
    """

    value = param.Number(default=None, allow_None=True, doc="The number.")
    label = param.String(default="", doc="What is typed.")
    start = param.Number(default=None, allow_None=True, doc="The least it can be.")
    end = param.Number(default=None, allow_None=True, doc="The most it can be.")
    visible = param.Boolean(default=True, doc="Whether it is seen.")
    unit = param.String(
        default=None,
        allow_None=True,
        doc="The unit of a cost, which may be typed with another one; None of none.",
    )

    def __init__(self, *, looks: dict[str, Any] | None = None, **params: Any) -> None:
        super().__init__(**params)
        self._text = pmui.TextInput(
            label=self.param.label,
            visible=self.param.visible,
            value=_written(self.value),
            **{**_LOOKS, **(looks or {})},
        )
        self._text.param.watch(lambda event: self._take(event.new), "value")
        self.param.watch(lambda _: self._write(), "value")

    def __panel__(self) -> Any:
        return self._text

    def _write(self) -> None:
        """Write the number that is held, in the place of whatever was typed."""
        self._text.param.update(
            value=_written(self.value), error_state=False, helper_text=""
        )

    def _take(self, text: str) -> None:
        if text == _written(self.value):
            self._write()  # as it is held already, rounded or not
            return
        try:
            typed = self._read(text)
        except ThriftscopeError as error:
            self._text.param.update(error_state=True, helper_text=str(error))
            return
        held = typed
        if typed is not None and (self.start, self.end) != (None, None):
            held = float(np.clip(typed, self.start, self.end))
        self.value = held
        self._write()
        if typed is not None and held is not None:
            self._text.helper_text = _cut_text(text, typed, held)

    def _read(self, text: str) -> float | None:
        if not text.strip():
            return None
        if self.unit is not None:
            return read_cost(text, self.unit)
        number = typed_number(text)
        if number is None:
            raise DataError(f"{shown(text)} is no number; type one such as 2.5.")
        return number


def _cut_text(text: str, typed: float, held: float) -> str:
    """Return a sentence where another number is held than was typed."""
    if math.isclose(typed, held, rel_tol=1e-3):
        return ""
    told = "the most" if held < typed else "the least"
    return f"{rounded(held, 4):g} is {told} that it can be; {shown(text)} was typed."


def _written(value: float | None) -> str:
    """Return a number with all its digits, and no power of ten."""
    return "" if value is None else np.format_float_positional(value, trim="-")
