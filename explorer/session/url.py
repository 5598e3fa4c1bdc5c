"""The address of the page: what it asks for at first, and what it says since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from solvers import ThriftscopeError
from solvers.datasets import all_datasets, dataset_is_here

from .context import Context
from .declared import link_names
from .link import (
    asked_by,
    open_asked,
    read_budget,
    read_link,
    read_page_link,
    write_link,
    write_page_link,
)
from .page import PageParts
from .saved_drawing import read_graph_text
from .state import FRAMES, opening_budget

ROWS_MADE_UP = (
    "The link carries what features cost and share, but not the rows of its table: the "
    "rows here are made up, and say nothing of that table; ask for the session file."
)
# Values of a link that are told to be left out, one by one.
MAX_TOLD = 4
# Names in a link of what every page learns from, and of what one page has of its own.
DATA = {"data", "g"}
OWN = {"network", "table", "scene"}


class PageUrl:
    """Keeps the address and the session in step.

    `pages`: names of the pages that there are.
    `location`: the browser's; None in a notebook, where nothing is linked.
    `tell`: takes what of a link did not fit.
    """

    def __init__(
        self,
        context: Context,
        pages: Collection[str],
        parts: Callable[[str], PageParts],
        location: Any,
        tell: Callable[[str], None],
    ) -> None:
        self._context, self._parts, self._location = context, parts, location
        self._pages, self._tell = pages, tell
        self._opened_with = (location.search or "") if location is not None else ""
        self._settle = context.settle()
        self._followed: dict[str, PageParts] = {}
        self._refused: list[str] = []

    @property
    def asks(self) -> dict[str, str]:
        """What the address asked for when the page was opened, by short name."""
        return asked_by(self._opened_with)

    def read(self) -> None:
        """Take what the address asks for, and keep it in step from now on."""
        if self._location is None:
            return
        session, frontier = self._context.session, self._parts("frontier").state
        for frame in FRAMES:
            if self.asks.get(frame) == "1":
                session.frame = frame
        refused = read_link(self._opened_with, session, frontier, self._pages)
        self._say(refused + self._draw(self.asks))
        names = link_names(type(frontier), everywhere=True)
        frontier.param.watch(self._write, [*names])
        session.param.watch(self._write, ["page", "dataset", "frame"])
        if "budget" in self.asks and "budget" in frontier.led:
            self._write()  # it stands where λ or the pick of the link puts it

    def override(self) -> None:
        """Take what the address asks for once more: it wins over what was kept."""
        session, asks = self._context.session, self.asks
        frontier = self._parts("frontier").state
        with self._context.undo_stack.step("Opened a link"):
            # Even where its rows are open: they may have been priced anew.
            open_asked(asks, session, anew=True)
            self._forget(asks)
            read_link(self._opened_with, session, frontier, self._pages)
            self._draw(asks)
            if session.page in self._followed:
                parts = self._followed[session.page]
                read_page_link(self._opened_with, parts.state, parts.link)
                if parts.follow is not None:
                    parts.follow()

    def follow(self, name: str, parts: PageParts) -> None:
        """Give a page what the address asks of it, and keep the two in step."""
        if not parts.link or self._location is None:
            return
        self._followed[name] = parts
        asked = self.asks.get("page")
        if name == (asked if asked in self._pages else "frontier"):
            self._say(read_page_link(self._opened_with, parts.state, parts.link))
        parts.state.param.watch(self._write, list(parts.link))

    def go(self, link: str) -> None:
        """Take what a link within the app asks for, and bring its page to the front."""
        session, asks = self._context.session, asked_by(link)
        with self._context.undo_stack.step("Followed a link"):
            parts = self._parts(asks["page"])
            open_asked(asks, session)
            self._forget(asks)
            refused = read_page_link(link, parts.state, parts.link)
            if parts.follow is not None:
                parts.follow()
            frontier = self._parts("frontier").state
            refused += read_link(link, session, frontier, self._pages)
            refused += self._draw(asks)
        self._refused.clear()
        self._tell("")
        self._say(refused)

    def _forget(self, asks: Mapping[str, str]) -> None:
        """Choose what a first visit opens with, where a link names what is learned.

        What it names alone then stands on the page, wherever the link is opened.
        """
        page = asks.get("page", "frontier")
        pages = {page} if {*asks} & (DATA | OWN) else set()
        if {*asks} & DATA:
            pages.add("frontier")
        for name in pages & {*self._pages}:
            state, data = type(self._parts(name).state), self._context.session.dataset
            first = state(**({"dataset": data} if "dataset" in state.param else {}))
            names = link_names(state) | link_names(state, everywhere=True)
            fresh = {each: getattr(first, each) for each in names}
            if name == "frontier":
                fresh["budget"] = opening_budget(data)
            self._context.choices.set(name, fresh)

    def _say(self, refused: list[str]) -> None:
        """Tell what of a link was left out: the first few, and how many more."""
        if not refused:
            return
        self._refused += refused
        more = len(self._refused) - MAX_TOLD
        others = f" So are {more} more of its values." if more > 0 else ""
        self._tell(" ".join(self._refused[:MAX_TOLD]) + others)

    def _draw(self, asks: Mapping[str, str]) -> list[str]:
        """Draw the hypergraph of the link: over its data set, or with rows made up."""
        text = asks.get("g")
        if text is None:
            return []
        try:
            hypergraph = read_graph_text(text)
        except ThriftscopeError as error:
            return [str(error)]
        name = asks.get("data")
        is_on_data = name in all_datasets() and dataset_is_here(name)
        self._context.problem.open_hypergraph(
            hypergraph, "Opened a link", make_up=not is_on_data
        )
        refused = self._context.problem.editor.refused
        if not refused:
            frontier = self._parts("frontier").state
            read_budget(asks, self._context.session, frontier)
        if not refused and not is_on_data:
            refused = ROWS_MADE_UP
        return [refused] if refused else []

    def _write(self, *_: Any) -> None:
        self._settle(self._write_now)

    def _write_now(self) -> None:
        session = self._context.session
        link = write_link(session, self._parts("frontier").state)
        link += f"&{session.frame}=1" if session.frame else ""
        if session.page in self._followed:
            parts = self._followed[session.page]
            link += write_page_link(parts.state, parts.link)
        self._location.search = link
