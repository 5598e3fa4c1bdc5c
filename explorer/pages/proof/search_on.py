"""How far a search has come, in words, with a button that goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel as pn

from ...compute.jobs import Job
from ...widgets.controls import button
from ...widgets.markup import markup
from ...widgets.parts import wide_row
from ...widgets.text import plain

__all__ = ["search_on"]


def search_on(
    job: Job,
    found: Sequence[Any],
    told: Callable[[], str],
    is_open: Callable[[], bool],
    go_on: Callable[[], None],
) -> Any:
    """Return a row for the search that a job runs.

    `found`: the parameters of the state on which it hangs how far that is.
    `told`: says it; `is_open`: whether more time could find more.
    """

    def may_go_on(busy: bool, *_: object) -> bool:
        return is_open() and not busy

    visible = pn.bind(may_go_on, job.param.busy, *found)
    look = {"variant": "text", "margin": 0, "visible": visible}
    on = button("Search on", go_on, small=True, **look)
    words = pn.bind(lambda *_: plain(told()), *found)
    return wide_row(markup(words, margin=(0, 12)), on, min_height=30)
