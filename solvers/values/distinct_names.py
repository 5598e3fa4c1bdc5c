"""Names that are to be distinct."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["first_twin", "free_name", "own_names"]


def first_twin(names: Iterable[str]) -> str | None:
    """Return the first name that stands twice, None where each stands once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


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
