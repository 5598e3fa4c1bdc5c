"""The data part of the problem page: bundled, generated, or a person's own table."""

from __future__ import annotations

import inspect
from typing import Any

import panel_material_ui as pmui
import param
from panel.viewable import Viewer

from solvers.datasets import all_datasets, dataset_facts, dataset_options

from ...document.recipes import DataRecipe, made, recipe_of
from ...session.context import Context
from ...session.problem import ProblemState
from ...session.state import DEFAULT_DATASET, bundled
from ...widgets.controls import button, knob_widget
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column
from ...widgets.text import plain

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
