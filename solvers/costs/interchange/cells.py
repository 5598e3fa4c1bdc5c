"""Cells of text that no spreadsheet takes for a formula, and back again.

A spreadsheet computes what begins with one of ``= + - @``, their wide forms, a tab or a
line's end, whoever wrote it. An apostrophe in front says that it is text; one that is
there gets another.
"""

from __future__ import annotations

import re
from typing import Any

# The last four are the wide forms, which some spreadsheets take for the others.
_BEGINS = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_FORMULA = re.compile(f"'*{_BEGINS}")
_GUARDED = re.compile(f"'+{_BEGINS}")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def guarded(cell: Any) -> Any:
    """Return a cell as it is written: text that begins a formula after an apostrophe.

    Parameters
    ----------
    cell : object
        Text, or anything else, which stays as it is; so does text that is a number.

    Returns
    -------
    object

    Examples
    --------
    >>> guarded("=1+1"), guarded("-1"), guarded("peak")
    ("'=1+1", '-1', 'peak')
    """
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return a cell as it was before `guarded`.

    Parameters
    ----------
    cell : str
        As it stands in a file.

    Returns
    -------
    str

    Examples
    --------
    >>> unguarded(guarded("=1+1"))
    '=1+1'
    """
    return cell[1:] if _GUARDED.match(cell) else cell
