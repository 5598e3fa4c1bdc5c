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
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import unquote

import param

OPEN_PANELS = "unfolded"


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


def _declared(state: type[param.Parameterized]) -> Iterator[tuple[str, dict[str, Any]]]:
    # A class before what it inherits: a state puts what others depend on first.
    for owner in state.__mro__:
        for name, parameter in vars(owner).items():
            if isinstance(parameter, param.Parameter) and parameter.metadata:
                yield name, parameter.metadata


class LinkText(param.Parameter):
    """A parameter that says how its value is written in a link."""

    allowed: ClassVar[str]  # What it may be, for people

    @abstractmethod
    def to_text(self, value: Any) -> str:
        """Return a value as it stands in a link."""

    @abstractmethod
    def from_text(self, text: str) -> tuple[Any, bool]:
        """Return what of somebody's text fits, and whether all of it does.

        Raises ValueError where nothing does.
        """


class Names(param.List, LinkText):
    """Names in an order, whatever they are made of."""

    allowed = "names, with commas between"

    def to_text(self, value: list[str]) -> str:
        """Return names as they stand in a link."""
        return ",".join(map(_quoted, value))

    def from_text(self, text: str) -> tuple[list[str], bool]:
        """Return the names of a text."""
        return [unquote(name) for name in text.split(",")] if text else [], True


def open_panels(doc: str) -> Any:
    """Return the choice of which panels of a page are open, for `widgets.folds`.

    A state calls it `OPEN_PANELS`. It is kept, and not undone: to open a panel is to
    look. `doc`: which panels there are.
    """
    return Names(
        default=[], item_type=str, label="Open panels", doc=doc, metadata=linked("open")
    )


class NamedNumbers(param.Dict, LinkText):
    """Numbers by name."""

    allowed = "numbers by name, as in a:1,b:2.5"

    def to_text(self, value: Mapping[str, float]) -> str:
        """Return numbers as they stand in a link."""
        return ",".join(f"{_quoted(key)}:{number}" for key, number in value.items())

    def from_text(self, text: str) -> tuple[dict[str, float], bool]:
        """Return the numbers of a text."""
        items = [item.rpartition(":") for item in text.split(",") if item]
        return {unquote(key): float(number) for key, _, number in items}, True


def _quoted(name: str) -> str:
    """Return a name without what stands between names."""
    return name.replace("%", "%25").replace(",", "%2C")
