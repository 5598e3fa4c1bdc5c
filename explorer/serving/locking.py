"""Every event of the browser holds its page's lock, whatever it meets."""

from panel.io.document import with_lock
from panel.reactive import Syncable

__all__ = ["lock_events"]


def lock_events() -> None:
    """Let Panel serve events with the document's lock, even while a change waits.

    A click that comes while a widget's change still waits for its turn is served by a
    coroutine that Panel schedules without the lock, and the change with it. Whatever
    either then draws straight into a Bokeh model is refused ("_pending_writes should be
    non-None") and lost. Panel asks a scheduled coroutine for a mark of the lock, which
    `panel.io.document.with_lock` sets.
    """
    if not hasattr(Syncable._event_coroutine, "lock"):
        Syncable._event_coroutine = with_lock(Syncable._event_coroutine)
