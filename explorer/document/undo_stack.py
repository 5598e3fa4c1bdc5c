"""One undo and redo for everything: what was done last is taken back first.

A step is whatever changed the drawing or the choices between two snapshots of both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import param

from .drawing import Drawing
from .timeline import Choices, Snapshot, Timeline

# Moves of one slider that follow each other as closely as this are one step.
DRAG_SECONDS = 1.0


class UndoStack(param.Parameterized):
    """What was done, on whatever page, and what was taken back.

    `drawing`: returns what is drawn.
    `draw`: takes what is to be drawn again, and says what has happened.
    """

    undoes = param.String(default="", doc="What undoing takes back; empty for none.")
    redoes = param.String(default="", doc="What redoing does again; empty for none.")

    def __init__(
        self,
        drawing: Callable[[], Drawing],
        draw: Callable[[Drawing, str], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._drawing, self._draw = drawing, draw
        # A session says what is chosen and which page is in front, and takes choices
        # and a page that are to stand again; no page to stay where one is.
        self.choices: Callable[[], Choices] = dict
        self.page: Callable[[], str] = str
        self.choose: Callable[[Choices, str], None] = lambda choices, page: None
        self._timeline = Timeline((Snapshot(drawing()),))
        self._is_open, self._quiet = False, 0
        self._drag: tuple[Any, float] = (None, 0.0)

    # ------------------------------------------------------------------------ recording

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Record nothing of what is chosen inside: the app does it, not a person."""
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1
            if not (self._quiet or self._is_open):
                self._amend()

    @contextmanager
    def step(self, said: str, page: str = "") -> Iterator[None]:
        """Record what changes inside as one step, or as part of the one around it.

        `page`: where it is done; the one in front by default.
        """
        if self._is_open:
            yield
            return
        page = page or self.page()
        self._amend()
        self._is_open = True
        try:
            yield
        finally:
            self._is_open = False
            self._record(said, page)

    def moved(self, page: str, names: list[str], said: str) -> None:
        """Record that a person has moved some choices of a page, unless it is known.

        Moves of the same that follow each other closely are one step.
        """
        if self._is_open or self._quiet:
            return
        if page not in self._timeline.now.choices:
            self._amend()  # nobody has seen it before
            return
        # What comes with a move, and only with the first, makes it no other move.
        moved = (page, names[:1])
        (last, when), now = self._drag, time.monotonic()
        if last == moved and now - when < DRAG_SECONDS:
            self._amend()
        elif not self._record(said, page):
            return
        self._drag = (moved, now)

    def forget(self) -> None:
        """Begin anew: there is nothing to take back."""
        now = Snapshot(self._drawing(), self.choices())
        self._set(Timeline((now,)))

    def begin_with(self, drawing: Drawing, choices: Choices, said: str) -> None:
        """Begin with what came late: how all stood at first is a step after it."""
        first, *steps = self._timeline.steps
        touched = _changed_pages(choices, first.choices)
        first = replace(first, said=said, page=self.page(), touched=touched)
        begun = Snapshot(drawing, choices)
        self._set(Timeline((begun, first, *steps), self._timeline.at + 1))

    def _record(self, said: str, page: str) -> bool:
        """Put how everything stands on top, if it stands otherwise than before."""
        last, drawing, choices = self._timeline.now, self._drawing(), self.choices()
        touched = _changed_pages(last.choices, choices)
        if not touched and drawing is last.drawing:
            return False
        self._set(self._timeline.grown(Snapshot(drawing, choices, said, page, touched)))
        return True

    def _amend(self) -> None:
        """Take what has changed by itself to belong to the last step."""
        now = replace(
            self._timeline.now, drawing=self._drawing(), choices=self.choices()
        )
        self._timeline = self._timeline.amended(now)

    def _set(self, timeline: Timeline) -> None:
        self._timeline, self._drag = timeline, (None, 0.0)
        steps, after = timeline.steps, timeline.at + 1
        self.param.update(
            undoes=timeline.now.said if timeline.at else "",
            redoes=steps[after].said if after < len(steps) else "",
        )

    # ------------------------------------------------------------------- back and forth

    def undo(self) -> None:
        """Take back what was done last, and show the page that it was done on."""
        if self._timeline.at:
            self._back(self._timeline.now.page)

    def redo(self) -> None:
        """Do again what was taken back last."""
        timeline = self._timeline
        if timeline.at + 1 < len(timeline.steps):
            self._forth(timeline.steps[timeline.at + 1].page)

    @property
    def drawing_undoes(self) -> str:
        """Last step that changed the drawing; empty for none."""
        k = self._timeline.last_drawn
        return self._timeline.steps[k].said if k else ""

    @property
    def drawing_redoes(self) -> str:
        """Next step that was undone and changes the drawing; empty for none."""
        k = self._timeline.next_drawn
        return self._timeline.steps[k].said if k else ""

    def undo_drawing(self) -> bool:
        """Take back the last step that changed the drawing, even if others came later.

        Returns whether there was one.
        """
        if not self._timeline.last_drawn:
            return False
        self._timeline = self._timeline.last_drawn_last()
        self._back("")
        return True

    def redo_drawing(self) -> bool:
        """Do again the next step that changes the drawing, before all others."""
        if not self._timeline.next_drawn:
            return False
        self._timeline = self._timeline.next_drawn_next()
        self._forth("")
        return True

    def _back(self, page: str) -> None:
        step = self._timeline.now
        self._go(self._timeline.at - 1, step, page, f"Undone: {step.said}")

    def _forth(self, page: str) -> None:
        step = self._timeline.steps[self._timeline.at + 1]
        self._go(self._timeline.at + 1, step, page, f"Done again: {step.said}")

    def _go(self, at: int, step: Snapshot, page: str, said: str) -> None:
        was = self.choices()
        self._timeline = replace(self._timeline, at=at)
        target = self._timeline.now
        self._is_open = True  # nothing of this is a step of its own
        try:
            self._draw(target.drawing, said)
            # What pages choose for another data set is not what was chosen.
            followed = _changed_pages(was, self.choices())
            back = {name: was.get(name, {}) for name in followed}
            back |= {name: target.choices.get(name, {}) for name in step.touched}
            self.choose(back, page)
        finally:
            self._is_open = False
            self._amend()
            self._set(self._timeline)


def _changed_pages(before: Choices, after: Choices) -> frozenset[str]:
    pages = {*before, *after}
    return frozenset(p for p in pages if before.get(p, {}) != after.get(p, {}))
