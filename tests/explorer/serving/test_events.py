"""A click that meets a change on its way draws with the page's lock."""

from functools import partial
from types import SimpleNamespace

import panel as pn
from panel.io.server import async_execute
from panel.io.state import set_curdoc

from explorer.serving.events import prepare_events


def scheduled_for(widget):
    """What a document is given to run when an event has to wait."""
    given = []
    document = SimpleNamespace(
        session_context=object(), add_next_tick_callback=given.append
    )
    with set_curdoc(document):
        async_execute(partial(widget._event_coroutine, document, None))
    (callback,) = given
    return callback


def test_an_event_that_had_to_wait_runs_with_the_lock():
    prepare_events()
    prepare_events()
    # Bokeh locks the document for every callback that does not carry this mark.
    assert not getattr(scheduled_for(pn.widgets.Button(label="Go")), "nolock", False)
