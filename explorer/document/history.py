"""One undo stack: for the drawing, the matrix, what is loaded and what is generated."""

from __future__ import annotations

from dataclasses import dataclass

from .drawing import Drawing

__all__ = ["EditHistory"]

MAX_STEPS = 300
# Megabytes that old drawings and tables may hold before the oldest are let go.
MAX_MEGABYTES = 512


@dataclass(frozen=True)
class _Step:
    said: str
    drawing: Drawing


class EditHistory:
    """The drawings that there were, and those that were undone."""

    def __init__(self, drawing: Drawing) -> None:
        self._steps = [_Step("", drawing)]
        self._at = 0

    @property
    def drawing(self) -> Drawing:
        """The drawing of now."""
        return self._steps[self._at].drawing

    @property
    def undoes(self) -> str:
        """What undoing takes back; empty where there is nothing."""
        return self._steps[self._at].said if self._at else ""

    @property
    def redoes(self) -> str:
        """What redoing does again; empty where there is nothing."""
        after = self._at + 1
        return self._steps[after].said if after < len(self._steps) else ""

    def do(self, drawing: Drawing, said: str) -> None:
        """Put a drawing on top; what was undone is gone."""
        self._steps = [*self._steps[: self._at + 1], _Step(said, drawing)]
        while len(self._steps) > 2 and self._is_heavy():
            self._steps.pop(0)
        self._at = len(self._steps) - 1

    def undo(self) -> str:
        """Go back to the drawing before."""
        said = self.undoes
        self._at = max(0, self._at - 1)
        return said

    def redo(self) -> str:
        """Go forward to the drawing that was undone."""
        said = self.redoes
        self._at = min(self._at + 1, len(self._steps) - 1)
        return said

    def _is_heavy(self) -> bool:
        if len(self._steps) > MAX_STEPS:
            return True
        held = {}
        for step in self._steps:
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
        held[id(drawing.table.dataset.X)] = float(drawing.table.dataset.X.nbytes)
    return held
