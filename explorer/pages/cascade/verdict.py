"""Where the cascade beats a fixed prefix of cheap features, and where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn
import param

from solvers.cascades import PrefixComparison

from ...widgets.figure_view import StateTable
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import cost_text, plain
from .state import CascadeState

__all__ = ["CascadeVerdict", "verdict_text"]

AHEAD = {"cascade": "cascade", "prefix": "fixed prefix", "level": "level"}


class CascadeVerdict(StateTable):
    """A sentence and a table: budget by budget, who is ahead."""

    state = param.ClassSelector(class_=CascadeState)
    caption, height = "Cascade and fixed prefix within budgets", 300
    columns = (
        "Budget",
        "Mean cost allowed",
        "Cascade (test)",
        "Fixed prefix (test)",
        "Difference ± error",
        "Ahead",
    )
    numbers = (False, False, True, True, False, False)
    follows = ("cascade", "confidence", "cap")

    def __init__(self, **params: Any) -> None:
        self._text = markup("", min_height=64)
        super().__init__(**params)

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._text, self._table)

    def _fill(self) -> None:
        picture = self.state.picture
        if picture is None:
            return
        rows, unit = picture.against_prefix, picture.cascade.dataset.unit
        self._text.object = f"<p>{plain(verdict_text(rows))}</p>"
        self._table.rows = [
            [
                f"{100 * row.share:.0f} %",
                cost_text(row.budget, unit),
                round(row.cascade, 3),
                round(row.prefix, 3),
                f"{row.cascade - row.prefix:+.3f} ± {row.error:.3f}",
                AHEAD[row.ahead],
            ]
            for row in rows
        ]


def verdict_text(rows: Sequence[PrefixComparison]) -> str:
    """Return where the cascade pays, in words."""
    told = {
        name: ", ".join(f"{100 * row.share:.0f}" for row in rows if row.ahead == name)
        for name in AHEAD
    }
    parts = []
    if told["cascade"]:
        parts.append(f"The cascade beats the prefix within {told['cascade']} % of cost")
    if told["prefix"]:
        parts.append(f"the fixed prefix beats the cascade within {told['prefix']} %")
    if told["level"]:
        parts.append(f"neither is ahead beyond noise within {told['level']} %")
    text = "; ".join(parts) or "No budget pays for the first stage"
    return (
        f"{text[:1].upper()}{text[1:]}. Threshold and prefix are chosen on validation "
        "rows, and reported on test rows; ahead means by two standard errors."
    )
