"""Words that everybody puts into one order."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["scale_of"]

_SCALES = (
    ("none", "mild", "moderate", "severe"),
    ("none", "very low", "low", "medium", "high", "very high"),
    ("very low", "low", "moderate", "high", "very high"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("small", "medium", "large"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("i", "ii", "iii", "iv", "v"),
    ("first", "second", "third", "fourth", "fifth"),
)
_FEWEST = 3  # of two values the order does not matter


def scale_of(words: Collection[str]) -> tuple[str, ...] | None:
    """Return words in their order where they are steps of one scale, else None."""
    spelt = {word.strip().lower(): word for word in words}
    if len(spelt) < _FEWEST or len(spelt) < len(words):
        return None
    for scale in _SCALES:
        if spelt.keys() <= set(scale):
            return tuple(spelt[step] for step in scale if step in spelt)
    return None
