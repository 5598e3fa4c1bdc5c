"""The hypergraph part of the problem page: start, load, convert, save, share."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers import Dataset, HypergraphFile, to_hif
from solvers.errors import ThriftscopeError
from solvers.interchange import hif_text, is_spreadsheet_size, to_incidence_csv
from solvers.units import TIME_UNITS

from ...compute.jobs import READ_SECONDS
from ...compute.sandbox import sandboxed
from ...session.context import Context
from ...session.graph_link import graph_text
from ...session.own_files import MAX_BYTES, read_own_hypergraph
from ...session.problem import ProblemState
from ...widgets.controls import download
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.text import plain, unit_text
from ...widgets.upload_dialog import unit_input
from .starting import STARTING_GRAPHS, StartingGraph

__all__ = ["HypergraphFilePart"]

ASKED = "The file does not say what its costs count in; name it before it is opened."
WIDE = {"sizing_mode": "stretch_width", "margin": (4, 12)}


class HypergraphFilePart(Viewer):
    """Graphs to start from, files in and out, the unit, and a link."""

    def __init__(self, context: Context, problem: ProblemState, **params: Any) -> None:
        super().__init__(**params)
        self._problem = problem
        self._job = context.job()
        self._notes = Message(kind="info")
        self._file = pmui.FileInput(
            label="Load a hypergraph (HIF JSON, incidence CSV) or costs (CSV)",
            variant="outlined",
            max_file_size=MAX_BYTES,
            **WIDE,
        )
        self._file.param.watch(lambda _: self._load(), "value")
        self._nameless: tuple[HypergraphFile, str] | None = None
        self._said_unit = unit_input("Their unit")
        self._ask = pn.Column(
            Message(kind="info", text=ASKED),
            self._said_unit,
            pmui.Button(
                label="Open in this unit", margin=8, on_click=lambda _: self._answer()
            ),
            visible=False,
            **WIDE,
        )
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
            pmui.Button(
                label=start.title,
                variant="outlined",
                size="small",
                margin=4,
                on_click=lambda _, start=start: self._start(start),
            )
            for start in STARTING_GRAPHS
        ]
        clear = pmui.Button(
            label="Clear",
            variant="outlined",
            size="small",
            margin=4,
            on_click=lambda _: self._problem.editor.receive({"op": "clear"}),
        )
        return pn.Column(
            markup("<h2>Start from</h2>", margin=(6, 12, 0, 12)),
            pn.FlexBox(*starts, clear, margin=(0, 8)),
            self._file,
            Message(text=self._job.param.message),
            self._ask,
            self._notes,
            self._unit,
            pn.FlexBox(
                download("Save as HIF", "hypergraph.json", self._hif, margin=4),
                self._save_csv,
                self._share(),
                margin=(0, 8),
            ),
            self._link,
            sizing_mode="stretch_width",
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

    def _load(self) -> None:
        content, name = self._file.value, str(self._file.filename or "the file")
        if content is None:
            return
        unit = self._problem.editor.drawing.hypergraph.unit

        def arrived(found: list[HypergraphFile]) -> None:
            if found[-1].names_unit:
                self._open(found[-1], name)
            else:
                self._nameless, self._ask.visible = (found[-1], name), True

        self._notes.text, self._ask.visible = "", False
        self._job.submit(
            lambda: sandboxed(read_own_hypergraph, content, name, unit),
            arrived,
            seconds=READ_SECONDS,
        )

    def _answer(self) -> None:
        """Open the file that names no unit in the one that a person says."""
        if self._nameless is None:
            return
        file, name = self._nameless
        try:
            said = file.with_unit((self._said_unit.value_input or "").strip())
        except ThriftscopeError as error:
            self._job.message = str(error)
            return
        self._job.message = ""
        self._open(said, name)

    def _open(self, file: HypergraphFile, name: str) -> None:
        if self._problem.open_file(file, name[:60]):
            self._ask.visible = False
            self._notes.text = " ".join(file.notes)

    def _hif(self) -> str:
        return hif_text(to_hif(self._problem.editor.drawing.hypergraph))

    def _csv(self) -> str:
        return to_incidence_csv(self._problem.editor.drawing.hypergraph)

    # ------------------------------------------------------------------------ the unit

    def _follow(self) -> None:
        unit = self._problem.editor.drawing.hypergraph.unit
        is_time = unit in TIME_UNITS
        names = list(TIME_UNITS) if is_time else [unit]
        self._unit.param.update(
            options={unit_text(name): name for name in names},
            value=unit,
            disabled=not is_time,
        )
        self._save_csv.disabled = not is_spreadsheet_size(
            self._problem.editor.drawing.hypergraph
        )
        self._link.object = self._notes.text = ""

    def _convert(self, unit: str | None) -> None:
        if unit:
            self._problem.set_unit(unit)

    # ------------------------------------------------------------------------ the link

    def _share(self) -> Any:
        return pmui.Button(
            label="Link to this drawing",
            variant="outlined",
            size="small",
            margin=4,
            on_click=lambda _: self._write_link(),
        )

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
