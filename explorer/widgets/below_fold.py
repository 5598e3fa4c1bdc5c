"""What stands below the fold is made when it is scrolled to, or nobody waits."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import panel as pn
import param
from panel.custom import JSComponent

from ..compute.jobs import Post
from .assets import asset

# Bokeh walks over the whole page for each change: a few frames share one.
AT_ONCE = 3
# A server that computed for less than this share of the time has nothing else to do.
LOOK_SECONDS, IDLE_SHARE = 0.3, 0.3


class BelowFold(JSComponent):
    """Where the fold of a page is: what is posted here waits until that is in sight.

    It does not wait longer than until this process is idle, for those who read a page
    without scrolling it. Where no server is asked, it does not wait.
    """

    in_sight = param.Boolean(default=False, doc="Whether the browser has shown it.")

    _esm = asset("below_fold.js")

    def __init__(self, post: Post, **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", height=1, margin=0, **params)
        self._post = post
        self._document = pn.state.curdoc
        self._waiting: deque[Callable[[], None]] = deque()
        self._computed = 0.0  # Processor seconds of this process, when last looked at
        self.param.watch(lambda _: self._make_all(), "in_sight")

    def post(self, make: Callable[[], None]) -> None:
        """Call back later."""
        document = self._document
        is_served = document is not None and document.session_context is not None
        if self.in_sight or not is_served:
            self._post(make)
            return
        self._waiting.append(make)
        if len(self._waiting) == 1:
            self._post(self._look_later)

    def _look_later(self) -> None:
        self._computed = time.process_time()
        # The document of a session that has ended has lost what takes callbacks.
        with suppress(AttributeError):
            self._document.add_timeout_callback(self._look, int(1000 * LOOK_SECONDS))

    def _look(self) -> None:
        if not self._waiting:
            return
        if time.process_time() - self._computed < IDLE_SHARE * LOOK_SECONDS:
            # Here and now, so that other pages that look see a server at work.
            self._make_some()
        self._look_later()

    def _make_all(self) -> None:
        for _ in range(0, len(self._waiting), AT_ONCE):
            self._post(self._make_some)

    def _make_some(self) -> None:
        with self._document.models.freeze():
            for _ in range(min(AT_ONCE, len(self._waiting))):
                self._waiting.popleft()()
