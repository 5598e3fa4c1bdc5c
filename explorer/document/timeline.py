"""What a person did, as snapshots in order, and which of them is now: pure values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
