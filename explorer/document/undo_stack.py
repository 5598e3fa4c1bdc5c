"""One undo and redo for everything: snapshots in order, and which of them is now.

A step is whatever changed the drawing or the choices between two snapshots of both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import param

from .drawing import Drawing

MAX_STEPS = 300
# Megabytes that old drawings and tables may hold before the oldest are let go.
MAX_MEGABYTES = 512
# By page and name
Choices = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """How everything stood after a step, and what the step was."""

    drawing: Drawing
    choices: Choices = field(default_factory=dict)
    said: str = ""  # What was done, in a few words
    page: str = ""  # On which page
    touched: frozenset[str] = frozenset()  # Pages whose choices the step changed
    leads: str = ""  # To which page, if it turns one


@dataclass(frozen=True, eq=False)
class Timeline:
    """Snapshots in the order in which they were made; those after now were undone."""

    steps: tuple[Snapshot, ...]
    at: int = 0

    @property
    def now(self) -> Snapshot:
        """The snapshot that stands now."""
        return self.steps[self.at]

    def amended(self, snapshot: Snapshot) -> Timeline:
        """Return the timeline with another snapshot as now."""
        steps = (*self.steps[: self.at], snapshot, *self.steps[self.at + 1 :])
        return replace(self, steps=steps)

    def grown(self, snapshot: Snapshot) -> Timeline:
        """Return the timeline after another step; what was undone is gone."""
        steps = (*self.steps[: self.at + 1], snapshot)
        while len(steps) > 2 and _is_heavy(steps):
            steps = steps[1:]
        return Timeline(steps, len(steps) - 1)

    # ------------------------------------------------------------ the drawing by itself

    def _drew(self, k: int) -> bool:
        return self.steps[k].drawing is not self.steps[k - 1].drawing

    @property
    def last_drawn(self) -> int:
        """The last step so far that changed the drawing; 0 for none."""
        return next((k for k in range(self.at, 0, -1) if self._drew(k)), 0)

    @property
    def next_drawn(self) -> int:
        """The first step that was undone and changes the drawing; 0 for none."""
        later = range(self.at + 1, len(self.steps))
        return next((k for k in later if self._drew(k)), 0)

    def last_drawn_last(self) -> Timeline:
        """Return the timeline as if the drawing had been changed after all else."""
        k, at = self.last_drawn, self.at
        before, drawn = self.steps[k - 1 : k + 1]
        later = [
            _changed(step, drawn, before, drawn.touched)
            for step in self.steps[k + 1 : at + 1]
        ]
        moved = replace(drawn, drawing=self.now.drawing, choices=self.now.choices)
        steps = (*self.steps[:k], *later, moved, *self.steps[at + 1 :])
        return replace(self, steps=steps)

    def next_drawn_next(self) -> Timeline:
        """Return the timeline as if the drawing were the next to be changed."""
        k, at = self.next_drawn, self.at
        before, drawn = self.steps[k - 1 : k + 1]
        here, *between = (
            _changed(step, before, drawn, drawn.touched) for step in self.steps[at:k]
        )
        moved = replace(drawn, drawing=here.drawing, choices=here.choices)
        steps = (*self.steps[: at + 1], moved, *between, *self.steps[k + 1 :])
        return replace(self, steps=steps)


def _changed(
    step: Snapshot, before: Snapshot, after: Snapshot, pages: Iterable[str]
) -> Snapshot:
    """Return a snapshot as if what led from one to another had been done before it.

    A choice that is not what it was before stays as it is.
    """
    choices = dict(step.choices)
    for page in pages:
        old, new = before.choices.get(page, {}), after.choices.get(page, {})
        mine = choices.get(page, {})
        moved = {name for name in {*old, *new} if mine.get(name) != old.get(name)}
        gone = old.keys() - new.keys() - moved
        kept = {name: value for name, value in mine.items() if name not in gone}
        choices[page] = kept | {n: new[n] for n in new if n not in moved}
    return replace(step, drawing=after.drawing, choices=choices)


def _is_heavy(steps: Sequence[Snapshot]) -> bool:
    if len(steps) > MAX_STEPS:
        return True
    held: dict[int, float] = {}
    for step in steps:
        held |= _weights(step.drawing)
    return sum(held.values()) > MAX_MEGABYTES * 1e6


def _weights(drawing: Drawing) -> dict[int, float]:
    """Bytes of what a drawing holds, by identity: most of it is shared with others."""
    hypergraph = drawing.hypergraph
    nodes = hypergraph.n_components + hypergraph.n_features
    held = {
        id(hypergraph): 8.0 * hypergraph.incidence.nnz + 150.0 * nodes,
        id(drawing): 64.0 * nodes,
    }
    if drawing.table is not None:
        table = drawing.table
        held[id(table.dataset.X)] = float(table.dataset.X.nbytes)
        if table.reading is not None:
            held[id(table.reading.file)] = float(table.reading.file.n_bytes)
    return held


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
    def step(self, said: str) -> Iterator[None]:
        """Record what changes inside as one step, or as part of the one around it.

        To take it back brings the page to the front on which it was done; to do it
        again the one that it led to.
        """
        if self._is_open:
            yield
            return
        page = self.page()
        self._amend()
        self._is_open = True
        try:
            yield
        finally:
            self._is_open = False
            came = self.page()
            self._record(said, page, came if came != page else "")

    def moved(self, page: str, names: list[str], said: str) -> None:
        """Record that a person has moved some choices of a page, unless it is known.

        Moves of the same slider that follow each other closely are one step; what is
        ticked or pinned is one each time.
        """
        if self._is_open or self._quiet:
            return
        if page not in self._timeline.now.choices:
            self._amend()  # nobody has seen it before
            return
        # What comes with a move, and only with the first, makes it no other move.
        moved = (page, names[:1])
        (last, when), now = self._drag, time.monotonic()
        is_one = last == moved and now - when < DRAG_SECONDS
        if is_one and all(self._is_number(page, name) for name in names[:1]):
            self._amend()
        elif not self._record(said, page):
            return
        self._drag = (moved, now)

    def _is_number(self, page: str, name: str) -> bool:
        value = self.choices().get(page, {}).get(name)
        ends = value if isinstance(value, tuple) else (value,)
        is_switch = isinstance(value, bool)
        return not is_switch and all(isinstance(one, int | float) for one in ends)

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

    def _record(self, said: str, page: str, leads: str = "") -> bool:
        """Put how everything stands on top, if it stands otherwise than before."""
        last, drawing, choices = self._timeline.now, self._drawing(), self.choices()
        touched = _changed_pages(last.choices, choices)
        if not touched and drawing is last.drawing:
            return False
        now = Snapshot(drawing, choices, said, page, touched, leads)
        self._set(self._timeline.grown(now))
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
            following = timeline.steps[timeline.at + 1]
            self._forth(following.leads or following.page)

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
