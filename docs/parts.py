"""Parts of pages that are written by a program: between ``<!-- x -->`` and its end."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["cell", "table", "with_part"]

_PART = "<!-- {0} -->{1}<!-- /{0} -->"


def with_part(text: str, part: str, inside: str) -> str:
    """Return a page with one of its parts replaced; other pages come back as given."""
    pattern = re.compile(_PART.format(part, ".*?"), re.DOTALL)
    return pattern.sub(lambda _: _PART.format(part, f"\n\n{inside.strip()}\n\n"), text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def cell(text: str) -> str:
    """Return what a docstring says as the text of a cell."""
    text = re.sub(r"\s*(?:\b(?:in|of) )?\[\d+\]_", "", text).replace("``", "`")
    return text.replace("|", "\\|").strip()
