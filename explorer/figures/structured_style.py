"""Colours and marks of the structured-costs page: methods, labels, what is paid."""

from __future__ import annotations

from ..widgets.theme import MethodStyle

# Predicted labels have a mark each, so that colour need not be seen.
MARKERS = ("circle", "square", "triangle", "diamond", "hex")
# No blue, orange or red: these mean what is bought, shared and wrong.
# The first three, which most graphs have, are no method's hue either.
_LABELS = (
    ("#0b7285", "#66d9e8"),
    ("#6a1b9a", "#ce93d8"),
    ("#5c7a00", "#b5d33d"),
    ("#59636e", "#aab4bf"),
    ("#1f2328", "#eceff3"),
)
LABELS = tuple(
    MethodStyle(*colours, marker, "solid")
    for colours, marker in zip(_LABELS, MARKERS, strict=True)
)
# Where, in a comparison, the drawn method pays less; where more, it is `wrong`.
CHEAPER = MethodStyle("#008060", "#2fbf98", "circle", "solid")
# A lamp that burns.
LAMP = MethodStyle("#ffe27a", "#6b5600", "star", "solid")

_STYLES = {
    "LOGREG": MethodStyle("#4f45b6", "#a9a0ff", "circle", "solid"),
    "LOGREG with edges": MethodStyle("#59636e", "#aab4bf", "hex", "dashed"),
    "CSMN": MethodStyle("#b0126f", "#ff8ac4", "triangle", "solid"),
    "CSMN w/o CSINF": MethodStyle("#8a6d00", "#F0E442", "inverted_triangle", "dashed"),
    "CSMN (exact)": MethodStyle("#b0126f", "#ff8ac4", "triangle", "dotdash"),
    "MN": MethodStyle("#008060", "#2fbf98", "square", "solid"),
    "MN (2006)": MethodStyle("#5d4037", "#bcaaa4", "diamond", "dotdash"),
    "MN (tree-reweighted)": MethodStyle("#008060", "#2fbf98", "star", "dashed"),
    "MN (pseudo-likelihood)": MethodStyle("#1f2328", "#eceff3", "square", "dotted"),
    "MN (exact)": MethodStyle("#008060", "#2fbf98", "square", "dotdash"),
}
_ALWAYS = MethodStyle("#59636e", "#aab4bf", "dash", "dotted")


def structured_style(name: str) -> MethodStyle:
    """Return how a method of this page is drawn."""
    return _STYLES.get(name, _ALWAYS)


def label_style(label: int) -> MethodStyle:
    """Return how a label is drawn."""
    return LABELS[label % len(LABELS)]
