"""Numbers, lists, strings and comments as C writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from ..errors import printable

__all__ = ["comment_of", "listed", "real_of", "string_of"]

_LARGEST_FLOAT = float(np.finfo(np.float32).max)
_ON_A_LINE = 4


def real_of(value: float, real: str) -> str:
    """Return a number as a literal of a type."""
    if real == "float" and abs(value) > _LARGEST_FLOAT:
        value = math.copysign(math.inf, value)
    if math.isinf(value):
        return "-INFINITY" if value < 0 else "INFINITY"
    return repr(value) + ("f" if real == "float" else "")


def listed(items: Iterable[str], on_a_line: int = _ON_A_LINE) -> str:
    """Return an initialiser's lines; C has no empty one."""
    words = list(items) or ["0"]
    lines = [words[k : k + on_a_line] for k in range(0, len(words), on_a_line)]
    return ",\n".join(f"    {', '.join(line)}" for line in lines)


def comment_of(text: str) -> str:
    """Return text that ends no comment, and begins none."""
    harmless = printable(text).replace("*/", "* /").replace("/*", "/ *")
    return re.sub(r"\?(?=\?)", "? ", harmless)  # no trigraph, of three marks neither


def string_of(value: object) -> str:
    """Return a string of C; what is not plain is written in octal."""
    raw = str(value).encode("utf-8", "replace")
    return (
        '"'
        + "".join(
            chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}"
            for b in raw
        )
        + '"'
    )
