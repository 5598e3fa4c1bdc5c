"""The address of the page: what it asks for at first, and what it says since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solvers import ThriftscopeError
from solvers.datasets import all_datasets

from .context import Context
from .declared import link_names
from .graph_link import read_graph_text
from .link import asked_by, read_link, read_page_link, write_link, write_page_link
from .page import PageParts

__all__ = ["PageUrl"]


class PageUrl:
    """Keeps the address and the session in step.

    `location`: the browser's; None in a notebook, where nothing is linked.
    """

    def __init__(
        self, context: Context, parts: Callable[[str], PageParts], location: Any
    ) -> None:
        self._context, self._parts, self._location = context, parts, location
        self._opened_with = (location.search or "") if location is not None else ""
        self._settle = context.settle()
        self._followed: dict[str, PageParts] = {}

    @property
    def asks(self) -> dict[str, str]:
        """What the address asked for when the page was opened, by short name."""
        return asked_by(self._opened_with)

    def read(self) -> str:
        """Take what the address asks for, and keep it in step from now on."""
        if self._location is None:
            return ""
        session, frontier = self._context.session, self._parts("frontier").state
        read_link(self._opened_with, session, frontier)
        refused = self._draw(self.asks)
        names = link_names(type(frontier), everywhere=True)
        frontier.param.watch(self._write, [*names])
        session.param.watch(self._write, ["page", "dataset"])
        return refused

    def override(self) -> None:
        """Take what the address asks for once more: it wins over what was kept."""
        session, asks = self._context.session, self.asks
        with self._context.undo_stack.step("Opened a link", session.page):
            if asks.get("data") in all_datasets():
                session.open_bundled(asks["data"])
            read_link(self._opened_with, session, self._parts("frontier").state)
            self._draw(asks)
            if session.page in self._followed:
                parts = self._followed[session.page]
                read_page_link(self._opened_with, parts.state, parts.link)

    def follow(self, name: str, parts: PageParts) -> None:
        """Give a page what the address asks of it, and keep the two in step."""
        if not parts.link or self._location is None:
            return
        self._followed[name] = parts
        if self.asks.get("page", "frontier") == name:
            read_page_link(self._opened_with, parts.state, parts.link)
        parts.state.param.watch(self._write, list(parts.link))

    def go(self, link: str) -> str:
        """Take what a link within the app asks for, and bring its page to the front."""
        session, asks = self._context.session, asked_by(link)
        with self._context.undo_stack.step("Followed a link", session.page):
            parts = self._parts(asks["page"])
            read_page_link(link, parts.state, parts.link)
            if parts.follow is not None:
                parts.follow()
            read_link(link, session, self._parts("frontier").state)
            return self._draw(asks)

    def _draw(self, asks: Mapping[str, str]) -> str:
        """Draw the hypergraph of the link: over its data set, or with rows made up."""
        text = asks.get("g")
        if text is None:
            return ""
        try:
            hypergraph = read_graph_text(text)
        except ThriftscopeError as error:
            return str(error)
        is_on_data = asks.get("data") in all_datasets()
        self._context.problem.open_hypergraph(
            hypergraph, "Opened a link", make_up=not is_on_data
        )
        return self._context.problem.editor.refused

    def _write(self, *_: Any) -> None:
        self._settle(self._write_now)

    def _write_now(self) -> None:
        session = self._context.session
        link = write_link(session, self._parts("frontier").state)
        if session.page in self._followed:
            parts = self._followed[session.page]
            link += write_page_link(parts.state, parts.link)
        self._location.search = link
