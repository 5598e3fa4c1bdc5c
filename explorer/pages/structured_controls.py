"""The controls of the structured-costs page, in the order in which one thinks."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui

from solvers.knobs import Number

from ..controls import bind, choice, slider
from ..state.structured import MAX_NODES, MAX_SMALL, NO_RIVAL, StructuredState

__all__ = ["StructuredControls"]

SCENES = {
    "Growth graph": "growth",
    "Small graph, exact inference": "small",
    "Sensors on a floor plan": "sensors",
    "Own graph": "own",
}
ATTACHMENTS = {"to well-linked nodes (hubs)": "in", "as published (no hubs)": "out"}
CURVES = {
    "label agreement ρ": "label_agreement",
    "extra links α": "extra_links",
    "attribute strength δ": "attribute_strength",
}
KNOBS = {
    "label_agreement": Number("Label agreement ρ", 0, 1, shown=(0.5, 1.0)),
    "extra_links": Number("Extra links α", 0, 0.6, shown=(0.0, 0.5)),
    "attribute_strength": Number("Attribute strength δ", 0, 0.5),
    "occupant_cost": Number("Occupant cost γ", 0, 5),
    "seed": Number("Seed", 0, 9999, integer=True, shown=(0, 99)),
    "n_seeds": Number("Seeds of the curve", 1, 8, integer=True),
}
GROWN = ("growth", "small")


class StructuredControls:
    """Widgets of one page; those that a scene does not need are hidden.

    Parameters
    ----------
    state : StructuredState
        What they set.
    """

    def __init__(self, state: StructuredState) -> None:
        self.state = state
        self._knobs = {name: slider(state, name, knob) for name, knob in KNOBS.items()}
        self._size = self._size_slider()
        self._methods = bind(
            pmui.CheckBoxGroup(label="Methods", options=[], margin=(4, 12)),
            state,
            "methods",
        )
        self._method = choice(state, "method", "Drawn method", {})
        self._rival = choice(state, "rival", "Difference to", {})
        self._shown = self._shown_slider()
        self._attachment = choice(state, "attachment", "New links go", ATTACHMENTS)
        self._curve = choice(state, "curve_over", "Curve over", CURVES)
        self._averaged = bind(
            pmui.Switch(label="Averaged inference (tighter bounds)", margin=(4, 12)),
            state,
            "averaged",
        )
        state.param.watch(lambda *_: self._offer(), ["scene", "own"])
        state.param.watch(lambda *_: self._offer_graphs(), "run")
        self._offer()

    def left(self) -> Any:
        """Return the left column.

        Returns
        -------
        viewable
        """
        rare = pmui.Accordion(
            ("More", pn.Column(self._attachment, self._averaged, **_WIDE)),
            sizing_mode="stretch_width",
            margin=(4, 12),
            elevation=0,
            title_variant="body1",
        )
        return pn.Column(
            choice(self.state, "scene", "Scene", SCENES),
            self._knobs["extra_links"],
            self._knobs["attribute_strength"],
            self._size,
            self._knobs["seed"],
            self._methods,
            self._curve,
            self._knobs["n_seeds"],
            rare,
            **_WIDE,
        )

    def above(self) -> Any:
        """Return what stands above the picture: the main control, and what is drawn.

        Returns
        -------
        viewable
        """
        return pn.Column(
            self._knobs["label_agreement"],
            self._knobs["occupant_cost"],
            pn.FlexBox(
                *(
                    pn.Row(widget, width=270, margin=0)
                    for widget in (self._method, self._rival, self._shown)
                ),
            ),
            **_WIDE,
        )

    # ------------------------------------------------------------------------ building

    def _size_slider(self) -> Any:
        widget = pmui.IntSlider(
            label="Nodes",
            start=20,
            end=MAX_NODES,
            step=20,
            value=self.state.n_nodes,
            margin=(4, 12),
            sizing_mode="stretch_width",
        )
        return bind(widget, self.state, "n_nodes")

    def _shown_slider(self) -> Any:
        widget = pmui.IntSlider(
            label="Test graph",
            start=1,
            end=3,
            value=1,
            margin=(4, 12),
            sizing_mode="stretch_width",
        )
        return bind(
            widget,
            self.state,
            "shown",
            shown=lambda value: value + 1,
            stored=lambda value: value - 1,
        )

    # ------------------------------------------------------------------------- offering

    def _offer(self) -> None:
        """Offer what the scene needs."""
        state, scene = self.state, self.state.scene
        titles = {state.title(name): name for name in state.choices}
        ticked = list(state.methods)
        self._methods.param.update(options=titles, value=ticked)
        self._method.param.update(options=titles, value=state.method)
        self._rival.param.update(
            options={"no other method": NO_RIVAL, **titles}, value=state.rival
        )
        is_grown = scene in GROWN
        for name in ("label_agreement", "extra_links", "attribute_strength"):
            self._knobs[name].visible = is_grown
        for widget in (self._size, self._curve, self._attachment):
            widget.visible = is_grown
        self._knobs["occupant_cost"].visible = scene == "sensors"
        self._knobs["seed"].visible = self._knobs["n_seeds"].visible = scene != "own"
        is_small = scene == "small"
        self._size.param.update(
            start=10 if is_small else 20,
            end=MAX_SMALL if is_small else MAX_NODES,
            step=5 if is_small else 20,
            value=state.n_nodes,
        )
        self._shown.label = "Snapshot" if scene == "sensors" else "Test graph"

    def _offer_graphs(self) -> None:
        run = self.state.run
        if run is not None and self._shown.end != len(run.world.tests):
            self._shown.param.update(
                end=len(run.world.tests), value=run.clipped(self.state.shown) + 1
            )


_WIDE = {"sizing_mode": "stretch_width"}
