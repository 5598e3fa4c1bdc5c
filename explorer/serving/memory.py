"""What a server need not keep while many pages are open."""

import gc
import threading
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler
from bokeh.core.property.wrappers import PropertyValueContainer
from bokeh.document import Document

from solvers.datasets.freed_memory import give_back_memory

# Pages are often closed together: memory is given back once for all of them.
TIDY_SECONDS = 5.0


def drop_empty_defaults(document: Document) -> None:
    """Let go of the empty lists and dicts that serialising a page has left behind.

    Bokeh makes an observed container for every default that it looks at, some two
    dozen a model, and keeps them for as long as the model lives: two megabytes of a
    page. Whoever asks for one again gets a new one.
    """
    for model in document.models:
        kept = model._unstable_default_values
        for name, value in list(kept.items()):
            if isinstance(value, PropertyValueContainer) and not value:
                del kept[name]


def return_freed_memory() -> None:
    """Give back to the system what is free: of use once, after much was computed."""
    gc.collect()
    give_back_memory()


def keep_out_of_collections() -> None:
    """Have the collector look no more at what is there by now, modules above all.

    Panel collects after each session, on the page's thread: looking through all that a
    server has loaded would stop everybody's sliders for a third of a second each time.
    """
    gc.freeze()


class MemoryTrim(LifecycleHandler):
    """Gives memory back after sessions have ended.

    The allocator keeps what a page has freed, in pieces that the next page does not
    fill: a server that opens and closes pages all day would seem to grow.
    """

    def __init__(self) -> None:
        super().__init__()
        self._timer: threading.Timer | None = None

    async def on_session_destroyed(self, session_context: Any) -> None:
        """Give back what it has freed, a while later and on another thread."""
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(TIDY_SECONDS, give_back_memory)
            self._timer.daemon = True
            self._timer.start()
