"""The columns of a table on screen: what each is taken for, changeable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from solvers.datasets import ColumnPlan
from solvers.errors import listed

from ..widgets.assets import asset
from ..widgets.text import counted

# A longer table is not read: a filter finds what one looks for.
MAX_ROWS = 100
MAX_FILTER = 120
_FEW = 12  # columns, which need no filter
_N_NAMES = 4  # of encoded columns
_CODED = ("category", "code", "ordered")
# The fields of the dialog by which a file's marks are told.
MARK_FIELDS = {"decimal": "Decimals are parted by", "order": "Dates are written"}
OFFERED: dict[str, list[tuple[str, str]]] = {
    "kind": [
        ("number", "number"),
        ("yes/no", "yes or no"),
        ("category", "category"),
        ("ordered", "ordered category"),
        ("code", "integer code"),
        ("date", "date"),
        ("time", "time of day"),
        ("hashed", "text, hashed"),
        ("text", "text, left out"),
        ("identifier", "identifier, left out"),
    ],
    "gaps": [
        ("fill", "filled, and marked"),
        ("value", "a value of its own"),
        ("drop", "rows dropped"),
    ],
    "role": [
        ("feature", "feature"),
        ("free", "feature at no cost"),
        ("label", "target (label)"),
        ("group", "group of rows"),
        ("time", "time of rows"),
        ("weight", "weight of rows"),
        ("part", "part (split)"),
        ("left out", "left out"),
    ],
    "encoding": [
        ("one column a value", "one column a value"),
        ("mean of the label", "mean of the label"),
    ],
}
_BECOMES = {
    "label": "What is predicted.",
    "group": "Rows of one group stay on one side of a split.",
    "time": "Earlier rows train, later ones test.",
    "weight": "Says how much each row counts.",
    "part": "Says which rows train, validate and test.",
    "left out": "Nothing: it is left out.",
}


# What to say of a column that is left out, or may be of another kind, and its words.
_BACK: dict[str, tuple[str, str, str]] = {
    "left out": ("role", "feature", "Use it"),
    "text": ("kind", "hashed", "Use it, hashed"),
    "identifier": ("kind", "category", "Use it as a category"),
    "date": ("kind", "date", "Read it as a date"),
}


class ColumnTable(JSComponent):
    """Shows plans of columns, and says what a person changes.

    What needs a look comes first: columns with a warning, as it is when they arrive.

    `change`: takes the name of a column, what of it, and its new value.
    """

    content = param.Dict(default={}, doc="Rows, and a note on how many there are.")
    offered = param.Dict(default=OFFERED, doc="What can be chosen: values and words.")
    caption = param.String(default="Columns of the table", doc="What it holds.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    _esm = "\n".join(map(asset, ("filtered_table.js", "column_table.js")))
    _stylesheets: ClassVar[list[str]] = [
        asset("filtered_table.css"),
        asset("column_table.css"),
    ]

    def __init__(self, change: Callable[[str, str, Any], None], **params: Any) -> None:
        super().__init__(**params)
        self._change, self._wanted = change, ""
        self.plans: dict[str, ColumnPlan] = {}  # What is shown, by name of the column
        self._order: list[str] = []

    @property
    def features(self) -> list[str]:
        """The columns that are learned from."""
        return [name for name, plan in self.plans.items() if plan.encoded]

    def fill(self, plans: Sequence[ColumnPlan]) -> None:
        """Show what becomes of columns; a choice that was refused shows again."""
        self.plans = {plan.name: plan for plan in plans}
        if {*self._order} != {*self.plans}:  # else they stay where they are
            self._order = sorted(self.plans, key=lambda n: not self.plans[n].warnings)
        self._write()

    def _handle_msg(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        if message.get("op") == "filter" and isinstance(message.get("text"), str):
            self._wanted = message["text"][:MAX_FILTER]
            self._write()
        elif message.get("op") == "column" and message.get("name") in self.plans:
            self._change(message["name"], str(message.get("key")), message.get("value"))

    def _write(self) -> None:
        wanted = self._wanted.casefold()
        plans = [self.plans[name] for name in self._order]
        found = [plan for plan in plans if wanted in plan.name.casefold()]
        n, n_all = min(len(found), MAX_ROWS), len(self.plans)
        n_used = sum(len(plan.encoded) for plan in self.plans.values())
        n_features = sum(bool(plan.encoded) for plan in self.plans.values())
        shown = "" if n == n_all else f" {n} of {n_all} columns are shown."
        rows = [_row(plan) for plan in found[:MAX_ROWS]]
        learned = f"learned from as {counted(n_used, 'column')}"
        out = [plan.name for plan in plans if _is_out(plan)]
        left = f" Left out: {listed(out)}." if out else ""
        note = f"{counted(n_features, 'feature')}, {learned}.{left}{shown}"
        self.content = {
            "rows": rows,
            "note": note,
            "filtered": n_all > _FEW or bool(wanted),
            # What is shown as before is sent again, so that lists go back to it.
            "serial": self.content.get("serial", 0) + 1,
        }


def _row(plan: ColumnPlan) -> dict[str, Any]:
    is_feature = plan.role in ("feature", "free")
    is_coded = is_feature and plan.kind in _CODED and bool(plan.encoded)
    return {
        "name": plan.name,
        "examples": ", ".join(plan.examples),
        "kind": plan.kind,
        "fixed": not is_feature,
        "missing": plan.n_missing,
        "gaps": plan.gaps,
        "role": plan.role,
        "out": _is_out(plan),
        "back": list(_BACK.get(plan.offered or _out_by(plan), ())),
        "becomes": _becomes(plan),
        "encoding": plan.encoding if is_coded else "",
        "values": " < ".join(plan.values) if is_feature else "",
        "warnings": [_settled_by(*plan.doubt)] if plan.doubt else list(plan.warnings),
        "notes": list(plan.notes),
    }


def _settled_by(doubt: str, mark: str) -> str:
    """Return what may be read in two ways, and which field of the dialog settles it."""
    return f"{doubt} Choose which it is at “{MARK_FIELDS[mark]}” above."


def _is_out(plan: ColumnPlan) -> bool:
    is_feature = plan.role in ("feature", "free")
    return plan.role == "left out" or (is_feature and not plan.encoded)


def _out_by(plan: ColumnPlan) -> str:
    """Return by what a column is left out: its role or its kind; empty if it is not."""
    if not _is_out(plan):
        return ""
    return plan.role if plan.role == "left out" else plan.kind


def _becomes(plan: ColumnPlan) -> str:
    if plan.role in _BECOMES:
        return _BECOMES[plan.role]
    n = len(plan.encoded)
    if plan.encoded == (plan.name,):
        return "One column, as it is."
    if n <= 1:
        return f"One column: {plan.encoded[0]}." if n else ""
    named = ", ".join(plan.encoded[:_N_NAMES])
    return f"{n} columns: {named}{', ...' if n > _N_NAMES else '.'}"
