"""The proven floor and each method's points above it, drawn and in tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import panel as pn
import param

from solvers import all_methods
from solvers.values.rounding import rounded

from ...figures.handle import Handle
from ...figures.live import SceneView
from ...figures.proven_floor import OTHERS, cost_axis, floor_scene, objective_axis
from ...figures.scene import Columns, Scene
from ...widgets.figure_view import StateTable
from ...widgets.markup import markup
from ...widgets.page_layout import HERO_TOLD
from ...widgets.parts import wide_column
from ...widgets.positions import SLIDER_STEPS
from ...widgets.text import cost_text, percent_text, plain, unit_text
from ...widgets.theme import PLOT_HEIGHT
from ...widgets.ui import pmui
from .state import ProofState
from .streams import is_linear, methods_in_turn
from .text import EARLIER, MOST_TOLD, best_points, exchange_texts, floor_text


class FloorPlot(SceneView):
    """Objective against cost: what cannot be, what may be, and what was found."""

    state = param.ClassSelector(class_=ProofState)

    called = "floor"
    height = PLOT_HEIGHT
    style = HERO_TOLD
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
            told["above"].append(f"at most {percent_text(max(gap, 0.0))}")
        return found

    def _dragged(self, cost: float) -> None:
        least = 1 / SLIDER_STEPS
        share = cost / (self.state.data.hypergraph.total_cost or 1.0)
        steps = round(float(np.clip(share, least, 1.0)) * SLIDER_STEPS)
        self.state.share = steps / SLIDER_STEPS
        self._draw()  # A budget that is clipped may be the one that was


HINT = (
    "Click a component, or choose it at the left, to rule it out; once more allows it "
    "again. Floor and best answer follow."
)


class MethodsTable(StateTable):
    """A row a method, and one for the best selection that the search knows.

    How far each is above the proven floor, within the budget.
    """

    state = param.ClassSelector(class_=ProofState)
    caption = "The best linear model of each method's columns within the budget"
    height = 250
    numbers = (False, True, True, False)
    follows = ("floors", "answer", "points", "rests")

    def _fill(self) -> None:
        state, known = self.state, self.state.known()
        if known is None:
            self._table.rows = []
            return
        unit = unit_text(state.data.hypergraph.unit)
        points = best_points(state.allowed_points(), state.budget)
        rows = [("Best selection known", known.cost, known.upper)]
        rows += [
            (all_methods()[name].title, point.cost, point.objective)
            for name, point in points.items()
        ]
        gain = known.full_gain
        self._table.param.update(
            columns=["Chosen by", f"Cost ({unit})", "Objective", "Above the floor"],
            rows=[
                [
                    title,
                    rounded(cost, 4),
                    round(objective, 4),
                    f"at most {percent_text(max(objective - known.lower, 0) / gain)}",
                ]
                for title, cost, objective in rows
            ],
        )


class ComponentsTable(StateTable):
    """What each component costs and where it is; what is picked is ruled out.

    Or allowed again, where it is ruled out already.
    """

    state = param.ClassSelector(class_=ProofState)
    caption, height = "Components", 300
    numbers = (False, True, False)
    follows = ("data", "answer", "without", "floors", "rests", "within")
    _told: tuple[Any, ...] = ()  # What the table says by now
    _shown: list[str]

    def __init__(self, **params: Any) -> None:
        self._search = pmui.TextInput(
            label="Search components",
            value="",
            size="small",
            sizing_mode="stretch_width",
            margin=(8, 10),
        )
        self._search.param.watch(lambda _: self._fill(), "value_input")
        self._text = markup("", min_height=44)
        super().__init__(**params)

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(
            markup(f"<p>{HINT}</p>"), self._search, self._table, self._text
        )

    def _pick(self, row: int) -> None:
        self.state.rule_out(self._shown[row])

    def _fill(self) -> None:
        state = self.state
        sought = (self._search.value_input or "").strip().casefold()
        without, is_answered = tuple(state.without), state.is_answered
        told = (state.data, state.answer, without, is_answered, sought)
        if state.data is None or told == self._told:  # floors come often
            return
        self._told = told
        before = "" if is_answered or state.answer is None else EARLIER
        graph, nearly = state.data.hypergraph, state.answer and state.answer.nearly
        found = [
            c
            for c, name in enumerate(graph.component_names)
            if graph.component_costs[c] > 0 and sought in name.casefold()
        ]
        shares = np.zeros(graph.n_components) if nearly is None else nearly.shares
        found.sort(key=lambda c: -shares[c])
        self._shown = [graph.component_names[c] for c in found]
        self._table.param.update(
            columns=[
                "Component",
                f"Cost ({unit_text(graph.unit)})",
                "Nearly as good before" if before else "Nearly as good",
            ],
            rows=[
                [
                    graph.component_names[c],
                    rounded(graph.component_costs[c], 4),
                    self._place(c, shares[c]),
                ]
                for c in found
            ],
        )
        either = exchange_texts(nearly, graph)[:MOST_TOLD] if nearly else []
        text = (
            f"Interchangeable: {'; '.join(either)}."
            if either
            else "No two stand for one."
        )
        self._text.object = f"<p>{plain(f'{before} {text}')}</p>" if nearly else ""

    def _place(self, component: int, share: float) -> str:
        """Return where a component is among what is nearly as good."""
        if self.state.data.hypergraph.component_names[component] in self.state.without:
            return "ruled out"
        if self.state.answer is None or self.state.answer.nearly is None:
            return ""
        return {0.0: "in none", 1.0: "in all"}.get(share, f"in {percent_text(share)}")
