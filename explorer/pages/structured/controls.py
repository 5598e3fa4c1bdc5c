"""The controls of the structured-costs page, in the order in which one thinks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
import param

from solvers.values.knobs import Number

from ...widgets.controls import (
    SELECT_HEIGHT,
    SLIDER_HEIGHT,
    SWITCH_HEIGHT,
    bind,
    box_group,
    choice,
    group_height,
    slider,
)
from ...widgets.folds import Fold
from ...widgets.parts import wide_column
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
