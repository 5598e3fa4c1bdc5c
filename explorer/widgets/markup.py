"""Panes of markup that is ours, in the app's own style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import panel as pn

from .glossary import explained
from .lights import lit_word
from .theme import STYLES

# Characters that the answer of a page has, or less: what is below stays where it is.
SUMMARY_PLACE = 380


def markup(html: Any = "", **options: Any) -> pn.pane.HTML:
    """Return a pane of markup; text from people goes through `plain` before."""
    look = {"sizing_mode": "stretch_width", "margin": (2, 10), "stylesheets": [STYLES]}
    return pn.pane.HTML(html, **{**look, **options})


def _rest(missing: int) -> str:
    """Return what holds the place of characters to come; nobody sees or hears it."""
    if missing <= 0:
        return ""
    rest = "place " * (1 + missing // 6)
    return f'<span class="place" aria-hidden="true"> {rest}</span>'


def summary_markup(
    text: str,
    names: Sequence[str] = (),
    lead: str = "",
    lights: Mapping[str, str] | None = None,
    is_true: bool = True,
) -> str:
    """Return the answer of a page, which is read aloud whenever it changes.

    `names`: of features in it, no terms even where they read like one. `lead`: the
    answer itself, before what is to be known of it. `lights`: what words of that light
    in the pictures, by the words. `is_true`: grey until it is.
    """
    told: set[str] = set()
    first = explained(lead, told, names)
    for words, thing in (lights or {}).items():
        first = first.replace(escape(words), lit_word(thing, words), 1)
    if lead:
        first = f"<strong>{first}</strong> "
    waits = "" if is_true else " waits"
    missing = SUMMARY_PLACE - len(lead) - len(text)
    return (
        f'<div role="status" aria-live="polite" class="summary{waits}">'
        f"{first}{explained(text, told, names)}{_rest(missing)}</div>"
    )
