"""One undo and redo across all pages: what was done last is taken back first.

Drawing and data sets have their own stack, `EditHistory`; here stands when it was used,
and between that every other choice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import param

from ..document.editor import EditorState
from .choices import Choices
from .state import SessionState

__all__ = ["Step", "UndoStack"]

MAX_STEPS = 200
# Moves of one slider that follow each other as closely as this are one step.
DRAG_SECONDS = 1.0
LAST = 1_000  # after everybody else who watches
Snapshot = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Step:
    """Something that a person did."""

    said: str  # What, in a few words
    page: str  # On which page
    before: Snapshot  # Choices of the pages that it changed
    after: Snapshot
    drew: bool = False  # Whether it is also a step of the drawing's own history


class UndoStack(param.Parameterized):
    """What was done, on whatever page, and what was taken back."""

    undoes = param.String(default="", doc="What undoing takes back; empty for none.")
    redoes = param.String(default="", doc="What redoing does again; empty for none.")

    def __init__(self, session: SessionState, choices: Choices, **params: Any) -> None:
        super().__init__(**params)
        self._session, self._choices = session, choices
        self._past: list[Step] = []
        self._future: list[Step] = []
        self._known: dict[str, dict[str, Any]] = {}
        self._open: Step | None = None
        self._depth = self._quiet = 0
        self._is_replaying = False
        self._last: tuple[Any, float] = (None, 0.0)
        self._editor: EditorState | None = None
        # What the drawing does, from before it changes until everybody has seen it.
        self._drawing, self._then = "", Step("", "", {}, {})
        choices.listeners.append(self._chosen)
        # Pages follow a new data set: their choices belong to the same step.
        session.param.watch(lambda _: self._enter("", session.page), "dataset")
        session.param.watch(lambda _: self._leave(), "dataset", precedence=LAST)

    def follow(self, editor: EditorState) -> None:
        """Count the steps of a drawing's own history among what was done."""
        self._editor = editor
        editor.listeners.append(self._draws)
        editor.param.watch(lambda _: self._drawn(), "serial", precedence=LAST)

    # ------------------------------------------------------------------------ recording

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Record nothing of what changes inside: the app does it, not a person."""
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1

    @contextmanager
    def step(self, said: str, page: str) -> Iterator[None]:
        """Record what changes inside as one step."""
        self._enter(said, page)
        try:
            yield
        finally:
            self._leave()

    def _enter(self, said: str, page: str) -> None:
        if self._open is None:
            self._open = Step(said, page, {}, {})
        self._depth += 1

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth or self._open is None:
            return
        step, self._open = self._open, None
        after = {page: self._choices.values(page) for page in step.before}
        changed = step.drew or (step.said and after != step.before)
        if changed and not self._is_replaying:
            self._record(replace(step, after=after))
        self._know(after)

    def _chosen(self, page: str, names: list[str]) -> None:
        before = self._known.get(page, {})
        if self._choices.values(page) == before:
            return
        if self._open is not None:
            seen = {page: before, **self._open.before}
            self._open = replace(self._open, before=seen)
        elif page in self._known and not self._quiet and not self._is_replaying:
            self._moved(page, names, before)
        self._know([page])

    def _moved(self, page: str, names: list[str], before: Mapping[str, Any]) -> None:
        after = {page: self._choices.values(page)}
        moved, when = self._last
        now = time.monotonic()
        is_drag = moved == (page, names) and now - when < DRAG_SECONDS
        if is_drag and self._past:
            self._past[-1] = replace(self._past[-1], after=after)
        else:
            label = self._choices.label(page, names[0])
            self._record(Step(label, page, {page: before}, after))
        self._last = ((page, names), now)

    def _draws(self, what: str, said: str) -> None:
        if self._is_replaying:
            return
        self._drawing = what
        if what == "done":
            self._enter(said, self._session.page)
            if self._open is not None:
                said = self._open.said or said
                self._open = replace(self._open, drew=True, said=said)
            return
        # By the drawing's own buttons: its last step, even if others came later.
        source, target = self._past, self._future
        if what == "redone":
            source, target = target, source
        drew = [step for step in source if step.drew]
        self._then = drew[-1] if drew else Step(said, "problem", {}, {}, drew=True)
        if drew:
            source.remove(drew[-1])
        target.append(self._then)
        self._is_replaying = True

    def _drawn(self) -> None:
        what, self._drawing = self._drawing, ""
        if what == "done":
            self._leave()
        elif what:
            self._choose(self._then.before if what == "undone" else self._then.after)

    def _record(self, step: Step) -> None:
        self._past = [*self._past, step][-MAX_STEPS:]
        self._future = []
        self._last = (None, 0.0)
        self._say()

    def _know(self, pages: Iterable[str]) -> None:
        for page in pages:
            self._known[page] = self._choices.values(page)

    def _say(self) -> None:
        self.param.update(
            undoes=self._past[-1].said if self._past else "",
            redoes=self._future[-1].said if self._future else "",
        )

    # ------------------------------------------------------------------- back and forth

    def forget(self) -> None:
        """Begin anew: there is nothing to take back."""
        self._past, self._future, self._last = [], [], (None, 0.0)
        self._say()

    def undo(self) -> None:
        """Take back what was done last, and show the page that it was done on."""
        if self._past:
            step = self._past.pop()
            self._future.append(step)
            self._replay(step, step.before, EditorState.undo)

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self._future:
            step = self._future.pop()
            self._past.append(step)
            self._replay(step, step.after, EditorState.redo)

    def _replay(
        self, step: Step, choices: Snapshot, draw: Callable[[EditorState], None]
    ) -> None:
        self._is_replaying = True
        if step.drew and self._editor is not None:
            draw(self._editor)
        self._choose(choices)
        self._session.page = step.page

    def _choose(self, choices: Snapshot) -> None:
        self._is_replaying = True
        for page, values in choices.items():
            self._choices.set(page, values)
        self._is_replaying = False
        self._know(self._choices.everything())
        self._last = (None, 0.0)
        self._say()
