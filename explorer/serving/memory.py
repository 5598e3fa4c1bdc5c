"""What a server need not keep while many pages are open."""

import ctypes
import gc
from contextlib import suppress

from bokeh.core.property.wrappers import PropertyValueContainer
from bokeh.document import Document

__all__ = ["drop_empty_defaults", "return_freed_memory"]


def drop_empty_defaults(document: Document) -> None:
    """Let go of the empty lists and dicts that serialising a page has left behind.

    Bokeh makes an observed container for every default that it looks at, some two
    dozen a model, and keeps them for as long as the model lives: two megabytes of a
    page. Whoever asks for one again gets a new one.

    Parameters
    ----------
    document : Document
        The page, after it has been sent.
    """
    for model in document.models:
        kept = model._unstable_default_values
        for name, value in list(kept.items()):
            if isinstance(value, PropertyValueContainer) and not value:
                del kept[name]


def return_freed_memory() -> None:
    """Give back to the system what is free: of use once, after much was computed."""
    gc.collect()
    # Elsewhere than on Linux with glibc there is nothing to call.
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
