"""What lights up wherever it stands while the pointer or the focus is on it.

A thing is named by its kind and its name, as "feature:mean": marks of figures have it
in the column ``thing``, elements of the page in ``data-thing``. What lights them is
`lights.js`, in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

FEATURE, COMPONENT = "feature", "component"
# Writes a thing's name: what it is called where it lights, and its text.
Word = Callable[[str, str], str]


def things(kind: str, names: Iterable[str]) -> list[str]:
    """Return what things of a kind are called where they light."""
    return [f"{kind}:{name}" for name in names]


def feature(name: str) -> str:
    """Return what a feature is called where it lights."""
    return f"{FEATURE}:{name}"


def component(name: str) -> str:
    """Return what a component is called where it lights."""
    return f"{COMPONENT}:{name}"


def together(things: Iterable[str]) -> str:
    """Return things that light at once."""
    return "\n".join(things)


def bare_word(thing: str, text: str) -> str:
    """Return text as it is."""
    return text


def lit_word(thing: str, text: str) -> str:
    """Return text as HTML that lights a thing, and is lit with it.

    Tab stops there: what the mouse lights the keyboard lights, too. Where there is no
    room for a long name it goes on in another line after one of its parts.
    """
    told = escape(text).replace("_", "_<wbr>")
    return (
        f'<span class="lights" tabindex="0" data-thing="{escape(thing)}">{told}</span>'
    )
