"""The hypergraph part of the problem page: start, load, convert, save, share."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers import Dataset, to_hif
from solvers.costs.interchange import hif_text, is_spreadsheet_size, to_incidence_csv
from solvers.costs.units import TIME_UNITS

from ...session.context import Context
from ...session.graph_link import graph_text
from ...session.problem import ProblemState
from ...widgets.controls import button, download
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.parts import wide_column
from ...widgets.text import plain, unit_text
from .loading import HypergraphLoading
from .starting import STARTING_GRAPHS, StartingGraph


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
