"""Memory of what is gone, given back to the system."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

# Values of a table, from which on what is left over of it counts.
LARGE = 5_000_000


def give_back_memory() -> None:
    """Give back what is kept of arrays that are gone: of a million rows, a lot.

    By Arrow, and by the allocator, in pieces that the next large array does not fill.
    """
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    # Elsewhere than on Linux with glibc there is nothing to call.
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
