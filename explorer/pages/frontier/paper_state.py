"""Figures of the paper: which is looked at, and the rows that have come for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import param

from solvers.papers.figures import Study, all_figures
from solvers.values.rounding import rounded

from ...figures.paper_pictures import PaperPicture, paper_pictures


class PaperFiguresState(param.Parameterized):
    """The chosen figure and picture, and all rows that were computed."""

    figure: Any = param.Selector(default="2", objects=list(all_figures()))
    is_figure_asked = param.Boolean(default=False, doc="Whether it is computed.")
    picture = param.String(default="", doc="Title of the picture; the first if none.")
    rows = param.Dict(default={}, doc="Rows of each figure that was asked for.")
    finished = param.List(default=[], doc="Figures whose rows are complete.")

    @property
    def about(self) -> Study:
        """The chosen figure."""
        return all_figures()[self.figure]

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.found:
            return ""
        return (
            "rows of the figure: state.collector() takes them from "
            "solvers.papers.figures"
        )

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
        return list(paper_pictures(self.about, self.found))

    def shown(self) -> PaperPicture | None:
        """Return the chosen picture, or the first one.

        None where no row has come.
        """
        pictures = paper_pictures(self.about, self.found)
        first = next(iter(pictures.values()), None)
        return pictures.get(self.picture, first)

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


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else rounded(value, 4)
    return value
