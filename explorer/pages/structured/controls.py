"""The controls of the structured-costs page, and the dialog for one's own data."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import panel as pn
import param

from solvers.markov import write_graph
from solvers.values.knobs import Number

from ...compute.sandbox import sandboxed
from ...session.context import Context
from ...session.own_files import OpenedFile, opened_file
from ...widgets.controls import (
    SELECT_HEIGHT,
    SLIDER_HEIGHT,
    SWITCH_HEIGHT,
    bind,
    box_group,
    button,
    choice,
    download,
    group_height,
    slider,
)
from ...widgets.folds import Fold
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.ui import pmui
from ...widgets.upload_dialog import UploadDialog, file_input
from .scenes import GRAPH, MAX_BYTES, SENSORS, read_own_graph, read_own_sensors
from .state import CURVE_KNOBS, NO_RIVAL, StructuredState, knob_title

SCENES = {
    "Growth graph": "growth",
    "Small graph, exact inference": "small",
    "Sensors on a floor plan": "sensors",
    "Own graph": "own",
}
ATTACHMENTS = {"to well-linked nodes (hubs)": "in", "as published (no hubs)": "out"}
CURVES = {knob_title(knob): knob for knob in CURVE_KNOBS}
KNOBS = (
    *("label_agreement", "extra_links", "attribute_strength"),
    *("occupant_cost", "seed", "n_seeds"),
)
# The part of a range that a slider shows, where it is not all of it.
SHOWN = {"label_agreement": (0.5, 1.0), "extra_links": (0.0, 0.5), "seed": (0, 99)}
GROWN = ("growth", "small")
# What rare controls are called among the open panels.
MORE = "more"
# What decides on options and ranges of widgets, or stands in those that have them.
FOLLOWED = [
    "scene",
    "own",
    "own_sensors",
    "methods",
    "method",
    "rival",
    "shown",
    "n_nodes",
]


class StructuredControls:
    """Widgets of one page; those that a scene does not need are hidden."""

    def __init__(self, state: StructuredState) -> None:
        self.state = state
        self._knobs = {name: slider(state, name, _knob(name)) for name in KNOBS}
        self._is_following = False
        self._size = _whole("Nodes", 1)
        self._shown = _whole("Test graph", 1)
        self._methods = box_group("Methods", options=[])
        self._method = pmui.Select(label="Drawn method", options={}, **_SELECT)
        self._rival = pmui.Select(label="Difference to", options={}, **_SELECT)
        self._attachment = choice(state, "attachment", "New links go", ATTACHMENTS)
        self._curve = choice(state, "curve_over", "Curve over", CURVES)
        self._averaged = bind(
            pmui.Switch(
                label="Averaged inference (tighter bounds)",
                margin=(4, 12),
                min_height=SWITCH_HEIGHT,
            ),
            state,
            "averaged",
        )
        state.param.watch(lambda *_: self._follow(), FOLLOWED)
        self._lead(self._size, "n_nodes")
        self._lead(self._shown, "shown", lambda value: value - 1)
        for name, widget in (
            ("methods", self._methods),
            ("method", self._method),
            ("rival", self._rival),
        ):
            self._lead(widget, name)
        self._follow()

    def tuned(self) -> Any:
        """Return what is set once."""
        rare = Fold(
            "More",
            wide_column(self._attachment, self._averaged),
            self.state,
            MORE,
        )
        return wide_column(
            choice(self.state, "scene", "Scene", SCENES),
            self._knobs["attribute_strength"],
            self._size,
            self._knobs["seed"],
            self._methods,
            self._curve,
            self._knobs["n_seeds"],
            rare,
        )

    def above(self) -> list[Any]:
        """Return what is played with: sliders of the scene, and what is drawn of it."""
        sliders = ("label_agreement", "extra_links", "occupant_cost")
        return [
            *(self._knobs[name] for name in sliders),
            self._shown,
            self._method,
            self._rival,
        ]

    # ---------------------------------------------------------------- options that vary

    def _lead(
        self, widget: Any, name: str, stored: Callable[[Any], Any] = lambda value: value
    ) -> None:
        """Let a person's choice go to the state."""

        def chosen(event: Any) -> None:
            if not self._is_following and event.new is not None:
                self.state.param.update(**{name: stored(event.new)})

        widget.param.watch(chosen, "value")

    def _follow(self) -> None:
        """Offer what the scene has, options and value at once.

        One after the other, a widget would mend a value that is not among its old
        options, and the state would be told.
        """
        self._is_following = True
        try:
            self._offer_methods()
            self._offer_sizes()
        finally:
            self._is_following = False
        self._hide_the_rest()

    def _offer_methods(self) -> None:
        state = self.state
        titles = {state.title(name): name for name in state.choices}
        rivals = {"no other method": NO_RIVAL, **titles}
        for widget, options, value in (
            (self._methods, titles, list(state.methods)),
            (self._method, titles, state.method),
            (self._rival, rivals, state.rival),
        ):
            if widget.options != options or widget.value != value:
                widget.param.update(options=options, value=value)
        self._methods.min_height = group_height(len(titles))

    def _offer_sizes(self) -> None:
        state = self.state
        is_small = state.scene == "small"
        self._size.param.update(
            start=10 if is_small else 20,
            end=state.max_nodes,
            step=5 if is_small else 20,
            value=min(state.n_nodes, state.max_nodes),
        )
        self._shown.param.update(
            label="Snapshot" if state.scene == "sensors" else "Test graph",
            end=state.n_tests,
            value=min(state.shown + 1, state.n_tests),
        )

    def _hide_the_rest(self) -> None:
        scene = self.state.scene
        is_grown = scene in GROWN
        for name in ("label_agreement", "extra_links", "attribute_strength"):
            self._knobs[name].visible = is_grown
        for widget in (self._size, self._curve, self._attachment):
            widget.visible = is_grown
        self._knobs["occupant_cost"].visible = scene == "sensors"
        self._knobs["seed"].visible = self._knobs["n_seeds"].visible = scene != "own"


def _knob(name: str) -> Number:
    """Return a knob as the state declares it."""
    one = StructuredState.param[name]
    (low, high), is_whole = one.bounds, isinstance(one, param.Integer)
    return Number(one.label, low, high, integer=is_whole, shown=SHOWN.get(name))


def _whole(label: str, value: int) -> Any:
    return pmui.IntSlider(
        label=label, start=1, end=3, value=value, min_height=SLIDER_HEIGHT, **_LOOK
    )


_LOOK = {"sizing_mode": "stretch_width", "margin": (4, 12)}
_SELECT = {**_LOOK, "min_height": SELECT_HEIGHT}


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
            name: file_input(label, MAX_BYTES, self.job)
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
        given = {role: self._files[role] for role in roles}
        return [
            opened_file(role, file.filename or role, file.value)
            for role, file in given.items()
            if file.value is not None
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
