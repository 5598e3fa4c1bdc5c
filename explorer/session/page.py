"""What a page is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import param

if TYPE_CHECKING:
    from .context import Context

__all__ = ["Page", "PageParts"]


@dataclass(frozen=True)
class PageParts:
    """A page as built for one session."""

    main: Any  # The page itself
    controls: Any  # Its controls, in the left column in the order in which one thinks
    start: Callable[[], None]  # Called whenever the page comes to the front
    state: Any = None  # What the page has been asked
    # What a link to the page restores: names in the link by parameter of the state
    link: Mapping[str, str] = field(default_factory=dict)
    # Told that a link within the app has set the state
    follow: Callable[[], None] | None = None
    # Told that a session, or undo, has set all choices at once
    restored: Callable[[], None] | None = None


@dataclass(frozen=True)
class Page:
    """A page of the app."""

    name: str  # Its name in the URL
    title: str  # Its name in the menu
    icon: str  # Name of a Material icon
    order: int  # Its place in the menu
    # Takes the session's context and returns the parts
    build: Callable[[Context], PageParts]
    # Class of the page's state, to check choices before the page is built
    state: type[param.Parameterized] | None = None
    # Its parameters that are a person's choices: kept in a session and undone. Those
    # that others depend on stand first.
    kept: tuple[str, ...] = ()
