"""A picture holds the pixels of its row."""

import base64
import zlib

import numpy as np

from explorer.widgets.painted import data_uri, paint
from solvers.datasets.makers.scenes import row_image


def test_a_picture_holds_the_pixels_of_its_row():
    content = base64.b64decode(dict(paint([3]))[3].split(",")[1])
    start = content.index(b"IDAT") + 4
    length = int.from_bytes(content[start - 8 : start - 4], "big")
    lines = np.frombuffer(zlib.decompress(content[start : start + length]), np.uint8)
    pixels = lines.reshape(64, -1)[:, 1:].reshape(64, 96, 3)
    assert np.array_equal(pixels, row_image(3))


def test_a_picture_says_its_size():
    image = np.zeros((2, 5, 3), np.uint8)
    content = base64.b64decode(data_uri(image).split(",")[1])
    size = content[content.index(b"IHDR") + 4 :][:8]
    assert size == (5).to_bytes(4, "big") + (2).to_bytes(4, "big")
