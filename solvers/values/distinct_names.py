"""Names that nobody else has."""

from __future__ import annotations

from collections.abc import Iterable


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not taken: itself, or itself with a number."""
    return own_names([name], taken)[0]


def own_names(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Return a name for each that nobody else has: itself, or itself with a number."""
    used = set(taken)
    own = []
    for name in names:
        candidate, number = name, 2
        while candidate in used:
            candidate, number = f"{name} {number}", number + 1
        used.add(candidate)
        own.append(candidate)
    return own
