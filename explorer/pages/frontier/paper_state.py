"""Figures of the paper: which is looked at, and the rows that have come for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import param

from solvers.papers.figures import PaperFigure, all_figures

__all__ = ["Line", "PaperFiguresState", "Picture"]


@dataclass(frozen=True)
class Line:
    """One line of a picture."""

    name: str  # What it stands for
    x: tuple[float, ...]  # Its points, by rising x
    y: tuple[float, ...]


@dataclass(frozen=True)
class Picture:
    """What is drawn of a figure at a time."""

    # The figure and what distinguishes the picture from its others
    key: tuple[Any, ...]
    title: str  # What it is called
    x_label: str  # What the axes are called, with units
    y_label: str
    is_x_log: bool  # Whether the axes go by powers of ten
    is_y_log: bool
    lines: tuple[Line, ...]  # In the order in which they came


class PaperFiguresState(param.Parameterized):
    """The chosen figure and picture, and all rows that were computed."""

    figure: Any = param.Selector(default="2", objects=list(all_figures()))
    picture = param.String(default="", doc="Title of the picture; the first if none.")
    rows = param.Dict(default={}, doc="Rows of each figure that was asked for.")
    finished = param.List(default=[], doc="Figures whose rows are complete.")

    @property
    def about(self) -> PaperFigure:
        """The chosen figure."""
        return all_figures()[self.figure]

    @property
    def found(self) -> tuple[Any, ...]:
        """The rows of the chosen figure that have come."""
        return self.rows.get(self.figure, ())

    # ---------------------------------------------------------------- what has arrived

    def collector(self) -> Callable[[Iterable[Any]], float]:
        """Return what takes the rows of the chosen figure, and says what is done.

        The first row replaces the old ones; until then they stay.
        """
        name, about = self.figure, self.about
        fresh: list[Any] = []

        def collect(items: Iterable[Any]) -> float:
            fresh.extend(items)
            others = [other for other in self.finished if other != name]
            self.param.update(finished=others, rows={**self.rows, name: tuple(fresh)})
            return about.share_done(fresh)

        return collect

    def finish(self, name: str) -> None:
        """Note that all rows of a figure have come."""
        self.finished = [*self.finished, name]

    # ------------------------------------------------------------------- what it shows

    def titles(self) -> list[str]:
        """Return what the pictures are called that the rows suffice for."""
        return list(self._pictures())

    def shown(self) -> Picture | None:
        """Return the chosen picture, or the first one.

        None where no row has come.
        """
        pictures = self._pictures()
        if not pictures:
            return None
        title = self.picture if self.picture in pictures else next(iter(pictures))
        values, y = pictures[title]
        axes = self.about.axes
        rows = [row for row in self.found if self._values(row) == values]
        return Picture(
            (self.figure, title),
            title,
            axes.headings[axes.x],
            axes.headings[y],
            axes.x in axes.logarithmic,
            y in axes.logarithmic,
            _lines(rows, axes.x, y, axes.series),
        )

    def measured(self) -> list[str]:
        """Return what the chosen figure says once it is complete.

        Empty before.
        """
        complete = self.figure in self.finished
        return self.about.measured(self.found) if complete else []

    def table(self) -> tuple[list[str], list[bool], list[list[Any]]]:
        """Return headings, whether each column holds numbers, and the cells."""
        headings = self.about.axes.headings
        cells = [[_cell(getattr(row, name)) for name in headings] for row in self.found]
        numbers = [
            bool(self.found) and not isinstance(getattr(self.found[0], name), str)
            for name in headings
        ]
        return list(headings.values()), numbers, cells

    def _pictures(self) -> dict[str, tuple[tuple[Any, ...], str]]:
        """Return values of the panel columns and the y column, by title."""
        axes = self.about.axes
        panels = dict.fromkeys(self._values(row) for row in self.found)
        return {
            self._title(values, y): (values, y) for y in axes.y for values in panels
        }

    def _values(self, row: Any) -> tuple[Any, ...]:
        return tuple(getattr(row, name) for name in self.about.axes.panels)

    def _title(self, values: tuple[Any, ...], y: str) -> str:
        axes = self.about.axes
        said = [
            value if isinstance(value, str) else f"{axes.headings[name]} = {value:g}"
            for name, value in zip(axes.panels, values, strict=True)
        ]
        return ", ".join([axes.headings[y], *said])


def _lines(rows: list[Any], x: str, y: str, series: str) -> tuple[Line, ...]:
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        point = (float(getattr(row, x)), float(getattr(row, y)))
        found.setdefault(getattr(row, series), []).append(point)
    return tuple(
        Line(name, *(tuple(values) for values in zip(*sorted(points), strict=True)))
        for name, points in found.items()
    )


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else float(f"{value:.4g}")
    return value
