"""Selections that are nearly as good, as a matrix: components by selections."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import FixedTicker, HoverTool, PlainText, Range1d
from bokeh.plotting import figure
from numpy.typing import NDArray

from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import legend_below, name_what_is_drawn, still_figure
from ...widgets.text import cost_text, plain
from ...widgets.theme import PLOT_HEIGHT
from .result import BudgetAnswer, NearlyAsGood
from .state import ProofState
from .text import EARLIER, nearly_texts, objective_text, percent

# So many can be told apart.
MOST_ROWS, MOST_COLUMNS = 24, 60
COLUMNS = ("name", "objective", "above", "cost")
# Name, role, pattern and entry of the legend.
CELLS = (
    ("must", "shared", " ", "in every selection"),
    ("some", "lit", "dot", "in some"),
)
TOOLTIPS = [
    ("component", "@name"),
    ("selection", "@x"),
    ("objective", "@objective, @above above the best"),
    ("cost", "@cost"),
]


class NearlyMatrix(FigureView):
    """One column a selection, best first; one row a component, must-haves on top."""

    state = param.ClassSelector(class_=ProofState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = self._figure()
        self._cells = {
            name: self._layer(
                "rect",
                "x",
                "y",
                told=COLUMNS,
                width=0.92,
                height=0.84,
                line_color=None,
                fill_color=role,
                hatch_color="background",
                hatch_pattern=pattern,
                hatch_scale=10,
                hatch_weight=0.5,
                legend_label=label,
                name=name,
            )
            for name, role, pattern, label in CELLS
        }
        cells = list(self._cells.values())
        self.figure.add_tools(HoverTool(renderers=cells, tooltips=TOOLTIPS))
        legend_below(self.figure, 2)
        self._text = markup("", min_height=88)
        self._watch_state(self._draw, "answer")
        self._watch_state(self._say, ["answer", "floors", "share", "within"])
        self._draw()
        self._say()

    def _figure(self) -> figure:
        plot = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(0.5, 10.5),
            y_range=Range1d(10.5, 0.5),
            x_axis_label="selections, best first",
            name="nearly",
        )
        plot.grid.visible = False
        plot.xaxis.ticker.update(min_interval=1, num_minor_ticks=0)
        plot.yaxis.update(major_tick_line_color=None, axis_line_color=None)
        return plot

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        answer = self.state.answer
        if answer is None:  # another table: its components have other names
            for cells in self._cells.values():
                cells.data_source.data = {key: [] for key in ("x", "y", *COLUMNS)}
            self._fit_axes([], 0)
        if answer is None or answer.nearly is None:
            name_what_is_drawn(self.figure)
            return
        nearly, graph = answer.nearly, answer.data.hypergraph
        rows = ranked_components(nearly)[:MOST_ROWS]
        names = [graph.component_names[c] for c in rows]
        shown = nearly.found.selections[:MOST_COLUMNS]
        must = nearly.found.in_all
        for name, chosen in (("must", must[rows]), ("some", ~must[rows])):
            y, x = np.nonzero(shown[:, rows].T & chosen[:, np.newaxis])
            self._cells[name].data_source.data = _cells(answer, x, y, names)
        self._fit_axes(names, len(shown))
        name_what_is_drawn(self.figure)

    def _say(self) -> None:
        answer = self.state.answer
        if answer is None:
            self._text.object = ""
        if answer is None or answer.nearly is None:
            return
        said = self._said(answer, answer.nearly)
        if not self.state.is_answered:
            said = [EARLIER, *said]
        self._text.object = "".join(f"<p>{plain(text)}</p>" for text in said)

    def _fit_axes(self, names: list[str], n_shown: int) -> None:
        ticks = range(1, len(names) + 1)
        # As they are: Bokeh would read a name between dollars as a formula.
        labels = [PlainText(text=_short(name)) for name in names]
        self.figure.x_range.end = max(n_shown, 1) + 0.5
        self.figure.y_range.start = max(len(names), 1) + 0.5
        self.figure.yaxis.update(
            ticker=FixedTicker(ticks=list(ticks)),
            major_label_overrides=dict(zip(ticks, labels, strict=True)),
        )

    def _said(self, answer: BudgetAnswer, nearly: NearlyAsGood) -> list[str]:
        count, n_rows = nearly.found.count, len(ranked_components(nearly))
        left = []
        if count > MOST_COLUMNS:
            left.append(f"the {MOST_COLUMNS} best of {count} selections")
        if n_rows > MOST_ROWS:
            left.append(f"the {MOST_ROWS} most frequent of {n_rows} components")
        drawn = [f"Drawn are {' and '.join(left)}."] if left else []
        return [*nearly_texts(nearly, answer), *drawn]


def ranked_components(nearly: NearlyAsGood) -> NDArray[np.int_]:
    """Return the components that any selection buys: those in most of them first."""
    shares = nearly.shares
    ranked = np.argsort(-shares, kind="stable")
    return ranked[shares[ranked] > 0]


def _cells(
    answer: BudgetAnswer, x: NDArray[np.int_], y: NDArray[np.int_], names: list[str]
) -> dict[str, Any]:
    found, unit = answer.nearly.found, answer.data.dataset.unit
    gain = answer.certified.full_gain
    return {
        "x": x + 1,
        "y": y + 1,
        "name": [names[i] for i in y],
        "objective": [objective_text(found.objectives[i]) for i in x],
        "above": [percent((found.objectives[i] - found.best) / gain) for i in x],
        "cost": [cost_text(float(found.costs[i]), unit) for i in x],
    }


def _short(name: str, most: int = 18) -> str:
    """Return a name as far as it fits beside the matrix."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
