"""Single predictions: measured time against charged time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import panel as pn
from bokeh.models import ColumnDataSource, HoverTool, NumeralTickFormatter, Range1d
from bokeh.plotting import figure

from ...widgets.still_figure import still_figure
from ...widgets.theme import SIDE_HEIGHT, palette

__all__ = ["TimingPlot"]

COLUMNS = ("charged", "measured", "row", "stage", "label")


class TimingPlot:
    """One mark a prediction, beside the line on which both times are the same.

    `legend`: where there are two ways to predict: what the dots are, and what the
    squares.
    """

    def __init__(self, name: str, charged: str, legend: Sequence[str] = ()) -> None:
        self._diagonal = ColumnDataSource({"x": [0.0, 1.0], "y": [0.0, 1.0]})
        self.figure = self._figure(name, f"{charged} (µs)")
        self._line = self.figure.line(
            "x", "y", source=self._diagonal, line_dash="dashed", line_width=1.5
        )
        self._marks = [self._scatter("circle", legend[0] if legend else None)]
        if legend:
            self._marks.append(self._scatter("square", legend[1], fill_color=None))
            shown = self.figure.legend[0]
            shown.location, shown.label_text_font_size = "top_left", "12px"
            shown.background_fill_alpha = 0.75
        word = charged.split()[0].rstrip(":")
        tooltips = [
            ("row", "@row, @label"),
            ("left at stage", "@stage"),
            (word, "@charged{0} µs"),
            ("measured", "@measured{0} µs"),
        ]
        self.figure.add_tools(HoverTool(renderers=self._marks, tooltips=tooltips))
        # Hidden while there is no mark: an empty plot says nothing.
        self.pane = pn.Column(
            pn.pane.Bokeh(self.figure, sizing_mode="stretch_width", height=SIDE_HEIGHT),
            sizing_mode="stretch_width",
            visible=False,
        )

    def _figure(self, name: str, charged: str) -> figure:
        plot = still_figure(
            height=SIDE_HEIGHT,
            x_range=Range1d(0, 115),
            y_range=Range1d(0, 115),
            x_axis_label=charged,
            y_axis_label="measured here (µs)",
            name=name,
        )
        plot.axis.formatter = NumeralTickFormatter(format="0")
        return plot

    def _scatter(self, marker: str, label: str | None, **look: Any) -> Any:
        named = {"legend_label": label} if label else {}
        source = ColumnDataSource({column: [] for column in COLUMNS})
        return self.figure.scatter(
            "charged",
            "measured",
            source=source,
            marker=marker,
            size=9,
            **named,
            **look,
        )

    def draw(self, *runs: Mapping[str, Sequence[Any]]) -> None:
        """Draw the predictions, dots first.

        `*runs`: columns "charged", "measured" (microseconds), "row", "stage" and
        "label".
        """
        for marks, columns in zip(self._marks, runs, strict=True):
            marks.data_source.data = dict(columns)
        self.pane.visible = any(own["charged"] for own in runs)
        times = [t for own in runs for t in (*own["charged"], *own["measured"])]
        # To the right of the marks nothing is cut, whichever is the longer.
        top = 1.15 * max(times, default=100.0)
        self.figure.x_range.end = self.figure.y_range.end = top
        self._diagonal.data = {"x": [0.0, top], "y": [0.0, top]}

    def use_theme(self, *, dark: bool) -> None:
        """Colour the marks."""
        colours = palette(dark)
        dots, *squares = self._marks
        dots.glyph.update(fill_color=colours.lit, line_color=colours.lit)
        for marks in squares:
            marks.glyph.line_color = colours.shared
        self._line.glyph.line_color = colours.quiet_text
