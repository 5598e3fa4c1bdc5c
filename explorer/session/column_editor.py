"""The columns of a table, planned in the background and changed by a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any

from solvers.datasets import ColumnPlan, TableFile
from solvers.errors import ThriftscopeError

from ..compute.jobs import Job
from ..compute.sandbox import sandboxed
from ..document.reading import TableUse
from .column_table import OFFERED, ColumnTable
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
