"""What a page's state declares of a choice: its name in a link, and what is kept.

A state says it where the parameter stands, once:

>>> import param
>>> class State(param.Parameterized):
...     files = param.List(metadata=kept())
...     alpha = param.Number(0.1, metadata=linked("lambda", everywhere=True))
...     figure = param.String("2", metadata=linked("figure", is_kept=False))
...     answer = param.Parameter()
>>> link_names(State), link_names(State, everywhere=True), kept_names(State)
({'figure': 'figure'}, {'alpha': 'lambda'}, ('files', 'alpha'))
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import param

__all__ = ["LinkedDict", "kept", "kept_names", "link_names", "linked"]


def linked(
    name: str, *, everywhere: bool = False, is_kept: bool = True
) -> dict[str, Any]:
    """Return the metadata of a choice that a link restores.

    `name`: its short name in the link.
    `everywhere`: whether it stands in the links to all pages, not to its own alone.
    `is_kept`: whether it is kept in a session and undone, too.
    """
    return {"link": name, "everywhere": everywhere, "kept": is_kept}


def kept() -> dict[str, Any]:
    """Return the metadata of a choice that is kept and undone, but in no link."""
    return {"link": None, "everywhere": False, "kept": True}


def link_names(
    state: type[param.Parameterized], *, everywhere: bool = False
) -> dict[str, str]:
    """Return the names in the link of a state's choices, by parameter.

    `everywhere`: those in every link instead of those in links to the page alone.
    """
    return {
        name: told["link"]
        for name, told in _declared(state)
        if told["link"] is not None and told["everywhere"] == everywhere
    }


def kept_names(state: type[param.Parameterized]) -> tuple[str, ...]:
    """Return the choices that are kept and undone, in the order of declaration."""
    return tuple(name for name, told in _declared(state) if told["kept"])


def _declared(
    state: type[param.Parameterized],
) -> Iterator[tuple[str, dict[str, Any]]]:
    # A class before what it inherits: a state puts what others depend on first.
    for owner in state.__mro__:
        for name, parameter in vars(owner).items():
            if isinstance(parameter, param.Parameter) and parameter.metadata:
                yield name, parameter.metadata


class LinkedDict(param.Dict):
    """Choices by name that a link restores; it says how they are written there."""

    @abstractmethod
    def to_text(self, values: dict[str, Any]) -> str:
        """Return values as they stand in a link."""

    @abstractmethod
    def from_text(self, text: str) -> dict[str, Any] | None:
        """Return what of somebody's text fits; None where nothing does."""
