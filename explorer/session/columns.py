"""The columns of a table on screen: planned in the background, changed by a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from solvers.datasets import ColumnPlan, TableFile
from solvers.errors import ThriftscopeError, listed

from ..compute.jobs import Job
from ..compute.sandbox import sandboxed
from ..document.reading import TableUse
from ..widgets.assets import asset
from ..widgets.text import counted
from .own_files import column_plans

Settle = Callable[[TableUse, str], None]


class ColumnEditor:
    """What becomes of each column, as a table in which that is changed.

    `job`: plans, and says what is refused.
    `settle`: takes what a person says now, and what was done, in a few words; it calls
    `plan` in the end.
    """

    def __init__(self, job: Job, settle: Settle, caption: str, *, dark: Any) -> None:
        self._job, self._settle = job, settle
        look = {"dark": dark, "sizing_mode": "stretch_width"}
        self.view = ColumnTable(self._change, caption=caption, **look)
        self._file: TableFile | None = None
        self.use = TableUse()
        # What was refused is not chosen: lists go back to what is shown.
        job.param.watch(lambda event: self._show_again(event.new), "message")

    def plan(
        self, file: TableFile, use: TableUse, done: Callable[[], None] = lambda: None
    ) -> None:
        """Show what becomes of the columns of a table, the first ones at once.

        `done`: called whenever some are shown.
        """
        names = self.stale(file, use)

        def arrived(some: list[tuple[ColumnPlan, ...]]) -> None:
            found.extend(chain.from_iterable(some))
            self._job.progress = len(found) / max(1, len(names))
            if len(names) == len(file.columns):  # a large table shows as it is read
                self.take(file, use, found)
                done()

        def planned() -> None:
            self.take(file, use, found)
            done()

        found: list[ColumnPlan] = []
        self._job.submit(lambda: self.plans(file, use, names), arrived, planned)

    def plans(
        self, file: TableFile, use: TableUse, names: Collection[str]
    ) -> Iterator[tuple[ColumnPlan, ...]]:
        """Yield what becomes of some columns, a few at once."""
        return sandboxed(column_plans, file, use, list(names))

    def take(self, file: TableFile, use: TableUse, found: list[ColumnPlan]) -> None:
        """Show plans; of columns that they do not name what was shown of them."""
        known = self.view.plans if file is self._file else {}
        plans = known | {plan.name: plan for plan in found}
        self._file, self.use = file, use
        self.view.fill([plans[name] for name in file.columns if name in plans])

    def stale(self, file: TableFile, use: TableUse) -> list[str]:
        """Return the columns of which something else is to be shown."""
        if file is not self._file or use.label != self.use.label:
            return list(file.columns)
        return [
            name
            for name in file.columns
            if use.of_column(name) != self.use.of_column(name)
        ]

    def _show_again(self, refused: str) -> None:
        if refused:
            self.view.fill(list(self.view.plans.values()))

    def _change(self, name: str, key: str, value: Any) -> None:
        plan = self.view.plans[name]
        try:
            use = self.use.changed(name, key, value, plan.kind)
        except ThriftscopeError as error:
            self._job.message = str(error)
            return
        self._settle(use, said_of(name, key, value))


def said_of(name: str, key: str, value: Any) -> str:
    """Return what was changed of a column, in a few words."""
    words = dict(OFFERED.get(key, ())).get(value, value)
    return {
        "kind": f"Took {name} as {words}",
        "gaps": f"Gaps of {name}: {words}",
        "role": f"Used {name} as {words}",
        "encoding": f"Encoded {name} as {words}",
    }.get(key, f"Ordered the values of {name}")


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
