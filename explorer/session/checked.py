"""Refusing what somebody else's text must not be, and the bytes in it, bounded."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Callable
from typing import Any

from solvers.errors import InterchangeError


def demand(is_fit: bool, broken: str) -> None:
    """Refuse a text with a sentence, unless it is what it has to be."""
    if not is_fit:
        raise InterchangeError(broken)


def is_number(value: Any, below: float) -> bool:
    """Return whether it is a number that is closer to 0 than that: no yes, no NaN."""
    return type(value) in (int, float) and abs(value) < below


def is_text(value: Any, most: int) -> bool:
    """Return whether it is text in one line, of so many characters at most."""
    return isinstance(value, str) and len(value) <= most and value.isprintable()


def is_list(value: Any, fits: Callable[[Any], bool], most: float = math.inf) -> bool:
    """Return whether it is a list of so many items at most, all of which fit."""
    return isinstance(value, list) and len(value) <= most and all(map(fits, value))


def packed(content: bytes, level: int = 3) -> str:
    """Return bytes as text; `level`: how hard zlib tries."""
    return base64.b64encode(zlib.compress(content, level)).decode()


def unpacked(text: str, most: int, broken: str) -> bytes:
    """Return the bytes of a text, `most` of them: what is packed may be endless."""
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(base64.b64decode(text, validate=True), most + 1)
    except (ValueError, zlib.error) as error:
        raise InterchangeError(broken) from error
    demand(len(content) <= most and unpacker.eof, broken)
    return content
