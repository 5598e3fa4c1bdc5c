"""Processes that end with the one that has started them, however that ends."""

import os
import threading
import time

LOOK_SECONDS = 0.5


def end_with_parent(parent: int) -> None:
    """End this process soon after its parent has ended, if by a kill.

    `parent`: its process id, as the parent knows it: it may have ended by now.

    Whose parent is gone is given another one by every POSIX system. Windows does not
    say so: there nothing happens.
    """
    if os.name == "posix":
        watch = threading.Thread(
            target=_watch, args=(parent,), name="orphan", daemon=True
        )
        watch.start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)
