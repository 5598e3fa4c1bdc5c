"""What a lesson's clauses speak of: entries of the legend, and all that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from panel.custom import JSComponent

from ...figures.picture import Key
from ...widgets.assets import asset
from ...widgets.glossary import explained

#: How clauses call an entry of the legend, by its name, beside that name itself.
Phrases = Mapping[str, Sequence[str]]

#: Of a hover tool: what the mouse is on in the picture. The browser keeps all of it.
TELL = """
const data = cb_data.renderer.data_source.data
const keys = data.get ? data.get("keys") : data.keys
const { indices, line_indices } = cb_data.index
const places = [...new Set([...indices, ...(line_indices ?? [])])]
const detail = { from: cb_data.renderer.id, keys: places.flatMap(i => keys[i] ?? []) }
document.dispatchEvent(new CustomEvent("lesson-picture", { detail }))
"""
# Clauses, rather than sentences: many set one mark against another. Not after "Fig.".
_CLAUSE = re.compile(r"(?<=[.;:?])(?<!Fig\.)\s+")


class LessonLights(JSComponent):
    """An invisible part of the page that sees what the mouse or the focus is on."""

    _esm = asset("lesson_lights.js")


def keys_of(clause: str, keys: Sequence[Key], phrases: Phrases) -> list[int]:
    """Return the places in the legend of what a clause speaks of.

    Of phrases that overlap the longest counts: "selective ridge" is not "ridge".
    """
    meant: dict[str, set[int]] = {}
    for place, key in enumerate(keys):
        for phrase in (key.name, *phrases.get(key.name, ())):
            meant.setdefault(phrase.lower(), set()).add(place)
    found = re.findall(
        "|".join(rf"(?<!\w){re.escape(p)}(?!\w)" for p in sorted(meant, key=len)[::-1]),
        clause.lower(),
    )
    return sorted({place for phrase in found if phrase for place in meant[phrase]})


def lit_by(places: Sequence[int]) -> str:
    """Return the attributes of what lights these entries of the legend.

    Tab stops there: what the mouse lights the keyboard lights, too.
    """
    return f'class="says" tabindex="0" data-keys="{" ".join(map(str, places))}"'


def spoken(
    text: str, keys: Sequence[Key], phrases: Phrases, names: Sequence[str] = ()
) -> str:
    """Return text as HTML whose clauses light what they speak of.

    `names`: of features, which are no terms of ours.
    """
    told: set[str] = set()
    parts = []
    for clause in _CLAUSE.split(text):
        shown, places = explained(clause, told, names), keys_of(clause, keys, phrases)
        parts.append(f"<span {lit_by(places)}>{shown}</span>" if places else shown)
    return " ".join(parts)
