"""Which parts of an accordion are open: kept in the state, so that links carry it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import param

__all__ = ["bind_folds"]


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
