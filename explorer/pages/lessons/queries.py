"""What the lessons page asks: what the control shows, and the answer."""

from __future__ import annotations

from collections.abc import Iterator

from ...compute.query import Query
from .course import Lesson, RevealedAnswer, Shown

Showing = tuple[str, int, Shown]
Judging = tuple[str, RevealedAnswer]
# Settings whose pictures are kept: those of a lesson that is played again.
KEPT = 32


def _shown(lesson: Lesson, at: int) -> Iterator[Showing]:
    for shown in lesson.show(at):
        yield lesson.name, at, shown


def _judged(lesson: Lesson) -> Iterator[Judging]:
    yield lesson.name, lesson.judge()


SHOWN = Query(
    "shown",
    asks=lambda state: (state.lesson, state.at),
    work=lambda state: _shown(state.now, state.at),
    follows=("lesson", "at"),
    shows=lambda state, found: state.take(found.values()),
    share=lambda item: item[2].share,
    keeps=KEPT,
)
# Asked by hand, or where it was revealed before.
VERDICT = Query(
    "verdict",
    asks=lambda state: state.lesson,
    work=lambda state: _judged(state.now),
    shows=lambda state, found: state.reveal(found.values()),
    keeps=KEPT,
)
