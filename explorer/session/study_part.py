"""A figure or table of a paper where it is asked for: computed, drawn and judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, ClassVar

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from solvers.papers.cascades import (
    FIGURES,
    RECORDED_FOLDS,
    ExitRound,
    trace_figure,
)
from solvers.papers.studies import Study
from solvers.papers.verdicts import Finding, Outcome
from solvers.values.rounding import rounded

from ..compute.query import Query
from ..compute.shared import SHARED
from ..figures.live import SceneView
from ..figures.paper_figure import (
    PaperPicture,
    cascade_pictures,
    picture_scene,
    study_pictures,
)
from ..figures.scene import Scene
from ..widgets.controls import bind, button, choice
from ..widgets.markup import Message, markup
from ..widgets.page_layout import from_first_shown, progress_row
from ..widgets.painted import paint
from ..widgets.parts import wide_column, wide_row
from ..widgets.tables import DataTable
from ..widgets.text import counted, in_powers, plain
from ..widgets.ui import pmui
from .context import Context

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
        return "a study: MEASURED.answer(state), of explorer.session.study_part"

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


COLUMNS = ("Where", "The paper says", "As published", "Measured here", "Verdict")
# What noise hides, one run shows, or nothing here can judge, is neither.
BADGES: dict[Outcome | None, str] = {"holds": "good", "does not hold": "bad"}
TABLE_HEIGHT = 260
WIDE = {"sizing_mode": "stretch_width"}
# Below each other on a narrow window.
SIDE_BY_SIDE = (
    "display: grid; gap: 0 2rem; "
    "grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr))"
)


class PictureView(SceneView):
    """The lines of the chosen picture of one study."""

    state = param.ClassSelector(class_=StudyState)
    called = "paper"
    follows = ("measured", "picture")
    has_words = False

    def __init__(self, study: Study, **params: Any) -> None:
        self._study = study
        super().__init__(**params)

    def scene(self) -> Scene | None:
        """Return what has come of it; what is shown stays where nothing has."""
        picture = self.state.shown()
        if picture is None or self.state.study is not self._study:
            return None
        return picture_scene(picture)


class StudyPart(Viewer):
    """Studies that are asked for by a button or a link, and where they are seen.

    `offers`: whether a choice of studies stands above it.
    """

    doing: ClassVar[str] = "Measuring"

    def __init__(
        self, context: Context, studies: Mapping[str, Study], *, offers: bool = True
    ) -> None:
        super().__init__()
        self.context, self.state = context, StudyState(studies)
        self.job = context.asker(MEASURED, self.state)
        self.offers = offers

    def __panel__(self) -> Any:
        return self.view

    @cached_property
    def view(self) -> StudyView:
        """What is seen of it, made when it is first looked at: most people never do."""
        return StudyView(self)

    def cancel(self) -> None:
        """Stop, and ask no more: neither a reload nor a link goes on by itself."""
        self.job.cancel()
        self.state.is_figure_asked = False


class StudyView(Viewer):
    """What a study is about, a button, and what comes of it."""

    def __init__(self, part: StudyPart) -> None:
        super().__init__()
        self._part, self.state, self.job = part, part.state, part.job
        self._dark = part.context.session.param.dark
        self._views: dict[Study, PictureView] = {}
        self._shown: Study | None = None  # Whose figure stands there
        self._about = markup("")
        self._claims = ClaimsTable()
        self._images = markup("")
        self._picture = pmui.Select(
            label="Picture", options=[], margin=(4, 12), visible=False, **WIDE
        )
        bind(
            self._picture,
            self.state,
            "picture",
            shown=self._first_if_unknown,
            stored=lambda title: title or "",  # None while the options change
        )
        self._drawn = wide_column()
        self._table = DataTable(
            caption="Rows of the figure",
            height=TABLE_HEIGHT,
            dark=self._dark,
            **WIDE,
        )
        self._result = wide_column(
            self._picture,
            self._drawn,
            self._images,
            self._claims,
            self._table,
            visible=False,
        )
        watch = self.state.param.watch
        watch(lambda *_: self._show(), ["figure", "measured", "picture"])
        self.job.param.watch(lambda *_: self._show(), "busy")
        self._show()

    def __panel__(self) -> Any:
        start = button(
            "Compute it here",
            self.state.ask,
            icon="play_arrow",
            disabled=self.job.param.busy,
        )
        full = pmui.Checkbox.from_param(
            self.state.param.is_full, description="", margin=(8, 12)
        )
        titles = {
            study.title or study.key: name for name, study in self.state.studies.items()
        }
        offered = [choice(self.state, "figure", "Figure", titles)]
        return wide_column(
            *(offered if self._part.offers else []),
            self._about,
            wide_row(start, full, styles={"flex-wrap": "wrap"}),
            progress_row(self.job, self._part.doing, self._part.cancel),
            Message(text=self.job.param.message),
            from_first_shown(self._result),
        )

    # ------------------------------------------------------------------------- showing

    def _first_if_unknown(self, title: str) -> str:
        titles = self._picture.options
        return title if title in titles or not titles else titles[0]

    def _show(self) -> None:
        study, found = self.state.study, self.state.found
        told = "".join(
            f"<p>{_said(one)}</p>" for one in (study.published, study.sizes) if one
        )
        parts = [one for one in (told, self._said(found)) if one]
        columns = "".join(f"<div>{one}</div>" for one in parts)
        self._about.object = f'<div style="{SIDE_BY_SIDE}">{columns}</div>'
        if found is None:
            self._result.visible = False
            return
        titles = [*found.pictures]
        if titles != self._picture.options:
            title = self.state.picture if self.state.picture in titles else ""
            self._picture.param.update(
                options=titles,
                value=title or (titles[0] if titles else None),
                visible=len(titles) > 1,
            )
        self._draw()
        self._claims.findings = list(found.findings)
        self._images.object = _gallery(found.images or {})
        # A table that grows under the eye cannot be read.
        columns, numbers, rows = found.table() if found.is_whole else ([], [], [])
        self._table.param.update(columns=columns, numbers=numbers, rows=rows)
        self._table.visible = bool(rows)
        # Last: what is known already is then sent as a whole.
        self._result.visible = True

    def _said(self, found: Measured | None) -> str:
        if found is None:
            return "<p>Not computed here yet.</p>"
        if not found.is_whole:
            return f"<p>{counted(len(found.rows), 'row')} so far; not complete.</p>"
        return "".join(f"<p>{_said(one)}</p>" for one in found.said)

    def _draw(self) -> None:
        """Draw a study in its own figure, which is sent what is new."""
        study, is_drawn = self.state.study, self.state.shown() is not None
        if is_drawn and study not in self._views:
            self._views[study] = PictureView(study, state=self.state, dark=self._dark)
        shown = study if is_drawn else None
        if shown is not self._shown:
            self._shown = shown
            objects = [self._views[study]] if is_drawn else []
            self._drawn.param.update(objects=objects, visible=is_drawn)


class ClaimsTable(Viewer):
    """One row a claim, wrapped so that it can be read."""

    findings = param.List(default=[], item_type=Finding, doc="Those that are settled.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("")
        self.param.watch(lambda *_: self._write(), "findings")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, scroll=True)

    def _write(self) -> None:
        if not self.findings:
            self._pane.object = ""
            return
        n, outcomes = len(self.findings), [one.outcome for one in self.findings]
        said = f"{outcomes.count('holds')} of {n} claims hold here."
        if set(outcomes) == {"one run"}:
            said = f"{counted(n, 'claim')}, seen once: one run settles none."
        headings = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
        rows = "".join(_row(one) for one in self.findings)
        self._pane.object = (
            f'<p role="status">{said}</p>'
            f'<table class="lens claims"><caption>Claims of the paper</caption>'
            f"<tr>{headings}</tr>{rows}</table>"
        )


def _said(text: str) -> str:
    """Return text as it is read, never as markup."""
    return plain(in_powers(text))


def _row(found: Finding) -> str:
    kind, said = BADGES.get(found.outcome, "plain"), found.outcome or "not judged"
    cells = (found.where, found.sentence, found.published, found.measured)
    return (
        "<tr>"
        + "".join(f"<td>{_said(cell)}</td>" for cell in cells)
        + f'<td><span class="badge {kind}">{said}</span></td></tr>'
    )


def _gallery(images: Mapping[str, Sequence[str]]) -> str:
    parts = []
    for title, uris in images.items():
        drawn = "".join(
            f'<img src="{uri}" alt="" width="96" height="64">' for uri in uris
        )
        parts.append(f'<h3>{title}</h3><div class="gallery">{drawn}</div>')
    return "".join(parts)
