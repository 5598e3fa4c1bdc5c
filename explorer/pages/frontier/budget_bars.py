"""The best score that each method buys within the budget, as bars."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import (
    BasicTicker,
    FactorRange,
    FixedTicker,
    HoverTool,
    LabelSet,
    Range1d,
    Whisker,
)

from solvers import FrontierPoint, all_methods
from solvers.costs.budgets import room_of
from solvers.values.rounding import fixed

from ...widgets.figure_view import FigureView
from ...widgets.still_figure import still_figure
from ...widgets.text import SCORES, cost_text, counted, score_number
from ...widgets.theme import method_style
from .state import AXES, FrontierState

ROW_HEIGHT = 34
HEAD_HEIGHT = 70
# The axis of F1 ends at 1; to its right stands what a bar of full length says.
LABEL_ROOM = 1.5
FOLLOWS = [*AXES, "dataset", "traces", "marks", "budget", "methods"]
FOLLOWS += ["n_runs", "n_arrived"]
COLUMNS = ("title", "f1", "label", "colour", "alpha", "cost", "features", "low", "high")
TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1.0]


class BudgetBars(FigureView):
    """One bar a method, and one for each model that was solved at exactly λ."""

    draws_colours = True
    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._build()
        self._pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")
        self._watch_state(self._draw, FOLLOWS)
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _build(self) -> None:
        plot = self.figure = still_figure(
            height=HEAD_HEIGHT + 4 * ROW_HEIGHT,
            x_range=Range1d(0, LABEL_ROOM),
            y_range=FactorRange(factors=[]),
            name="bars",
        )
        bars = self._layer(
            "hbar",
            told=COLUMNS,
            y="title",
            right="f1",
            height=0.62,
            fill_color="colour",
            line_color="colour",
            fill_alpha="alpha",
        )
        self._source = bars.data_source
        labels = LabelSet(
            x="f1",
            y="title",
            text="label",
            source=self._source,
            x_offset=5,
            text_baseline="middle",
            text_font_size="12px",
        )
        plot.add_layout(self._paint(labels, text_color="text"))
        spread = Whisker(
            source=self._source,
            dimension="width",
            base="title",
            lower="low",
            upper="high",
            line_width=2,
        )
        plot.add_layout(spread)
        for part in (spread, spread.lower_head, spread.upper_head):
            self._paint(part, line_color="text")
        plot.ygrid.visible = False
        plot.xaxis.ticker = FixedTicker(ticks=TICKS)
        tooltips = [("score (test)", "@label"), ("cost", "@cost"), ("", "@features")]
        plot.add_tools(HoverTool(renderers=[bars], tooltips=tooltips))

    def _draw(self) -> None:
        state = self.state
        self._follow_score()
        best = state.best_within_budget()
        rows = [self._row(name, best.get(name)) for name in state.methods]
        marked = [name for name in state.methods if name in state.marks]
        rows += [self._row(name, state.marks[name], at_alpha=True) for name in marked]
        titles = [row["title"] for row in rows]
        if list(self.figure.y_range.factors) != titles[::-1]:
            self.figure.y_range.factors = titles[::-1]
            self.figure.height = HEAD_HEIGHT + ROW_HEIGHT * max(len(rows), 2)
        self._source.data = {
            column: [row[column] for row in rows] for column in self._source.data
        }

    def _row(
        self, name: str, point: FrontierPoint | None, *, at_alpha: bool = False
    ) -> dict[str, Any]:
        state = self.state
        title = all_methods()[name].title + (" at λ" if at_alpha else "")
        if point is None:
            label = "nothing fits" if name in state.traces else "not traced yet"
            cost, features, f1 = "", "", 0.0
        else:
            axes = state.axes()
            cost = cost_text(axes.cost(point), state.dataset.unit)
            f1 = score_number(point, axes.score)
            over = axes.held(point) > room_of(state.budget)
            label = f"{fixed(f1, 3)}  {cost}{', over budget' if over else ''}"
            features = counted(point.n_features, "feature")
        low, high = (np.nan, np.nan) if at_alpha else self._spread_of(name)
        return {
            "low": low,
            "high": high,
            "title": title,
            "f1": f1,
            "label": label,
            "colour": method_style(name).colour(self.dark),
            "alpha": 0.3 if at_alpha else 0.85,
            "cost": cost,
            "features": features,
        }

    def _spread_of(self, name: str) -> tuple[float, float]:
        """Mean less and more one standard error over the splits; NaN for one split."""
        band = self.state.bands().get(name)
        if band is None:
            return np.nan, np.nan
        at = int(band.costs.searchsorted(room_of(self.state.budget), side="right")) - 1
        ends = float(band.lower[at]), float(band.upper[at])
        is_negated = self.state.axes().score == "neg_log_loss"
        return (-ends[1], -ends[0]) if is_negated else ends

    def _follow_score(self) -> None:
        """Name the axis; bars end at 1, or at the worst log loss."""
        axes = self.state.axes()
        is_loss = axes.score == "neg_log_loss"
        floor = -self.state.floor() if is_loss else 1.0
        end = LABEL_ROOM * max(floor, 0.1)
        if self.figure.x_range.end != end:
            self.figure.x_range.end = end
            self.figure.xaxis.ticker = (
                BasicTicker() if is_loss else FixedTicker(ticks=TICKS)
            )
        better = ", less is better" if is_loss else ""
        self.figure.xaxis.axis_label = (
            f"{SCORES[axes.score]}, best within the budget (test rows){better}"
        )
