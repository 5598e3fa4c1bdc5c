"""Tables for a terminal."""

from collections.abc import Sequence

__all__ = ["in_columns"]


def in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of equal length as lines; all but the first column stand right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        right = (c.rjust(w) for c, w in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *right]).rstrip() + "\n")
    return "".join(lines)
