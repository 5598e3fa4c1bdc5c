"""Mutations that keep the grammar: numbers, words and blocks change places."""

import re

import numpy as np

_PARTS = re.compile(rb"\w[\w.+-]*|\s+|.", re.DOTALL)
_ODD = (
    *(b"0", b"-1", b"1e999", b"nan", b"9" * 30, b"99999999", b"", b'"', b"\xff"),
    *(b"{", b"}", b"(", b")", b"|", b"<!DOCTYPE a>", b"&lt;", b"/*", b"//", b"\0"),
    *(b"\xed\xa0\x80", b"<A>", b"</NETWORK>", b"variable", b"probability", b"states"),
)


def rearranged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a text with a few of its words replaced, dropped, doubled or swapped."""
    parts = _PARTS.findall(data)
    for _ in range(rng.integers(1, 4)):
        i, j = rng.integers(0, len(parts), 2)
        match rng.integers(5):
            case 0:
                parts[i] = _ODD[rng.integers(len(_ODD))]
            case 1:
                del parts[i]
            case 2:
                parts[i], parts[j] = parts[j], parts[i]
            case 3:
                parts[i:i] = parts[min(i, j) : max(i, j)][:200]
            case 4:
                parts[i:i] = [parts[j]] * int(rng.integers(1, 2000))
        if not parts:
            return b""
    return b"".join(parts)
