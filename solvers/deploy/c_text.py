"""Numbers, lists, strings and comments as C writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from ..errors import DeployError, printable, shown

__all__ = ["comment_of", "listed", "real_of", "string_of"]

_ON_A_LINE = 4
_MOST_IN_A_STRING = 4095  # what every compiler of C99 takes


def real_of(value: float, real: str) -> str:
    """Return a number as a literal of a type."""
    value = float(value)  # a whole number's literal would be an integer's
    if real == "float":
        with np.errstate(over="ignore"):
            single = float(np.float32(value))
        # Compilers refuse what only rounds to one of these.
        value = single if single == 0.0 or math.isinf(single) else value
    if math.isnan(value):
        return "NAN"
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
    if len(raw) > _MOST_IN_A_STRING:
        raise DeployError(
            f"The name {shown(raw.decode())} has {len(raw):,} bytes, and C takes "
            f"{_MOST_IN_A_STRING:,}; give a shorter one."
        )
    return (
        '"'
        + "".join(
            chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}"
            for b in raw
        )
        + '"'
    )
