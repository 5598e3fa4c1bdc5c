"""A click that meets a change on its way draws; one on what is gone harms none."""

from functools import partial
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.core.serialization import Buffer, Serialized
from bokeh.document import Document
from bokeh.models import Column, Div, Slider
from panel.io.server import async_execute
from panel.io.state import set_curdoc
from panel.models.esm import DataEvent

from explorer.serving.events import keep_living_events, prepare_events


@pytest.fixture
def page():
    keep_living_events()
    keep_living_events()
    document = Document()
    slider, gone = Slider(start=0, end=9, value=0), Div(text="")
    layout = Column(slider, gone)
    document.add_root(layout)
    layout.children = [slider]
    return document, slider, gone


def changed(model, attr, new):
    return {"kind": "ModelChanged", "model": {"id": model}, "attr": attr, "new": new}


@pytest.mark.parametrize("wrap", [dict, Serialized])
def test_a_move_beside_the_size_of_a_removed_figure_arrives(page, wrap):
    document, slider, gone = page
    events = [
        changed(gone.id, "text", "x"),
        changed(slider.id, "value", 5),
        changed("p-never-seen", "width", 3),
    ]
    document.apply_json_patch(wrap({"events": events}))
    assert slider.value == 5
    assert gone.text == ""


def test_nothing_but_what_is_gone_changes_nothing(page):
    document, slider, gone = page
    document.apply_json_patch({"events": [changed(gone.id, "text", "x")]})
    assert (slider.value, gone.text) == (0, "")


def test_a_model_that_the_message_itself_describes_is_known(page):
    document, slider, gone = page
    new = {"type": "object", "name": "Div", "id": "b7", "attributes": {"text": "a"}}
    document.apply_json_patch(
        {
            "events": [
                changed(document.roots[0].id, "children", [{"id": slider.id}, new]),
                changed("b7", "text", "b"),
                changed(gone.id, "text", "x"),
            ]
        }
    )
    assert [child.id for child in document.roots[0].children] == [slider.id, "b7"]
    assert document.models["b7"].text in ("a", "b")


def test_what_refers_to_an_event_left_out_is_left_out_too(page):
    document, slider, gone = page
    new = {"type": "object", "name": "Div", "id": "b8", "attributes": {}}
    document.apply_json_patch(
        {
            "events": [
                changed(gone.id, "children", [new]),
                changed("b8", "text", "b"),
                changed(slider.id, "value", 2),
            ]
        }
    )
    assert slider.value == 2


def test_bytes_beside_a_message_are_no_model():
    keep_living_events()
    document, slider, heard = Document(), Slider(start=0, end=9, value=0), []
    slider.on_event(DataEvent, lambda event: heard.append(event.data))
    document.add_root(slider)
    buffer = Buffer("p1", b"abc")
    data = {"type": "bytes", "data": {"id": buffer.id}}
    entries = [["model", {"id": slider.id}], ["data", data]]
    told = {
        "type": "event",
        "name": DataEvent.event_name,
        "values": {"type": "map", "entries": entries},
    }
    event = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": told}
    document.apply_json_patch(Serialized({"events": [event]}, [buffer]))
    assert heard == [b"abc"]


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
