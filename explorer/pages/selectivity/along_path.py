"""Figures over the selectivity: coefficients, features used, right answers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import param
from bokeh.models import ColumnDataSource, DataRange1d, HoverTool, Range1d, Span

from solvers.values.rounding import rounded

from ...figures.regularisation_path import BOUNDARY
from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import legend_above, still_figure
from ...widgets.text import plain
from ...widgets.theme import PLOT_HEIGHT, SIDE_HEIGHT, Role
from .state import SelectivityState
from .streams import PATH_POINTS, SMALLEST
from .text import largest_coefficients

# So many lines can still be told apart.
N_LINES = 20
FUNNEL = (
    "The dash-dotted funnel is |a| = μ: inside it a coefficient is on the boundary, "
    "outside it is ridge."
)
PRICED = "Each has a boundary of its own, |a| = μ √cost."
# Of each state: title, dash, width and colour.
STATE_LINES = {
    "zero": ("zero", "dotted", 1.0, "faded"),
    "boundary": ("on the boundary", "dashed", 2.0, BOUNDARY),
    "ridge": ("ridge", "solid", 2.0, "lit"),
}


class _AlongPath(FigureView):
    """A figure over the selectivity, with the chosen one upright.

    A view that derives adds its layers, and draws the path into them.
    """

    state = param.ClassSelector(class_=SelectivityState)
    name_of_figure: ClassVar[str]
    label: ClassVar[str]  # Of the upright axis
    height: ClassVar[int] = SIDE_HEIGHT

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=self.height,
            x_axis_type="log",
            x_range=Range1d(SMALLEST, 1.0),
            y_range=self._range(),
            x_axis_label="selectivity μ",
            y_axis_label=self.label,
            name=self.name_of_figure,
        )
        self._here = self._paint(
            Span(dimension="height", line_width=2, line_dash="dotdash"),
            line_color="ring",
        )
        self._add_layers()
        self.figure.add_layout(self._here)
        legend_above(self.figure, orientation="horizontal")
        self._text = markup("", min_height=42)
        self._watch_state(self._draw, "path")
        self._watch_state(self._draw_here, "answer")
        self._draw()
        self._draw_here()

    def _range(self) -> Any:
        return Range1d(-1, 1)

    @abstractmethod
    def _add_layers(self) -> None:
        """Add what is drawn, and what it says to the pointer."""

    @abstractmethod
    def _draw_path(self) -> str | None:
        """Draw the path; return what is seen, in words, if anything is drawn."""

    def _draw(self) -> None:
        path = self.state.path
        said = self._draw_path() if path else None
        if said is not None:
            largest = path[0].bench.largest
            self.figure.x_range.update(start=SMALLEST * largest, end=largest)
            self._text.object = plain(said)

    def _draw_here(self) -> None:
        if self.state.answer is not None:
            self._here.location = self.state.answer.fit.mu


class CoefficientPath(_AlongPath):
    """The largest coefficients as they grow, by state: zero, on the boundary, ridge."""

    name_of_figure, label = "path", "coefficient (training rows)"
    height = PLOT_HEIGHT

    def _add_layers(self) -> None:
        drawn = {
            name: self._layer(
                "segment",
                *("x0", "y0", "x1", "y1"),
                told=["name"],
                line_dash=dash,
                line_width=width,
                line_color=role,
                legend_label=title,
            )
            for name, (title, dash, width, role) in STATE_LINES.items()
        }
        self._pieces = {name: layer.data_source for name, layer in drawn.items()}
        funnel = {"line_color": "quiet_text", "line_width": 1.5, "line_dash": "dotdash"}
        upper = self._layer("line", "x", "up", told=["down"], **funnel)
        self._limit = upper.data_source
        self._layer("line", "x", "down", source=self._limit, **funnel)
        tooltips = [("", "@name"), ("μ", "@x1"), ("coefficient", "@y1{0.0000}")]
        seen = [drawn["boundary"], drawn["ridge"]]
        self.figure.add_tools(HoverTool(renderers=seen, tooltips=tooltips))

    def _draw_path(self) -> str | None:
        path = self.state.path
        chosen = largest_coefficients(path, N_LINES)
        if not len(chosen):
            return None  # every coefficient is zero where the path begins
        bench = path[0].bench
        mu = np.array([answer.fit.mu for answer in path])
        coef = np.array([answer.fit.coef[chosen] for answer in path])
        states = np.array([answer.fit.states[chosen] for answer in path])
        names = np.array(bench.data.names, dtype=object)[chosen]
        for name, source in self._pieces.items():
            # A piece has the state of its end of less selectivity.
            i, k = np.nonzero(states[1:] == name)
            source.data = {
                "x0": mu[i],
                "y0": coef[i, k],
                "x1": mu[i + 1],
                "y1": coef[i + 1, k],
                "name": names[k],
            }
        top = 1.08 * float(np.abs(coef).max(initial=0.0)) or 1.0
        self.figure.y_range.update(start=-top, end=top)
        grid = np.geomspace(SMALLEST * bench.largest, bench.largest, 80)
        # Priced features have a boundary each.
        grid = grid[grid <= (-1.0 if bench.question.is_priced else 1.5 * top)]
        self._limit.data = {"x": grid, "up": grid, "down": -grid}
        return (
            f"The {len(chosen)} largest of {len(bench.data.names)} coefficients. "
            + (PRICED if bench.question.is_priced else FUNNEL)
            + " The upright line is the μ chosen."
        )


class _PathLines(_AlongPath):
    """Lines with a mark at each answer of the path."""

    #: Of each column: title, marker, dash and colour.
    lines: ClassVar[dict[str, tuple[str, str, str, str]]]

    def _add_layers(self) -> None:
        source: ColumnDataSource | None = None
        marks, tooltips = [], [("μ", "@mu")]
        for column, (title, marker, dash, role) in self.lines.items():
            _, drawn = self._marked_line(
                *("mu", column, role),
                marker=marker,
                size=6,
                dash=dash,
                told=[*self.lines],
                source=source,
                legend_label=title,
            )
            source = drawn.data_source
            marks.append(drawn)
            tooltips.append((title, f"@{column}{{0.[00]}}"))
        self._source = source
        self.figure.add_tools(HoverTool(renderers=marks, tooltips=tooltips))

    @abstractmethod
    def _values(self, answer: Any) -> dict[str, float]:
        """Return where the lines are at an answer."""

    @abstractmethod
    def _said(self) -> str:
        """Return what the figure shows, in words."""

    def _draw_path(self) -> str:
        path = self.state.path
        found = [self._values(answer) for answer in path]
        self._source.data = {
            "mu": [answer.fit.mu for answer in path],
            **{column: [at[column] for at in found] for column in self.lines},
        }
        return ("" if len(path) >= PATH_POINTS else "So far: ") + self._said()


class PathCounts(_PathLines):
    """How many features are used, and in which state."""

    lines: ClassVar[dict[str, tuple[str, str, str, Role]]] = {
        "used": ("used", "circle", "dotted", "text"),
        "boundary": ("on the boundary", "triangle", "dashed", BOUNDARY),
        "ridge": ("ridge", "square", "solid", "lit"),
    }
    name_of_figure, label = "counts", "features used"

    def _range(self) -> Any:
        return DataRange1d(start=0)

    def _values(self, answer: Any) -> dict[str, float]:
        return {"used": float(answer.n_used), **answer.counts}

    def _said(self) -> str:
        most = max(self.state.path, key=lambda answer: answer.counts["boundary"])
        return (
            f"Most features on the boundary: {most.counts['boundary']}, at μ = "
            f"{rounded(most.fit.mu):g}. All certified to a relative gap of 10⁻⁶."
        )


class PathScores(_PathLines):
    """How often the model is right on rows it has seen, and on others."""

    lines: ClassVar[dict[str, tuple[str, str, str, Role]]] = {
        "training": ("training rows", "circle", "dashed", "quiet_text"),
        "validation": ("validation rows", "square", "solid", "lit"),
    }
    name_of_figure, label = "scores", "balanced accuracy"

    def _range(self) -> Any:
        return Range1d(0.4, 1.02)

    def _values(self, answer: Any) -> dict[str, float]:
        scores: dict[str, float] = answer.scores
        return scores

    def _said(self) -> str:
        best = max(self.state.path, key=lambda answer: answer.scores["validation"])
        features = "1 feature" if best.n_used == 1 else f"{best.n_used} features"
        return (
            f"Best on validation: {best.scores['validation']:.2f} with {features}, "
            f"at μ = {rounded(best.fit.mu):g} (chosen on the same rows)."
        )
