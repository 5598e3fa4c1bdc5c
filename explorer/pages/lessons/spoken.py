"""What a lesson's clauses speak of: entries of the legend, and all that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...plots.picture import Key
from ...widgets.glossary import explained

__all__ = ["Phrases", "keys_of", "lit_by", "spoken"]

#: How clauses call an entry of the legend, by its name, beside that name itself.
Phrases = Mapping[str, Sequence[str]]

# Clauses, rather than sentences: many set one mark against another. Not after "Fig.".
_CLAUSE = re.compile(r"(?<=[.;:?])(?<!Fig\.)\s+")


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
