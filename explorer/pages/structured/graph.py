"""The graph with what is predicted and paid, and a lens on what is clicked in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.events import Tap

from ...figures.live import SceneView
from ...figures.scene import Axis, Scene, ring
from ...figures.structured_graph import graph_scene, nearest, place_of
from ...widgets.controls import button
from ...widgets.page_layout import HERO, NARROW
from ...widgets.parts import wide_column
from .lens import Lens
from .state import NO_RIVAL, StructuredState

# A click within this share of the picture's width belongs to a place.
REACH = 0.03
# Between a place and the card that tells of it, in pixels.
BESIDE = 26
# What a figure has above its frame, and below: tools, legend.
ABOVE, BELOW = 30, 62
CARD = f"""
:host {{ position: absolute !important; z-index: 2; width: max-content !important;
 max-width: min(430px, 56%); overflow: auto; border: 1px solid rgb(128 128 128 / 0.6);
 border-radius: 4px; box-shadow: 0 2px 10px rgb(0 0 0 / 0.3);
 background: var(--mui-palette-background-paper, Canvas); }}
@media (max-width: {NARROW}px) {{ :host {{ left: 4px !important; right: 4px !important;
 width: auto !important; max-width: none; }} }}
"""
CORNER = {"position": "absolute", "top": "0", "right": "0", "z-index": "1"}
HINT = "Click a node or a link: what it pays, and what each label is expected to cost."
EMPTY = Axis("", 0.0, 1.0), Axis("", 0.0, 1.0), [ring([], [], name="lens")]
# Where what was picked elsewhere on the page is looked at.
SHOW = "Bokeh.index.find_one(figure)?.el.scrollIntoView({ block: 'nearest' })"


class GraphPicture(SceneView):
    """Nodes and links of the test graph; a click puts one under the lens."""

    state = param.ClassSelector(class_=StructuredState)

    called = "structured"
    height = 560
    style = HERO
    tools = "pan,wheel_zoom,reset"
    follows = ("run", "method", "rival", "shown", "picked")

    def __init__(self, **params: Any) -> None:
        self._drawn: tuple[Any, ...] = ()
        super().__init__(**params)
        self.figure.on_event(Tap, self._tapped)
        self._card = wide_column(
            button("Close", self._close, variant="text", icon="close", styles=CORNER),
            Lens(state=self.state),
            visible=False,
            stylesheets=[CARD],
        )
        self._card.jscallback(args={"figure": self.figure}, styles=SHOW)
        for spread in (self.figure.x_range, self.figure.y_range):
            spread.on_change("start", lambda attr, old, new: self._place())
        self._watch_state(self._place, ["picked", "run", "shown"])
        self._place()

    def __panel__(self) -> pn.viewable.Viewable:
        drawn = wide_column(self._pane, self._card, styles={"position": "relative"})
        return wide_column(drawn, self._text)

    def scene(self) -> Scene | None:
        """Return the graph; None until what is asked for has come."""
        state, run = self.state, self.state.run
        chosen = [state.method]
        if state.rival != NO_RIVAL:
            chosen.append(state.rival)
        paid = [run and run.paid(name, state.shown) for name in chosen]
        if run is None or not all(paid):
            return None if self._drawn else Scene(*EMPTY)  # the last picture stays
        decisions = [run.decision(name, state.shown) for name in chosen]
        drawn = (*decisions, state.picked)
        if drawn == self._drawn:
            return None  # a result of another method has come
        self._drawn = drawn
        return graph_scene(
            run.graph(state.shown),
            run.sketch(state.shown),
            paid[0],
            run.labels,
            rival=paid[1] if len(paid) > 1 else None,
            is_plan=run.setting.scene == "sensors",
            picked=state.picked,
            said=HINT,
        )

    # ------------------------------------------------------------------ being looked at

    def _tapped(self, event: Any) -> None:
        if event.x is None or event.y is None or self.state.run is None:
            return
        sketch = self.state.run.sketch(self.state.shown)
        reach = REACH * (self.figure.x_range.end - self.figure.x_range.start)
        self.state.picked = nearest(sketch, event.x, event.y, reach)

    def _close(self) -> None:
        self.state.picked = None

    def _place(self) -> None:
        """Let the card stand beside what is looked at, where there is more room."""
        run, picked, at = self.state.run, self.state.picked, None
        if run is not None and picked is not None:
            at = place_of(run.sketch(self.state.shown), *picked)
        if at is not None:
            across, up = (
                float(np.clip((where - one.start) / (one.end - one.start), 0, 1))
                for where, one in zip(
                    at, (self.figure.x_range, self.figure.y_range), strict=True
                )
            )
            self._card.styles = _beside(across, up)
        if self._card.visible != (at is not None):
            self._card.visible = at is not None


def _beside(across: float, up: float) -> dict[str, str]:
    """Return where a card stands that is about a place, in shares of the picture."""
    side, room = ("left", across) if across < 0.5 else ("right", 1 - across)
    frame = f"(100% - {ABOVE + BELOW}px)"
    if up < 0.5:
        edge, share, least = "bottom", up, BELOW
    else:
        edge, share, least = "top", 1 - up, ABOVE
    end = f"{share:.3f} * {frame} + {least}px"
    return {
        side: f"calc({100 * room:.1f}% + {BESIDE}px)",
        edge: f"calc({end})",
        "max-height": f"calc(100% - ({end}) - 4px)",
    }
