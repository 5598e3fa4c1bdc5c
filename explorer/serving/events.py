"""Events of the browser: served with the page's lock, for models that are there."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bokeh.core.serialization import Serialized
from bokeh.document import Document
from bokeh.util.warnings import BokehUserWarning
from panel.io.document import with_lock
from panel.reactive import Syncable


def keep_living_events() -> None:
    """Let a document take of each message all that is about models it has.

    A browser gathers what happens and sends it together. When the server has meanwhile
    removed one of the models, such as a figure that was drawn anew and whose size the
    browser tells, Bokeh drops the whole message: a key that was pressed on a slider at
    that moment would be lost without a word.
    """
    apply = Document.apply_json_patch
    if hasattr(apply, "__wrapped__"):  # a second call changes nothing
        return

    @functools.wraps(apply)
    def apply_living(document: Document, patch_json: Any, **options: Any) -> None:
        _apply_living(apply, document, patch_json, **options)

    Document.apply_json_patch = apply_living


def _apply_living(
    apply: Any, document: Document, patch_json: Any, **options: Any
) -> None:
    is_wrapped = isinstance(patch_json, Serialized)
    content = patch_json.content if is_wrapped else patch_json
    events = _living(document, content["events"])
    if events:
        content = {**content, "events": events}
        kept = replace(patch_json, content=content) if is_wrapped else content
        apply(document, kept, **options)


def _living(document: Document, events: list[Any]) -> list[Any]:
    """Return the events all of whose references the document, or they, can resolve."""
    told: set[str] = set()
    kept = []
    for event in events:
        referred, described = set(), set()
        for is_new, name in _references(event):
            (described if is_new else referred).add(name)
        unknown = referred - described - told
        if all(name in document.models for name in unknown):
            told |= described
            kept.append(event)
    return kept


def _references(part: Any) -> Iterator[tuple[bool, str]]:
    """Walk over the references in an event; true where it describes the model too."""
    if isinstance(part, list):
        for entry in part:
            yield from _references(entry)
    elif isinstance(part, dict):
        kind = part.get("type")
        if kind == "bytes":  # whose id is that of a buffer
            return
        if "id" in part and kind in (None, "ref", "object"):
            yield kind == "object", part["id"]
        for entry in part.values():
            if isinstance(entry, list | dict):
                yield from _references(entry)


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
