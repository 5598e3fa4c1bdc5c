"""The columns of the table that is open: changed, it is read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from solvers.datasets import ColumnPlan

from ...compute.jobs import READ_SECONDS
from ...compute.sandbox import sandboxed
from ...document.drawing import Table
from ...document.reading import Reading
from ...document.retaking import reading_of
from ...document.table_use import TableUse
from ...session.column_editor import ColumnEditor
from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...session.own_files import plans_and_table
from ...session.problem import ProblemState

ABOUT = (
    "<p>What each column of the open table is taken for, what becomes of its gaps, and "
    "what it is used for. A change reads the table again and can be undone.</p>"
)


class ColumnsPart(OnDemandPart):
    """Plans of the columns, once they are asked for; then in step with the table.

    `problem`: whose table is read again.
    """

    title = "Columns"
    label = "Show the columns"
    icon = "view_column"
    doing = "Reading"

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(context, **params)
        self._problem, session = problem, context.session
        self.about.object = ABOUT
        self._table: Table | None = None
        self._reading: Reading | None = None
        caption, dark = "Columns of the open table", session.param.dark
        self.editor = ColumnEditor(self.job, self._settle, caption, dark=dark)
        self.result.objects = [self.editor.view]
        problem.editor.param.watch(lambda _: self._follow(), "drawing")

    def compute(self) -> None:
        """Show the columns of the table that is open."""
        table = self._problem.editor.drawing.table
        if table is not None:
            self._plan(table)

    def _plan(self, table: Table) -> None:
        def look() -> Iterator[Reading | tuple[ColumnPlan, ...]]:
            reading = reading_of(table)
            yield reading
            names = self.editor.stale(reading.file, reading.use)
            yield from self.editor.plans(reading.file, reading.use, names)

        def arrived(items: list[Any]) -> None:
            found.extend(items)
            n_planned = sum(map(len, found[1:]))
            self.job.progress = n_planned / max(1, len(found[0].file.columns))

        def done() -> None:
            self._reading, *some = found
            plans = list(chain.from_iterable(some))
            self.editor.take(self._reading.file, self._reading.use, plans)
            self.start.visible = False
            self.result.visible = True

        found: list[Any] = []
        self._table = table
        self.job.submit(look, arrived, done)

    def _follow(self) -> None:
        """Show another table, or this one as undo has it."""
        table = self._problem.editor.drawing.table
        if table is None or not self.result.visible or table is self._table:
            return
        self._table = table
        if table.reading is None or table.reading is not self._reading:
            self._plan(table)

    def _settle(self, use: TableUse, said: str) -> None:
        """Read the table in the way that a person chose, and learn from it."""
        if self._reading is None:
            return
        reading = replace(self._reading, use=use)
        names = self.editor.stale(reading.file, use)

        def arrived(items: list[Any]) -> None:
            found.extend(items)

        def done() -> None:
            *some, dataset = found
            self._reading = reading
            self.editor.take(reading.file, use, list(chain.from_iterable(some)))
            self._problem.retake(reading, dataset, said)

        found: list[Any] = []
        self.job.submit(
            lambda: sandboxed(plans_and_table, reading, names),
            arrived,
            done,
            seconds=READ_SECONDS,
        )
