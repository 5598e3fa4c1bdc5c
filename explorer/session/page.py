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
    """A page as built for one session.

    Parameters
    ----------
    main : viewable
        The page itself.
    controls : viewable
        Its controls, in the left column in the order in which one thinks.
    start : callable
        Called whenever the page comes to the front.
    state : param.Parameterized, optional
        What the page has been asked.
    link : mapping of str to str, optional
        What a link to the page restores: names in the link by parameter of the state.
    follow : callable, optional
        Told that a link within the app has set the state.
    restored : callable, optional
        Told that a session, or undo, has set all choices at once.
    """

    main: Any
    controls: Any
    start: Callable[[], None]
    state: Any = None
    link: Mapping[str, str] = field(default_factory=dict)
    follow: Callable[[], None] | None = None
    restored: Callable[[], None] | None = None


@dataclass(frozen=True)
class Page:
    """A page of the app.

    Parameters
    ----------
    name : str
        Its name in the URL.
    title : str
        Its name in the menu.
    icon : str
        Name of a Material icon.
    order : int
        Its place in the menu.
    build : callable
        Takes the session's context and returns the parts.
    state : type, optional
        Class of the page's state, to check choices before the page is built.
    kept : tuple of str, optional
        Its parameters that are a person's choices: kept in a session and undone. Those
        that others depend on stand first.
    """

    name: str
    title: str
    icon: str
    order: int
    build: Callable[[Context], PageParts]
    state: type[param.Parameterized] | None = None
    kept: tuple[str, ...] = ()
