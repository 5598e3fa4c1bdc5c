"""A figure or table of a paper: computed when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import param

from solvers.papers.cascades import (
    FIGURES,
    RECORDED_FOLDS,
    ExitRound,
    trace_figure,
)
from solvers.papers.studies import Study
from solvers.papers.verdicts import Finding
from solvers.values.rounding import rounded

from ..compute.query import Query
from ..compute.shared import SHARED
from ..figures.paper_figure import PaperPicture, cascade_pictures, study_pictures
from ..widgets.painted import paint

_TURNS = count(1)
# Where a study does not know how many steps it has, half of them are so many rows.
HALF = 60


@dataclass(frozen=True, eq=False)
class Measured:
    """A study as far as it has come."""

    study: Study
    rows: tuple[Any, ...] = ()
    beside: tuple[Any, ...] = ()  # Rows of the study that belongs to it
    findings: tuple[Finding, ...] = ()  # Once all rows have come
    said: tuple[str, ...] = ()  # What they show, in sentences
    share: float = 0.0
    drawn: Mapping[str, PaperPicture] | None = None  # Unless they follow from the rows
    # Pictures of rows as data URIs, by what they show
    images: Mapping[str, Sequence[str]] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all rows have come."""
        return self.share >= 1.0

    @cached_property
    def pictures(self) -> Mapping[str, PaperPicture]:
        """What can be drawn, by title."""
        if self.drawn is not None:
            return self.drawn
        found = study_pictures(self.study, self.rows)
        if self.study.also is not None:
            found |= study_pictures(self.study.also, self.beside)
        return found

    def table(self) -> tuple[list[str], list[bool], list[list[Any]]]:
        """Return headings, whether each column holds numbers, and the cells."""
        names = dict.fromkeys(
            name
            for row in self.rows
            for name, value in vars(row).items()
            if isinstance(value, str | int | float | bool | np.number)
        )
        axes = self.study.axes
        headings = {} if axes is None else axes.headings
        cells = [[_cell(getattr(row, name, "")) for name in names] for row in self.rows]
        numbers = [
            not any(isinstance(getattr(row, name, 0), str) for row in self.rows)
            for name in names
        ]
        titles = [headings.get(n, n.replace("_", " ").capitalize()) for n in names]
        return titles, numbers, cells


def _cell(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else rounded(float(value), 4)
    return value if isinstance(value, str | int) else str(value)


def measure(study: Study, *, is_full: bool = False) -> Iterator[Measured]:
    """Yield a study as it is computed, at its quick sizes or those of the record."""
    sizes = {} if is_full else dict(study.quick)
    if study.name in FIGURES:
        yield from _traced(study, {"folds": RECORDED_FOLDS} if is_full else sizes)
        return
    rows: list[Any] = []
    for row in study.rows(**sizes):
        rows.append(row)
        share = _share(study, rows) * (1.0 if study.also is None else 0.5)
        yield Measured(study, tuple(rows), share=min(0.99, share))
    findings, said, beside = study.judge(rows), study.describe(rows), ()
    if study.also is not None:
        beside = tuple(study.also.rows())
        findings += study.also.judge(beside)
        said += study.also.describe(beside)
    yield Measured(study, tuple(rows), beside, tuple(findings), tuple(said), 1.0)


def _share(study: Study, rows: list[Any]) -> float:
    """Return how far rows are; those that a step takes are not known to all studies."""
    return study.share_done(rows) if study.step else len(rows) / (len(rows) + HALF)


def _traced(study: Study, sizes: Mapping[str, Any]) -> Iterator[Measured]:
    """Yield a figure of the TEFE paper, with images of rows where it is of these."""
    for figure in trace_figure(study.name, **sizes):
        points = tuple(_Point(*point) for point in figure.table())
        images = {
            title: [uri for _, uri in paint(rows)]
            for title, rows in figure_6(figure.rounds).items()
        }
        yield Measured(
            study,
            points,
            (),
            figure.findings,
            (figure.note,),
            figure.share,
            cascade_pictures(figure),
            images,
        )


@dataclass
class _Point:
    series: str
    x: float
    y: float


class StudyState(param.Parameterized):
    """Which study is looked at, and what has come of it."""

    figure: Any = param.Selector(objects=[], doc="Short name of a study; empty: none.")
    is_figure_asked = param.Boolean(default=False, doc="Whether it is computed.")
    is_full = param.Boolean(
        default=False,
        label="As large as what is recorded",
        doc="Rather than at sizes that take seconds.",
    )
    picture = param.String(default="", doc="Title of the picture; the first if none.")
    measured: Any = param.ClassSelector(class_=Measured, doc="What has come.")

    def __init__(self, studies: Mapping[str, Study], **params: Any) -> None:
        self.studies, self.turn = studies, 0
        self.param.figure.objects = [*studies]
        super().__init__(**{"figure": next(iter(studies)), **params})
        self.param.watch(lambda *_: self._leave(), "figure")

    @property
    def study(self) -> Study:
        """The chosen study."""
        return self.studies[self.figure]

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.found is not None:
            return ""
        return "a study: MEASURED.answer(state), of explorer.session.studies"

    @property
    def found(self) -> Measured | None:
        """What has come of the chosen study."""
        measured = self.measured
        is_this = measured is not None and measured.study is self.study
        return measured if is_this else None

    def shown(self) -> PaperPicture | None:
        """Return the chosen picture, or the first one; None where there is none yet."""
        pictures = {} if self.found is None else self.found.pictures
        first = next(iter(pictures.values()), None)
        return pictures.get(self.picture, first)

    def ask(self) -> None:
        """Ask for the study; where it is there already, measure it again."""
        found = self.found
        if found is not None and found.is_whole and self.is_figure_asked:
            self.turn = next(_TURNS)
            self.param.trigger("is_figure_asked")
        else:
            self.is_figure_asked = True  # so says a link to the page

    def _leave(self) -> None:
        self.turn = 0
        self.is_figure_asked = False


MEASURED = Query(
    "measured",
    asks=lambda state: (
        (state.study.key, state.is_full, state.turn) if state.is_figure_asked else None
    ),
    work=lambda state: measure(state.study, is_full=state.is_full),
    follows=("figure", "is_figure_asked", "is_full"),
    share=lambda measured: measured.share,
    kept=lambda state: SHARED.studies,
    is_long=True,
)


def figure_6(rounds: Sequence[ExitRound]) -> dict[str, list[int]]:
    """Return the rows of the paper's Fig. 6, by what its columns show.

    Two rows a column, if there are as many; empty without rounds.
    """
    if not rounds:
        return {}
    first, *_, last = rounds
    middle = rounds[len(rounds) // 2]
    columns = {
        "Right by colours alone": first.right_rows,
        "Right by colours and textures": middle.right_rows,
        "Wrong although all features were used": last.wrong_rows,
    }
    return {title: [int(row) for row in rows[:2]] for title, rows in columns.items()}
