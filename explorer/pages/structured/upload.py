"""The dialog in which a person brings a graph, or the readings of sensors."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from solvers.markov import write_graph

from ...compute.sandbox import sandboxed
from ...session.context import Context
from ...session.opened_files import OpenedFile, opened_file
from ...widgets.controls import button, download
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.upload_dialog import UploadDialog, file_input
from .files import GRAPH, MAX_BYTES, SENSORS, read_own_graph, read_own_sensors
from .state import StructuredState

ABOUT_GRAPH = (
    "<p><strong>A graph.</strong> Nodes: <code>id, label</code> and a column for each "
    "attribute. Links: <code>source, target</code>. Costs of nodes: <code>predicted, "
    "true, cost</code>, perhaps <code>node</code>; without them each mistake costs 1. "
    "Costs of links: <code>predicted_source, predicted_target, true_source, "
    "true_target, cost</code>, perhaps <code>source, target</code>; without them links "
    "cost nothing. The graph is cut into three parts; each is tested on once, by what "
    "was learned from the others.</p>"
)
ABOUT_SENSORS = (
    "<p><strong>Sensors.</strong> Readings in the public lab format (<code>date time "
    "epoch moteid temperature humidity light voltage</code>) with places <code>moteid "
    "x y</code>, or CSV with a header: <code>timestamp, sensor, temperature, humidity, "
    "light, voltage</code> and <code>sensor, x, y</code>, in metres.</p>"
)


class OwnDataDialog(UploadDialog):
    """A graph's tables, or readings of sensors."""

    title = "Own data"

    def __init__(self, context: Context, state: StructuredState, **params: Any) -> None:
        super().__init__(context.job(), **params)
        self._state = state
        # Files of a session are read without this dialog; it tells what is wrong.
        self.job.param.watch(lambda event: self._show_message(event.new), "message")
        self._files = {
            name: file_input(label, MAX_BYTES)
            for name, label in {
                "nodes": "Nodes (CSV)",
                "edges": "Links (CSV)",
                "node_costs": "Costs of nodes (CSV), optional",
                "edge_costs": "Costs of links (CSV), optional",
                "readings": "Sensor readings",
                "places": "Sensor places",
            }.items()
        }
        self._dialog.objects = [self._body()]

    def open(self) -> None:
        """Show the dialog."""
        self.job.message = ""
        super().open()

    def _body(self) -> Any:
        graph = [self._files[role] for role in GRAPH]
        sensors = [self._files[role] for role in SENSORS]
        return wide_column(
            *self._status(),
            markup(ABOUT_GRAPH),
            *graph,
            pn.FlexBox(
                button("Use this graph", self.use_graph),
                download(
                    "The drawn graph as an example",
                    "graph.zip",
                    self._example,
                    variant="text",
                    margin=8,
                ),
            ),
            pmui.Divider(margin=8),
            markup(ABOUT_SENSORS),
            *sensors,
            pn.FlexBox(
                button("Use these sensors", self.use_sensors),
                button("Use the made-up sensors", self._use_made_up),
            ),
        )

    # ------------------------------------------------------------------------ reacting

    def use_graph(self) -> None:
        """Read the graph's tables and classify it."""
        files = self._taken(GRAPH)
        self._submit(read_own_graph, files, self._state.use_own_graph)

    def use_sensors(self) -> None:
        """Read readings and places and classify their snapshots."""
        files = self._taken(SENSORS)
        self._submit(read_own_sensors, files, self._state.use_sensors)

    def read_again(self) -> None:
        """Read the files that a session brought; what is wrong with them is told."""
        files = self._state.unread()
        read = read_own_graph if self._state.scene == "own" else read_own_sensors
        self._submit(read, files, self._state.take_read)

    def _show_message(self, message: str) -> None:
        if message:
            self._dialog.open = True

    def _use_made_up(self) -> None:
        self._state.use_sensors(None)
        self.close()

    def _submit(
        self,
        read: Callable[[Sequence[OpenedFile]], Iterator[Any]],
        files: Sequence[OpenedFile],
        use: Callable[[Any], None],
    ) -> None:
        self._read(lambda: sandboxed(read, files), use)

    def _taken(self, roles: tuple[str, ...]) -> list[OpenedFile]:
        given = {role: self._files[role] for role in roles if self._files[role].value}
        return [
            opened_file(role, file.filename or role, file.value)
            for role, file in given.items()
        ]

    def _example(self) -> bytes | None:
        run = self._state.run
        if run is None:
            self.job.message = "No graph is drawn yet; choose a scene that draws one."
            return None
        packed = io.BytesIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for path in write_graph(run.graph(self._state.shown), Path(folder)):
                archive.write(path, path.name)
        return packed.getvalue()
