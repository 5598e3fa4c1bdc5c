"""The data of the problem page: bundled, generated, or one's own table and columns."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import param
from panel.viewable import Viewer

from solvers.datasets import ColumnPlan, all_datasets, dataset_facts, dataset_options

from ...compute.jobs import READ_SECONDS
from ...compute.sandbox import sandboxed
from ...document.drawing import Table
from ...document.reading import Reading, TableUse
from ...document.recipes import DataRecipe, made, recipe_of
from ...document.table import reading_of
from ...session.columns import ColumnEditor
from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...session.own_files import plans_and_table
from ...session.problem import ProblemState
from ...session.state import DEFAULT_DATASET, bundled
from ...widgets.controls import button, knob_widget
from ...widgets.markup import Message, markup
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column
from ...widgets.text import plain
from ...widgets.ui import pmui

# In the list of data sets: what is open, where it is none of them.
OPEN_NOW = ""


class DataPart(Viewer):
    """Names of data sets, sliders for what each may be asked for, and upload.

    `problem`: where a data set is opened.
    """

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(**params)
        self._problem = problem
        self._job = context.job()
        self._bring = context.bring
        self._name = pmui.Select(
            label="Data set",
            options=list(all_datasets()),
            value=DEFAULT_DATASET,
            sizing_mode="stretch_width",
            margin=(4, 12),
        )
        self._sliders = wide_column()
        self._facts = markup("", margin=(0, 12))
        self._now = markup("", margin=(0, 12))
        self._name.param.watch(lambda _: self._offer(), "value")
        self._offer()
        self._session = context.session
        self._session.param.watch(lambda _: self._follow(), "dataset")
        self._follow()

    def __panel__(self) -> Any:
        look = {"sizing_mode": "stretch_width", "margin": (4, 12)}
        is_busy = self._job.param.busy.rx()
        nothing = is_busy | (self._name.param.value.rx() == OPEN_NOW)
        return wide_column(
            self._now,
            self._name,
            self._facts,
            self._sliders,
            button(
                "Open this data set",
                self._open,
                variant="contained",
                disabled=nothing,
                **look,
            ),
            progress_row(self._job, "Opening the data set"),
            button("Upload a table", self._bring, icon="upload_file", **look),
            Message(text=self._job.param.message),
        )

    def _follow(self) -> None:
        """Show what is open and how it was made, also where it was opened elsewhere."""
        name, recipe = self._session.dataset.name, recipe_of(self._session.dataset)
        bundled_names = {each: each for each in all_datasets()}
        if name in all_datasets():
            self._name.param.update(options=bundled_names, value=name)
            if recipe is not None and recipe.name == name:
                as_made = _defaults(name) | dict(recipe.options)
                self._options.param.update(**as_made)
        else:
            shown = {f"{name} (open now)": OPEN_NOW} | bundled_names
            self._name.param.update(options=shown, value=OPEN_NOW)
        self._now.object = f"<p>Open now: {plain(name)}.</p>"

    def _offer(self) -> None:
        name = self._name.value
        if name == OPEN_NOW:  # nothing made it that could be asked for another
            self._sliders.objects, self._facts.object = [], ""
            return
        self._facts.object = _told(name)
        knobs = dataset_options(name)
        fields = {key: param.Parameter(as_is) for key, as_is in _defaults(name).items()}
        self._options = type("Options", (param.Parameterized,), fields)()
        self._sliders.objects = [
            knob_widget(self._options, key, knob) for key, knob in knobs.items()
        ]

    def _open(self) -> None:
        name, options = self._name.value, self._options
        defaults = _defaults(name)
        chosen = {key: getattr(options, key) for key in defaults}
        is_bundled = chosen == defaults

        def make() -> Any:
            if is_bundled:
                yield bundled(name)
            else:
                yield made(all_datasets()[name](**chosen), DataRecipe(name, chosen))

        self._job.submit(make, lambda found: self._problem.open_dataset(found[-1]))


def _told(name: str) -> str:
    """Return what is known of a data set before it is opened."""
    facts = dataset_facts(name)
    told = f"{facts}. Licence of the rows: {facts.licence}. {facts.known_answer}"
    return f"<p>{plain(told.rstrip())}</p>"


def _defaults(name: str) -> dict[str, Any]:
    """Return what the maker of a data set may be asked for, as it is by itself."""
    arguments = inspect.signature(all_datasets()[name]).parameters
    return {key: arguments[key].default for key in dataset_options(name)}


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
