"""Events of the browser: served with the page's lock, and without a false alarm."""

import warnings

from bokeh.util.warnings import BokehUserWarning
from panel.io.document import with_lock
from panel.reactive import Syncable

from .stale_events import keep_living_events


def prepare_events() -> None:
    """Let Panel serve events with the document's lock, even while a change waits.

    A click that comes while a widget's change still waits for its turn is served by a
    coroutine that Panel schedules without the lock, and the change with it. Whatever
    either then draws straight into a Bokeh model is refused ("_pending_writes should be
    non-None") and lost. Panel asks a scheduled coroutine for a mark of the lock, which
    `panel.io.document.with_lock` sets.

    The first event of a widget that was added to a page describes it to the server that
    has made it. Bokeh takes the one it knows, which is right, and warns.
    """
    if not hasattr(Syncable._event_coroutine, "lock"):
        Syncable._event_coroutine = with_lock(Syncable._event_coroutine)
    keep_living_events()
    warnings.filterwarnings(
        "ignore", message="reference already known", category=BokehUserWarning
    )
