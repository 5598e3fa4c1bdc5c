"""Rows of the scenes as pictures."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from solvers.datasets.makers.scenes import row_image


def paint(rows: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield rows of the scenes with their pictures."""
    for row in rows:
        yield row, data_uri(row_image(row))


def data_uri(image: NDArray[np.uint8]) -> str:
    """Return an image as a PNG inside a URI.

    Shapes: `image` (height, width, 3).
    """
    height, width, _ = image.shape
    # Every line of a PNG says how it is filtered: 0, as it is.
    lines = np.hstack([np.zeros((height, 1), np.uint8), image.reshape(height, -1)])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(lines.tobytes())),
            _chunk(b"IEND", b""),
        ]
    )
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
    )
