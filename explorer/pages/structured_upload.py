"""The dialog in which a person brings a graph, or the readings of sensors."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers.errors import DataError, InterchangeError
from solvers.markov import read_graph, read_lab, read_sensor_csv, write_graph

from ..context import Context
from ..controls import download
from ..markup import markup
from ..runner import READ_SECONDS
from ..state.structured import StructuredState
from ..state.structured_scenes import OwnGraph, OwnSensors, own_graph, own_sensors
from ..views.message import Message
from ..views.progress import Progress

__all__ = ["MAX_BYTES", "OwnDataDialog", "text_of"]

# What one file may weigh; the server refuses larger messages as well.
MAX_MEGABYTES = 16
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
# Three fits on more take longer than anybody waits in front of a screen.
MAX_OWN_NODES = 5000
MAX_OWN_LABELS = 5

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


class OwnDataDialog(Viewer):
    """Uploads; what is refused changes nothing.

    Parameters
    ----------
    context : Context
        The session.
    state : StructuredState
        The page's state.
    """

    def __init__(self, context: Context, state: StructuredState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self.job = context.job()
        self._files = {
            name: _file(label)
            for name, label in {
                "nodes": "Nodes (CSV)",
                "edges": "Links (CSV)",
                "node_costs": "Costs of nodes (CSV), optional",
                "edge_costs": "Costs of links (CSV), optional",
                "readings": "Sensor readings",
                "places": "Sensor places",
            }.items()
        }
        self._dialog = pmui.Dialog(
            self._body(),
            title="Own data",
            title_variant="h2",
            show_close_button=True,
            close_on_click=True,
            width_option="md",
        )

    def __panel__(self) -> Any:
        return self._dialog

    def open(self) -> None:
        """Show the dialog."""
        self.job.message = ""
        self._dialog.open = True

    def _body(self) -> Any:
        graph = [self._files[n] for n in ("nodes", "edges", "node_costs", "edge_costs")]
        sensors = [self._files[n] for n in ("readings", "places")]
        return pn.Column(
            Message(text=self.job.param.message),
            Progress(
                busy=self.job.param.busy, share=self.job.param.progress, label="Reading"
            ),
            markup(ABOUT_GRAPH),
            *graph,
            pn.FlexBox(
                _button("Use this graph", self.use_graph),
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
                _button("Use these sensors", self.use_sensors),
                _button("Use the made-up sensors", self._use_made_up),
            ),
            sizing_mode="stretch_width",
        )

    # ------------------------------------------------------------------------ reacting

    def use_graph(self) -> None:
        """Read the graph's tables and classify it."""
        texts = self._taken("nodes", "edges", "node_costs", "edge_costs")
        name = self._files["nodes"].filename or "the nodes"

        def read() -> Iterator[OwnGraph]:
            nodes, edges, *costs = (
                None if content is None else text_of(content, label)
                for label, content in texts
            )
            if nodes is None or edges is None:
                missing = "nodes" if nodes is None else "links"
                raise DataError(f"There is no file of {missing}; choose a CSV file.")
            graph = read_graph(nodes, edges, *costs)
            if graph.n_nodes > MAX_OWN_NODES or graph.n_labels > MAX_OWN_LABELS:
                raise DataError(
                    f"{name} has {graph.n_nodes} nodes and {graph.n_labels} labels; "
                    f"this page takes up to {MAX_OWN_NODES} nodes and "
                    f"{MAX_OWN_LABELS} labels: give a part, or use solvers.markov."
                )
            yield own_graph(graph, name)

        self._submit(read, self._state.use_own_graph)

    def use_sensors(self) -> None:
        """Read readings and places and classify their snapshots."""
        texts = self._taken("readings", "places")
        name = self._files["readings"].filename or "the readings"

        def read() -> Iterator[OwnSensors]:
            readings, places = (
                None if content is None else text_of(content, label)
                for label, content in texts
            )
            if readings is None or places is None:
                missing = "readings" if readings is None else "places"
                raise DataError(f"There is no file of {missing}; choose one.")
            is_csv = "timestamp" in readings.readline()
            readings.seek(0)
            reader = read_sensor_csv if is_csv else read_lab
            yield own_sensors(reader(readings, places), name)

        self._submit(read, self._state.use_sensors)

    def _use_made_up(self) -> None:
        self._state.use_sensors(None)
        self._dialog.open = False

    def _submit(
        self, read: Callable[[], Iterator[Any]], use: Callable[[Any], None]
    ) -> None:
        def arrived(found: list[Any]) -> None:
            use(found[-1])
            self._dialog.open = False

        self.job.submit(read, arrived, seconds=READ_SECONDS)

    def _taken(self, *names: str) -> list[tuple[str, bytes | None]]:
        return [
            (self._files[name].filename or name, self._files[name].value or None)
            for name in names
        ]

    def _example(self) -> bytes:
        run = self._state.run
        if run is None:
            return b""
        packed = io.BytesIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for path in write_graph(run.graph(self._state.shown), Path(folder)):
                archive.write(path, path.name)
        return packed.getvalue()


def text_of(content: bytes, name: str) -> io.StringIO:
    """Return an uploaded file as text.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        What it is called.

    Returns
    -------
    StringIO
        With that name, for messages.

    Raises
    ------
    InterchangeError
        If it is too large or is no text.
    """
    if len(content) > MAX_BYTES:
        raise InterchangeError(
            f"{name} has {len(content) / 1e6:.0f} MB; give at most {MAX_MEGABYTES}."
        )
    try:
        text = io.StringIO(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InterchangeError(
            f"{name} is not text in UTF-8; save it as CSV in UTF-8."
        ) from error
    text.name = name
    return text


def _file(label: str) -> pmui.FileInput:
    return pmui.FileInput(
        label=label,
        variant="outlined",
        max_file_size=MAX_BYTES,
        sizing_mode="stretch_width",
        margin=8,
    )


def _button(label: str, act: Callable[[], None]) -> pmui.Button:
    return pmui.Button(
        label=label, variant="outlined", margin=8, on_click=lambda _: act()
    )
