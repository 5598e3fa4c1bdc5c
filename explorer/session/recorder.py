"""Tells the undo stack what a person chooses, and chooses what it takes back."""

from __future__ import annotations

from collections.abc import Mapping

from ..document.undo_stack import UndoStack
from .choices import Choices, Values
from .state import SessionState

__all__ = ["record_choices"]


def record_choices(
    undo_stack: UndoStack, session: SessionState, choices: Choices
) -> None:
    """Count the choices of all pages among what can be undone."""

    def moved(page: str, names: list[str]) -> None:
        undo_stack.moved(page, names, choices.label(page, names[0]) if names else "")

    def choose(again: Mapping[str, Values], page: str) -> None:
        for name, values in again.items():
            choices.set(name, values)
        session.page = page or session.page

    undo_stack.choices, undo_stack.choose = choices.everything, choose
    undo_stack.page = lambda: session.page
    choices.listeners.append(moved)
