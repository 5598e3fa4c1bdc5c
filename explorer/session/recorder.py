"""Tells the undo stack what a person chooses, and chooses what it takes back."""

from __future__ import annotations

from collections.abc import Mapping

from ..document.undo_stack import UndoStack
from .choices import Choices, Values
from .declared import OPEN_PANELS
from .state import SessionState

__all__ = ["record_choices"]


def record_choices(
    undo_stack: UndoStack, session: SessionState, choices: Choices
) -> None:
    """Count the choices of all pages among what can be undone."""

    def moved(page: str, names: list[str]) -> None:
        moved_names = [name for name in names if name != OPEN_PANELS]
        if moved_names or not names:
            label = choices.label(page, moved_names[0]) if moved_names else ""
            undo_stack.moved(page, moved_names, label)

    def undone() -> dict[str, Values]:
        """Return all that is chosen, but for the panels that are open."""
        return {
            page: {name: one for name, one in values.items() if name != OPEN_PANELS}
            for page, values in choices.everything().items()
        }

    def choose(again: Mapping[str, Values], page: str) -> None:
        for name, values in again.items():
            choices.set(name, values)
        session.page = page or session.page

    undo_stack.choices, undo_stack.choose = undone, choose
    undo_stack.page = lambda: session.page
    choices.listeners.append(moved)
