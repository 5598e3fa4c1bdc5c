"""Panels that open and close; which are open is in the state, so in links too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import isroutine
from typing import Any

import param
from panel.custom import JSComponent
from panel.viewable import Viewer

from .assets import asset
from .parts import wide_column


class FoldHead(JSComponent):
    """A heading with a button that says whether what it heads is open."""

    title = param.String(default="", doc="Of the panel.")
    level = param.Integer(default=2, bounds=(2, 3), doc="Of the heading.")
    is_open = param.Boolean(default=False, doc="Whether the panel is open.")
    holds = param.List(default=[], item_type=str, doc="Headings that stand in it.")

    _esm = asset("fold.js")


class Fold(Viewer):
    """A panel that is closed until somebody asks; what is closed is not sent.

    Plain columns: an accordion of the template mounts what it holds before that has a
    size, and a Bokeh figure which is first measured there never finds its own.

    `content`: what it holds, or a function that makes that when it is first opened.
    `state`, `name`: where it is kept whether the panel is open, and under which name.
    `holds`: headings in it, for links that lead there; and names of panels in it: it
    is opened with them.
    `column`: what it lies in, its head first.
    """

    is_open = param.Boolean(default=False)

    def __init__(
        self,
        title: str,
        content: Any,
        state: param.Parameterized,
        name: str,
        *,
        level: int = 2,
        holds: Sequence[str] = (),
    ) -> None:
        within = {name, *holds}
        super().__init__(is_open=not within.isdisjoint(state.unfolded))
        self._content, self._state, self._name = content, state, name
        self._head = FoldHead(
            title=title,
            level=level,
            is_open=self.is_open,
            holds=[*holds],
            sizing_mode="stretch_width",
            margin=0,
        )
        self.column = wide_column(self._head)
        self._head.param.watch(lambda event: self._set(event.new), "is_open")

        def follow(event: param.parameterized.Event) -> None:
            has_come = within & ({*event.new} - {*event.old})
            self._set(name in event.new or bool(has_come))

        state.param.watch(follow, "unfolded")
        self.param.watch(lambda _: self._show(), "is_open")
        self._show()

    def __panel__(self) -> Any:
        return self.column

    def _set(self, is_open: bool) -> None:
        self.is_open = is_open

    def _show(self) -> None:
        is_open, state, name = self.is_open, self._state, self._name
        self._head.is_open = is_open
        if is_open and isroutine(self._content):
            self._content = self._content()
        self.column[1:] = [self._content] if is_open else []
        if is_open != (name in state.unfolded):
            others = [one for one in state.unfolded if one != name]
            state.unfolded = [*others, name] if is_open else others


def unfold(state: param.Parameterized, name: str) -> None:
    """Open a panel that a state keeps, unless it is open."""
    if name not in state.unfolded:
        state.unfolded = [*state.unfolded, name]


def bind_folds(
    accordion: Any, state: param.Parameterized, names: Callable[[], Sequence[str]]
) -> None:
    """Keep an accordion and the names in the state's `unfolded` in step, both ways.

    `names`: returns what the parts of the accordion are called there, in their order;
    other names are of other accordions and stay as they are.
    """

    def to_state(*_: Any) -> None:
        known = names()
        is_open = [known[at] for at in accordion.active if at < len(known)]
        others = [name for name in state.unfolded if name not in known]
        if {*others, *is_open} != {*state.unfolded}:
            state.unfolded = [*others, *is_open]

    def to_accordion(*_: Any) -> None:
        active = [at for at, name in enumerate(names()) if name in state.unfolded]
        if active != sorted(accordion.active):
            accordion.active = active

    accordion.param.watch(to_state, "active")
    state.param.watch(to_accordion, "unfolded")
    to_accordion()
