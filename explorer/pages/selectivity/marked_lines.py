"""Lines with a mark at every point, one for each of a few that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from ...widgets.figure_view import FigureView
from ...widgets.theme import palette

__all__ = ["MarkedLines"]


class MarkedLines(FigureView):
    """A view of such lines; one that derives says how they look and what they hold."""

    #: Marker, dash and colour of the theme of each.
    styles: ClassVar[Mapping[str, tuple[str, str, str]]]
    columns: ClassVar[tuple[str, ...]]  # Of each line: x, y, and what a tooltip says

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        empty = {column: [] for column in self.columns}
        self._sources = {name: ColumnDataSource(dict(empty)) for name in self.styles}

    def _add_lines(
        self, plot: figure, titles: Mapping[str, str], size: int
    ) -> list[Any]:
        """Draw the lines; return their marks."""
        x, y = self.columns[:2]
        self._drawn = {}
        for name, (marker, dash, _) in self.styles.items():
            one = {"source": self._sources[name], "legend_label": titles[name]}
            line = plot.line(x, y, line_width=2, line_dash=dash, **one)
            marks = plot.scatter(x, y, marker=marker, size=size, **one)
            self._drawn[name] = (line, marks)
        return [marks for _, marks in self._drawn.values()]

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        for name, (line, marks) in self._drawn.items():
            colour = getattr(colours, self.styles[name][2])
            line.glyph.line_color = colour
            marks.glyph.update(line_color=colour, fill_color=colour)
