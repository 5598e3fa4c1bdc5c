"""The proven floor, where each method's points lie, and the budget to be dragged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import param

from solvers import all_methods

from ...figures.live import Handle, SceneView
from ...figures.proven_floor import OTHERS, cost_axis, floor_scene, objective_axis
from ...figures.scene import Columns, Scene
from ...widgets.page_layout import HERO
from ...widgets.positions import SLIDER_STEPS
from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT
from .state import ProofState
from .streams import is_linear, methods_in_turn
from .text import floor_text, percent


class FloorPlot(SceneView):
    """Objective against cost: what cannot be, what may be, and what was found."""

    state = param.ClassSelector(class_=ProofState)

    called = "floor"
    height = PLOT_HEIGHT
    style = HERO
    names_ends = True
    tools = "pan,box_zoom,reset"
    follows = (
        *("floors", "base", "points", "share", "answer", "without", "data"),
        *("dataset", "source"),
    )

    def _build(self) -> None:
        super()._build()
        self._budget = Handle(self, self._dragged)

    def scene(self) -> Scene:
        """Return floors and points as far as they have come."""
        state, run = self.state, self.state.floors
        graph = state.hypergraph
        unit = "" if graph is None else graph.unit
        end = 1.0 if graph is None else graph.total_cost
        x, base = cost_axis(end, unit), state.unrestricted
        now = state.known()
        known = now or state.known_before()
        if run is not None:
            ends = [run.ends, *([] if base is None else [base.ends])]
            y = objective_axis(min(low for low, _ in ends), run.ends[1])
        elif known is not None:  # an answer comes before all floors are whole
            y = objective_axis(known.lower, known.upper)
        else:
            y = objective_axis(0.0, 1.0)
        self._budget.put(state.budget, y.low, cost_text(state.budget, unit))
        return floor_scene(
            () if run is None else run.steps,
            x,
            y,
            base=base.steps if base and run and run.question.without else (),
            points=self._points(),
            known=(known.cost, known.upper) if known else None,
            is_true=now is not None and now.is_closed,
            unit=unit,
            said=floor_text(state),
        )

    def _points(self) -> Mapping[str, Columns]:
        """Return the points that can stand beside the floors, by what marks them."""
        run = self.state.floors
        found: dict[str, dict[str, list[Any]]] = {
            name: {"x": [], "y": [], "title": [], "above": []}
            for name in [OTHERS, *filter(is_linear, methods_in_turn())]
        }
        beside = () if run is None else self.state.points_beside(run.question)
        for point in beside:
            gap = (point.objective - run.at(point.cost).lower) / run.full_gain
            told = found[point.method if is_linear(point.method) else OTHERS]
            told["x"].append(point.cost)
            told["y"].append(point.objective)
            told["title"].append(all_methods()[point.method].title)
            told["above"].append(f"at most {percent(max(gap, 0.0))}")
        return found

    def _dragged(self, cost: float) -> None:
        least = 1 / SLIDER_STEPS
        share = cost / (self.state.data.hypergraph.total_cost or 1.0)
        steps = round(float(np.clip(share, least, 1.0)) * SLIDER_STEPS)
        self.state.share = steps / SLIDER_STEPS
        self._draw()  # A budget that is clipped may be the one that was
