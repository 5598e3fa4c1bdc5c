"""What a process computes in advance, while nobody asks for anything."""

from __future__ import annotations

import threading
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler

from ..compute import sandbox
from ..pages.frontier.warmup import warm_slider
from .memory import keep_out_of_collections, return_freed_memory


class Warmup(LifecycleHandler):
    """Has the trade-off's slider ready for whoever comes."""

    def on_server_loaded(self, server_context: Any) -> None:
        """Begin once this process serves: threads do not survive its fork."""
        threading.Thread(target=_work, name="warmup", daemon=True).start()


def _work() -> None:
    keep_out_of_collections()
    sandbox.start()
    warm_slider()
    return_freed_memory()
    keep_out_of_collections()
