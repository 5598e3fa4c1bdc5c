"""The scalar choices of every page, whether the page has been built yet or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import param

from solvers import ThriftscopeError

from ..document.undo_stack import UndoStack
from .declared import OPEN_PANELS
from .state import SessionState

Values = Mapping[str, Any]


class Choices:
    """What a person has chosen on each page, by page and name.

    A page that has not been visited has no state; its choices wait for it.
    """

    def __init__(self) -> None:
        self._states: dict[str, tuple[param.Parameterized, tuple[str, ...]]] = {}
        self._told: dict[str, Callable[[], None] | None] = {}
        self._waiting: dict[str, dict[str, Any]] = {}
        # Told the page and the names that have changed.
        self.listeners: list[Callable[[str, list[str]], None]] = []

    def adopt(
        self,
        page: str,
        state: param.Parameterized,
        names: Sequence[str],
        restored: Callable[[], None] | None = None,
    ) -> None:
        """Follow the state of a page, and give it what has waited for it.

        `names`: the parameters that count as choices, those that others depend on
        first.
        `restored`: told whenever `set` has chosen: what is computed of one choice must
        not choose the others anew.
        """
        self._states[page], self._told[page] = (state, tuple(names)), restored
        self.set(page, self._waiting.pop(page, {}))
        state.param.watch(
            lambda *events: self._tell(page, [event.name for event in events]),
            list(names),
        )
        self._tell(page, list(names))

    def values(self, page: str) -> dict[str, Any]:
        """Return the choices of a page.

        Empty where nothing has been chosen.
        """
        if page not in self._states:
            return dict(self._waiting.get(page, {}))
        state, names = self._states[page]
        return {name: _copied(getattr(state, name)) for name in names}

    def everything(self) -> dict[str, dict[str, Any]]:
        """Return the choices of all pages, by page."""
        found = {page: self.values(page) for page in [*self._states, *self._waiting]}
        return {page: values for page, values in found.items() if values}

    def is_followed(self, page: str) -> bool:
        """Return whether a page has a state yet."""
        return page in self._states

    def led(self, page: str) -> Sequence[str]:
        """Return the choices that stand where others lead them: nobody moves them."""
        state, _ = self._states.get(page, (None, ()))
        return getattr(state, "led", ())

    def set(self, page: str, values: Values) -> None:
        """Choose for a page; what its state does not take stays as it was."""
        if page not in self._states:
            self._waiting[page] = dict(values)
            self._tell(page, [*values])
            return
        state, names = self._states[page]
        # One after the other: a source is chosen before what is asked of it.
        for name in names:
            if name in values and getattr(state, name) != values[name]:
                _try(state, name, values[name])
        told = self._told[page]
        if values and told is not None:
            told()

    def label(self, page: str, name: str) -> str:
        """Return what a choice is called."""
        if page not in self._states:
            return name
        return str(self._states[page][0].param[name].label)

    def _tell(self, page: str, names: list[str]) -> None:
        for listener in self.listeners:
            listener(page, names)


def record_choices(
    undo_stack: UndoStack, session: SessionState, choices: Choices
) -> None:
    """Count the choices of all pages among what can be undone."""

    def moved(page: str, names: list[str]) -> None:
        alone = {OPEN_PANELS, *choices.led(page)}
        moved_names = [name for name in names if name not in alone]
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


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, list | dict) else value


def _try(state: param.Parameterized, name: str, value: Any) -> None:
    try:
        setattr(state, name, _copied(value))
    except (ThriftscopeError, ValueError):
        return  # it no longer fits, as a network's target that is not there any more
