"""Tables of the cascade page: every stage, rounds of the paper, budget by budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn
import param

from solvers.papers.cascades import PrefixComparison
from solvers.papers.cascades.figures import PUBLISHED_ROUNDS

from ...widgets.figure_view import StateTable, TableView
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.tables import DataTable
from ...widgets.text import cost_text, plain
from .result import TableText
from .state import METHODS, CascadeState

OURS = ("Rounds", "Classified", "Right", "Right (%)")
PUBLISHED = ("As published: classified", "As published: right", "As published (%)")
AHEAD = {"cascade": "cascade", "prefix": "fixed prefix", "level": "level"}


class CascadeStageTable(TableView):
    """What each stage costs and who leaves there."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = headed_table(METHODS[self.method].stages, self.param.dark)
        self.state.watch_rests(self.method, self._write)
        self._write()

    def _write(self) -> None:
        result = self.state.result(self.method)
        if result is not None:
            self._table.rows = result.stage_table()


def headed_table(text: TableText, dark: Any) -> DataTable:
    """Return an empty table under its caption; `dark`: the theme, by reference."""
    return DataTable(
        caption=text.caption,
        columns=list(text.columns),
        numbers=list(text.numbers),
        height=text.height,
        dark=dark,
        sizing_mode="stretch_width",
    )


class CascadeRounds(StateTable):
    """Who leaves in which round, "as published" beside ours."""

    state = param.ClassSelector(class_=CascadeState)
    caption, height = "Rows classified in different rounds", 140
    follows = ("cascade", "confidence", "cap", "rests")

    def _fill(self) -> None:
        rounds = self.state.rounds()
        # The paper's rounds are of its own 28 stages: beside others they mean nothing.
        stages = rounds[-1].last if rounds else 0
        published = PUBLISHED_ROUNDS if stages == 28 else ()
        rows = []
        for number, found in enumerate(rounds):
            share = 100 * found.n_right / found.n_rows if found.n_rows else 0.0
            cells: list[Any] = [found.title, found.n_rows, found.n_right]
            cells.append(round(share, 1) if found.n_rows else "")
            if published:
                classified, right = published[number]
                cells += [classified, right, round(100 * right / classified, 1)]
            rows.append(cells)
        columns = [*OURS, *(PUBLISHED if published else ())]
        numbers = [name != "Rounds" for name in columns]
        self._table.param.update(columns=columns, numbers=numbers, rows=rows)


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
