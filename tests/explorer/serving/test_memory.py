"""What a server lets go of changes nothing that anybody can see."""

import asyncio
import gc

from bokeh.document import Document
from bokeh.models import ColumnDataSource, LinearAxis
from bokeh.plotting import figure

from explorer.serving import memory
from explorer.serving.memory import drop_empty_defaults, keep_out_of_collections


def page():
    plot = figure(tags=["kept"])
    plot.scatter("x", "x", source=ColumnDataSource({"x": [1.0]}))
    document = Document()
    document.add_root(plot)
    return document, plot


def values(document):
    return {model.id: model.properties_with_values() for model in document.models}


def test_a_page_reads_as_before():
    document, plot = page()
    before = values(document)
    kept = {model.id for model in document.models}
    drop_empty_defaults(document)
    assert {model.id for model in document.models} == kept
    assert values(document) == before
    assert plot.tags == ["kept"]


def test_something_is_let_go_of():
    document, plot = page()
    values(document)
    before = len(plot._unstable_default_values)
    drop_empty_defaults(document)
    assert len(plot._unstable_default_values) < before


def test_a_default_that_was_let_go_of_can_be_filled():
    document, _ = page()
    (axis, *_) = document.select({"type": LinearAxis})
    values(document)
    drop_empty_defaults(document)
    heard = []
    axis.on_change("tags", lambda attr, old, new: heard.append(list(new)))
    axis.tags.append("new")
    assert heard == [["new"]]
    assert axis.tags == ["new"]


def test_memory_is_given_back_once_for_all_pages_that_close(monkeypatch):
    given = []
    monkeypatch.setattr(memory, "TIDY_SECONDS", 0.2)
    monkeypatch.setattr(memory, "give_back_memory", lambda: given.append(1))
    tidy = memory.MemoryTrim()
    for _ in range(2):
        for _ in range(5):
            asyncio.run(tidy.on_session_destroyed(None))
        tidy._timer.join(10)
    assert len(given) == 2


def test_what_a_server_has_loaded_is_not_looked_through_again():
    before = gc.get_freeze_count()
    kept = [[]]
    kept[0].append(kept)
    keep_out_of_collections()
    try:
        assert gc.get_freeze_count() > before
        assert all(found is not kept for found in gc.get_objects())
    finally:
        gc.unfreeze()
