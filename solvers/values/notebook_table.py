"""Tables that a notebook shows of a value: small, and of text that is never markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..errors import printable

#: Rows that are shown; how many there are more is said by who shows them.
MOST_ROWS = 8
_LONGEST = 60  # characters of a cell


def notebook_table(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]], more: str = ""
) -> str:
    """Return a table as HTML, and a line below it.

    `heads`: of the columns; none where each row begins with what it says.
    """
    head = f"<thead><tr>{_cells(heads, 'th')}</tr></thead>" if heads else ""
    body = "".join(f"<tr>{_cells(row, 'td')}</tr>" for row in rows)
    title = f"<caption>{_text(caption)}</caption>"
    below = f"<p>{_text(more)}</p>" if more else ""
    return f"<table>{title}{head}<tbody>{body}</tbody></table>{below}"


def _cells(row: Sequence[object], tag: str) -> str:
    texts = map(str, row)
    cut = (t if len(t) <= _LONGEST else f"{t[: _LONGEST - 3]}..." for t in texts)
    return "".join(f"<{tag}>{_text(text)}</{tag}>" for text in cut)


def _text(said: str) -> str:
    return escape(printable(said))
