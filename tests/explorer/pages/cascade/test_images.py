"""Examples leave in their round, and a picture holds the pixels of its row."""

import base64
import zlib

import numpy as np

from explorer.pages.cascade.images import data_uri, examples_of, figure_6, paint
from solvers.datasets.makers.scenes import row_image


def test_examples_leave_in_their_round_and_say_how(scenes):
    picture = scenes.picture
    threshold = picture.threshold(scenes.share)
    for found in scenes.rounds():
        shown = examples_of(scenes.cascade, picture.test, found, threshold)
        assert len(shown) <= 6
        for example in shown:
            assert found.first <= example.stage <= found.last
            assert example.truth == scenes.cascade.dataset.y[example.row]


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


def test_fig_6_shows_early_late_and_wrong_images(scenes):
    rounds = scenes.rounds()
    early, late, wrong = figure_6(rounds).values()
    assert early == rounds[0].right_rows[:2].tolist()
    assert late == rounds[1].right_rows[:2].tolist()
    assert wrong == rounds[2].wrong_rows[:2].tolist()
    assert figure_6(()) == {}
