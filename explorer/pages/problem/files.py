"""The hypergraph part of the problem page: start, load, convert, save, share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import panel as pn
from panel.viewable import Viewer

from solvers import Dataset, FeatureHypergraph, HypergraphFile, to_hif
from solvers.costs.interchange import hif_text, is_spreadsheet_size, to_incidence_csv
from solvers.costs.units import TIME_UNITS
from solvers.datasets import make_published, make_sources
from solvers.errors import ThriftscopeError

from ...compute.jobs import READ_SECONDS
from ...compute.sandbox import sandboxed
from ...document.units import COUNTED
from ...session.context import Context
from ...session.own_files import MAX_BYTES, read_own_hypergraph
from ...session.problem import ProblemState
from ...session.saved_drawing import graph_text
from ...widgets.controls import button, download
from ...widgets.markup import Message, markup
from ...widgets.parts import wide_column
from ...widgets.text import plain, unit_text
from ...widgets.ui import pmui
from ...widgets.upload_dialog import file_input, unit_input

# Beside times, what the first prices can be in.
CURRENCIES = ("USD", "EUR", "CAD")


class HypergraphFilePart(Viewer):
    """Graphs to start from, files in and out, the unit, and a link."""

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(**params)
        self._problem = problem
        self._notes = Message(kind="info")
        self._loading = HypergraphLoading(
            context,
            problem,
            "Load a hypergraph (HIF JSON, incidence CSV) or costs (CSV)",
            lambda _: None,
        )
        self._loading.file.margin = (4, 12)
        self._job = self._loading.job
        self._unit = pmui.Select(
            label="Unit of costs", sizing_mode="stretch_width", margin=(12, 12, 4, 12)
        )
        self._unit.param.watch(lambda event: self._convert(event.new), "value")
        self._link = markup("", margin=(0, 12))
        self._save_csv = download("Save as CSV", "hypergraph.csv", self._csv, margin=4)
        problem.editor.param.watch(lambda _: self._follow(), "drawing")
        self._follow()

    def __panel__(self) -> Any:
        starts = [
            button(start.title, partial(self._start, start), small=True)
            for start in STARTING_GRAPHS
        ]
        clear = partial(self._problem.editor.receive, {"op": "clear"})
        return wide_column(
            markup("<h2>Start from</h2>", margin=(6, 12, 0, 12)),
            pn.FlexBox(*starts, button("Clear", clear, small=True), margin=(0, 8)),
            self._loading,
            self._notes,
            self._unit,
            pn.FlexBox(
                download("Save as HIF", "hypergraph.json", self._hif, margin=4),
                self._save_csv,
                button("Link to this drawing", self._write_link, small=True),
                margin=(0, 8),
            ),
            self._link,
        )

    # ------------------------------------------------------------------------- in, out

    def _start(self, start: StartingGraph) -> None:
        def opened(found: list[Any]) -> None:
            if isinstance(found[-1], Dataset):
                self._problem.open_dataset(found[-1])
            else:
                said = f"Opened {start.title.lower()}"
                self._problem.open_hypergraph(found[-1], said, make_up=True)
            self._notes.text = start.about

        self._notes.text = ""
        self._job.submit(lambda: iter([start.make()]), opened)

    def _hif(self) -> str:
        return hif_text(to_hif(self._problem.editor.drawing.hypergraph))

    def _csv(self) -> str:
        return to_incidence_csv(self._problem.editor.drawing.hypergraph)

    # ------------------------------------------------------------------------ the unit

    def _follow(self) -> None:
        unit = self._problem.editor.drawing.hypergraph.unit
        names = list(TIME_UNITS) if unit in TIME_UNITS else [unit]
        if unit in COUNTED:
            names += [*TIME_UNITS, *CURRENCIES]
        self._unit.param.update(
            options={unit_text(name): name for name in names},
            value=unit,
            disabled=len(names) == 1,
        )
        self._save_csv.disabled = not is_spreadsheet_size(
            self._problem.editor.drawing.hypergraph
        )
        self._link.object = self._notes.text = self._loading.notes.text = ""

    def _convert(self, unit: str | None) -> None:
        if unit:
            self._problem.set_unit(unit)

    # ------------------------------------------------------------------------ the link

    def _write_link(self) -> None:
        text = graph_text(self._problem.editor.drawing.hypergraph)
        if text is None:
            self._link.object = (
                "<p>This drawing is too large for a link; save it as a file.</p>"
            )
            return
        address = f"?page=problem&g={text}"
        self._link.object = (
            f'<p><a href="{plain(address)}" target="_blank" rel="noopener">Open or '
            "copy this link</a>: it carries the drawing, without its table.</p>"
        )


ASKED = (
    "The file does not say in which unit its costs are; name it before it is opened."
)


class HypergraphLoading(Viewer):
    """Where a file is chosen, what was refused, and the question for its unit.

    `opened`: called with a file once it is drawn.
    """

    def __init__(
        self,
        context: Context,
        problem: ProblemState,
        label: str,
        opened: Callable[[HypergraphFile], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._problem, self._opened = problem, opened
        self.job = context.job()
        self.notes = Message(kind="info")  # on what was opened
        self.file = file_input(label, MAX_BYTES, self.job, accept=".json,.csv")
        self.file.param.watch(lambda _: self._load(), "value")
        self._nameless: tuple[HypergraphFile, str] | None = None
        self.unit = unit_input("Their unit")
        self.ask = wide_column(
            Message(kind="info", text=ASKED),
            self.unit,
            button("Open in this unit", self.answer, variant="contained"),
            visible=False,
        )

    def __panel__(self) -> Any:
        return wide_column(
            self.file, Message(text=self.job.param.message), self.ask, self.notes
        )

    def _load(self) -> None:
        content, name = self.file.value, str(self.file.filename or "the file")
        if content is None:
            return
        unit = self._problem.editor.drawing.hypergraph.unit

        def arrived(found: list[HypergraphFile]) -> None:
            if found[-1].names_unit:
                self._open(found[-1], name)
            else:
                self._nameless, self.ask.visible = (found[-1], name), True

        self.notes.text, self.ask.visible = "", False
        self.job.submit(
            lambda: sandboxed(read_own_hypergraph, content, name, unit),
            arrived,
            seconds=READ_SECONDS,
        )

    def answer(self) -> None:
        """Open the file that names no unit in the one that a person says."""
        if self._nameless is None:
            return
        file, name = self._nameless
        try:
            said = file.with_unit((self.unit.value_input or "").strip())
        except ThriftscopeError as error:
            self.job.message = str(error)
            return
        self.job.message = ""
        self._open(said, name)

    def _open(self, file: HypergraphFile, name: str) -> None:
        if self._problem.open_file(file, name[:60]):
            self.ask.visible = False
            self.notes.text = " ".join(file.notes)
            self._opened(file)


@dataclass(frozen=True)
class StartingGraph:
    """A hypergraph that somebody can open empty-handed."""

    title: str  # What it is called
    about: str  # What it shows, in one sentence
    # Returns a data set, or only a hypergraph
    make: Callable[[], Dataset | FeatureHypergraph]


def tiny_world() -> FeatureHypergraph:
    """Return two components and three features: solvable by hand.

    The peak and the centroid of a spectrum share an FFT of 3 us; the mean costs half a
    microsecond.
    """
    return FeatureHypergraph(
        [[1, 1, 0], [0, 0, 1]],
        [3.0, 0.5],
        ("peak", "centroid", "mean"),
        ("fft", "sum"),
    )


STARTING_GRAPHS = (
    StartingGraph(
        "Tiny world",
        "Two components, three features: one FFT pays for two of them.",
        tiny_world,
    ),
    StartingGraph(
        "Table 1 of the paper",
        "Eleven statistics of a signal at published prices; many share the mean.",
        make_published,
    ),
    StartingGraph(
        "Four sources",
        "Each source is costly to open, and its features then cost little.",
        lambda: make_sources(n_sources=4, features_per_source=4, n_samples=4000),
    ),
)
