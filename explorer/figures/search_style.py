"""How the nodes of a search and the selections beside it are drawn on every page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solvers.bayes import SearchEvent

from ..widgets.theme import palette


@dataclass(frozen=True)
class Look:
    """A kind of node: three channels, so that none has to be seen."""

    title: str  # What it says
    marker: str  # Bokeh marker, and the like as a character
    sign: str
    light: str  # Colour in each theme
    dark: str
    size: int  # In pixels
    dash: str = "solid"  # Of a line, as Bokeh calls it

    def colour(self, dark: bool) -> str:
        """Return the colour in a theme."""
        return self.dark if dark else self.light


TREE = {
    "included": Look(
        "included", "circle", "●", palette(False).lit, palette(True).lit, 10
    ),
    "excluded": Look(
        "excluded",
        "square",
        "■",
        palette(False).quiet_text,
        palette(True).quiet_text,
        9,
    ),
    "bounded": Look(
        "cut by its bound", "inverted_triangle", "▼", "#8f4a78", "#CC79A7", 11
    ),
    "infeasible": Look("over budget", "x", "✕", "#b34700", "#E69F00", 10),
    "improved": Look("best so far", "star", "★", "#008060", "#2fbf98", 15),
}


# Ways to choose features, drawn as lines.
SELECTIONS = {
    "trimmed": Look("ECA-Trim", "circle", "●", "#0072B2", "#56B4E9", 9),
    "same_decision": Look(
        "FS-SDD (T kept)", "square", "■", "#b34700", "#E69F00", 8, "dashed"
    ),
    "information": Look(
        "information gain, best T'", "triangle", "▲", "#8f4a78", "#CC79A7", 9, "dotdash"
    ),
    "information_kept": Look(
        "information gain, T kept", "diamond", "◆", "#6b5500", "#F0E442", 10, "dotted"
    ),
}


def fate_of(event: SearchEvent) -> str:
    """Return which kind of `TREE` a node is whose first event this is."""
    if event.state in ("improved", "bounded", "infeasible"):
        return event.state
    return "excluded" if event.decision == "excluded" else "included"


def signs_markup(looks: Iterable[Look], dark: bool) -> str:
    """Return a legend in one line: what each sign says."""
    signs = (
        f'<span style="color:{look.colour(dark)}">{look.sign}</span> {look.title}'
        for look in looks
    )
    return f"<p>{' &nbsp; '.join(signs)}</p>"
