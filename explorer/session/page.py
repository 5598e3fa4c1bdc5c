"""What a page is, and what the pages of one session have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import param

from .declared import kept_names, link_names

if TYPE_CHECKING:
    from ..compute.query import Asker, Query
    from .context import Context


@dataclass(frozen=True)
class PageParts:
    """A page as built for one session."""

    main: Any  # The page itself
    # Makes what is set once, in the drawer at the right, when that is first opened
    tuned: Callable[[], Any]
    start: Callable[[], None]  # Called whenever the page comes to the front
    state: Any = None  # What the page has been asked
    tuned_as: str = "Tune"  # What the drawer is called
    # Told that a link within the app has set the state
    follow: Callable[[], None] | None = None
    # Told that a session, or undo, has set all choices at once
    restored: Callable[[], None] | None = None

    @property
    def link(self) -> dict[str, str]:
        """What a link to the page restores: names in the link by parameter."""
        return {} if self.state is None else link_names(type(self.state))


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
    # What it asks, to be shown while it comes
    question: str = ""
    # What it asks about where that is not the open problem, to stand in the bar
    subject: str = ""

    @property
    def kept(self) -> tuple[str, ...]:
        """The parameters of its state that are kept in a session and undone."""
        return () if self.state is None else kept_names(self.state)


def is_another_table(event: Any) -> bool:
    """Return whether rows came, not other prices of the same: pages turn to them."""
    return event.old is None or event.new.y is not event.old.y


class SessionPage(ABC):
    """The page of one session: lays out its views and starts what they show.

    A page that derives sets its `state`, says how it looks in `_main` and `_tuned`,
    and computes in `start`.
    """

    name: ClassVar[str]  # Its name in the URL
    question: ClassVar[str]  # What it asks, in one sentence
    tuned_as: ClassVar[str] = "Tune"  # What the drawer at the right is called
    state: Any

    def __init__(self, context: Context) -> None:
        self.context = context
        self._askers: list[Asker] = []

    @classmethod
    def page(
        cls,
        title: str,
        icon: str,
        order: int,
        state: type[param.Parameterized],
        subject: str = "",
    ) -> Page:
        """Return it as the menu has it."""

        def build(context: Context) -> PageParts:
            return cls(context).parts()

        return Page(cls.name, title, icon, order, build, state, cls.question, subject)

    def parts(self) -> PageParts:
        """Return the page, its drawer, what starts it and what a link restores."""
        return PageParts(
            self._main(), cache(self._tuned), self.start, self.state, self.tuned_as
        )

    def start(self) -> None:
        """Compute what is not there yet, whenever the page comes to the front."""
        for asker in self._askers:
            asker.catch_up()

    def _asks(
        self,
        query: Query,
        is_turn: Callable[[], bool] = lambda: True,
        then: Callable[[], None] = lambda: None,
    ) -> Asker:
        """Ask a query of the page's state from now on, while the page is in front.

        `is_turn`: whether what it builds on is there; `then`: as of `Asker`.
        """
        asker = self.context.asker(
            query,
            self.state,
            is_in_front=lambda: self._is_in_front and is_turn(),
            then=then,
        )
        self._askers.append(asker)
        return asker

    def _asks_about(self, title: str) -> None:
        """Let the bar say what else the page asks about; empty for the open problem."""
        said = f"not asked about here: this page asks about {title}" if title else ""
        session = self.context.session
        session.subjects = {**session.subjects, self.name: said}

    @property
    def _is_in_front(self) -> bool:
        """Whether it is seen: otherwise `start` catches up, and edits do not wait."""
        return self.context.session.page == self.name

    def _made(self, **kinds: Callable[..., Any]) -> dict[str, Any]:
        """Return one view of the page's state of each kind, in the session's theme."""
        dark = self.context.session.param.dark
        return {name: kind(state=self.state, dark=dark) for name, kind in kinds.items()}

    @abstractmethod
    def _main(self) -> Any:
        """Return the page itself."""

    @abstractmethod
    def _tuned(self) -> Any:
        """Return what is set once, in the drawer at the right."""
