"""Features used, and how often the model is right, along the selectivity."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, TypeAlias

import param
from bokeh.models import DataRange1d, HoverTool, Range1d, Span
from bokeh.plotting import figure

from ...widgets.figure_view import FigureView, empty_source
from ...widgets.markup import markup
from ...widgets.still_figure import legend_above, still_figure
from ...widgets.text import plain
from ...widgets.theme import SIDE_HEIGHT, palette
from .state import SelectivityState
from .streams import PATH_POINTS, SMALLEST

__all__ = ["PathCounts", "PathScores"]

# Column: title, marker, dash, name of the colour in the palette.
Lines: TypeAlias = dict[str, tuple[str, str, str, str]]
COLUMNS = ("mu", "boundary", "ridge", "used", "training", "validation")


class _AlongPath(FigureView):
    """Lines over the selectivity, with the chosen one upright."""

    state = param.ClassSelector(class_=SelectivityState)
    lines: ClassVar[Lines]
    label: str
    name_of_figure: str
    y_range: Any

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._source = empty_source(*COLUMNS)
        self._here = Span(dimension="height", line_width=2, line_dash="dotdash")
        self.figure = self._figure()
        self._text = markup("", min_height=40)
        self._watch_state(self._draw, "path")
        self._watch_state(self._draw_here, "answer")
        self._use_theme()
        self._draw()
        self._draw_here()

    @abstractmethod
    def _range(self) -> Any:
        """Return the range of the upright axis."""

    @abstractmethod
    def _said(self) -> str:
        """Return what the figure shows, in words."""

    def _figure(self) -> figure:
        plot = still_figure(
            height=SIDE_HEIGHT,
            x_axis_type="log",
            x_range=Range1d(SMALLEST, 1.0),
            y_range=self._range(),
            x_axis_label="selectivity μ",
            y_axis_label=self.label,
            name=self.name_of_figure,
        )
        self._drawn = {}
        for column, (title, marker, dash, _) in self.lines.items():
            look = {"source": self._source, "legend_label": title}
            line = plot.line("mu", column, line_width=2, line_dash=dash, **look)
            dots = plot.scatter("mu", column, marker=marker, size=6, **look)
            self._drawn[column] = (line, dots)
        tooltips = [("μ", "@mu")] + [
            (title, f"@{column}{{0.[00]}}")
            for column, (title, *_) in self.lines.items()
        ]
        dots = [pair[1] for pair in self._drawn.values()]
        plot.add_tools(HoverTool(renderers=dots, tooltips=tooltips))
        plot.add_layout(self._here)
        legend_above(plot, orientation="horizontal")
        return plot

    def _draw(self) -> None:
        path = self.state.path
        if not path:
            return
        counts = [answer.counts for answer in path]
        self._source.data = {
            "mu": [answer.fit.mu for answer in path],
            "boundary": [float(count["boundary"]) for count in counts],
            "ridge": [float(count["ridge"]) for count in counts],
            "used": [float(answer.n_used) for answer in path],
            "training": [answer.scores["training"] for answer in path],
            "validation": [answer.scores["validation"] for answer in path],
        }
        largest = path[0].bench.largest
        self.figure.x_range.update(start=SMALLEST * largest, end=largest)
        so_far = "" if len(path) >= PATH_POINTS else "So far: "
        self._text.object = plain(so_far + self._said())

    def _draw_here(self) -> None:
        if self.state.answer is not None:
            self._here.location = self.state.answer.fit.mu

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        self._here.line_color = colours.ring
        for column, (line, dots) in self._drawn.items():
            colour = getattr(colours, self.lines[column][3])
            line.glyph.line_color = colour
            dots.glyph.update(line_color=colour, fill_color=colour)


class PathCounts(_AlongPath):
    """How many features are used, and in which state."""

    lines: ClassVar[Lines] = {
        "used": ("used", "circle", "dotted", "text"),
        "boundary": ("on the boundary", "triangle", "dashed", "shared"),
        "ridge": ("ridge", "square", "solid", "lit"),
    }
    label = "features used"
    name_of_figure = "counts"

    def _range(self) -> Any:
        return DataRange1d(start=0)

    def _said(self) -> str:
        path = self.state.path
        most = max(path, key=lambda answer: answer.counts["boundary"])
        return (
            f"Most features on the boundary: {most.counts['boundary']}, at μ = "
            f"{most.fit.mu:.3g}. All certified to a relative gap of 10⁻⁶."
        )


class PathScores(_AlongPath):
    """How often the model is right on rows it has seen, and on others."""

    lines: ClassVar[Lines] = {
        "training": ("training rows", "circle", "dashed", "quiet_text"),
        "validation": ("validation rows", "square", "solid", "lit"),
    }
    label = "balanced accuracy"
    name_of_figure = "scores"

    def _range(self) -> Any:
        return Range1d(0.4, 1.02)

    def _said(self) -> str:
        best = max(self.state.path, key=lambda answer: answer.scores["validation"])
        features = "1 feature" if best.n_used == 1 else f"{best.n_used} features"
        return (
            f"Best on validation: {best.scores['validation']:.2f} with {features}, "
            f"at μ = {best.fit.mu:.3g} (chosen on the same rows)."
        )
