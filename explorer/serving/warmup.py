"""What a process computes in advance, while nobody asks for anything."""

from __future__ import annotations

import threading
import time
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler

from ..compute.beside import use_processes
from ..compute.jobs import nobody_waits
from ..pages.frontier.queries import warm_frontier, warm_slider
from .memory import keep_out_of_collections, return_freed_memory

# Whoever starts a server and opens its page comes within the first of these seconds,
# and has the processor until the page is drawn.
COMES_SECONDS, OPENS_SECONDS = 2.0, 10.0


class Warmup(LifecycleHandler):
    """Has the first picture ready for whoever comes, and the trade-off's slider."""

    def __init__(self) -> None:
        super().__init__()
        self._is_visited = threading.Event()

    def on_server_loaded(self, server_context: Any) -> None:
        """Begin once this process serves: threads do not survive its fork."""
        threading.Thread(target=self._work, name="warmup", daemon=True).start()

    async def on_session_created(self, session_context: Any) -> None:
        """Leave the first picture to the page that is being opened."""
        self._is_visited.set()

    def _work(self) -> None:
        keep_out_of_collections()
        self._is_visited.wait(COMES_SECONDS)
        warm_frontier(goes_on=lambda: not self._is_visited.is_set())
        if self._is_visited.is_set():
            time.sleep(OPENS_SECONDS)
        use_processes()
        warm_slider(is_free=nobody_waits)
        return_freed_memory()
        keep_out_of_collections()
