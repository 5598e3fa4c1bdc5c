"""Hues of pure colours, and those of the standard library."""

import numpy as np
import pytest

from solvers.datasets.makers.scenes.shared import hue, scaled


def test_hues_of_pure_colours():
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]]], np.uint8)
    assert hue(scaled(colours))[0] == pytest.approx([0.0, 1 / 3, 2 / 3, 0.0])


def test_hues_agree_with_the_standard_library():
    import colorsys

    image = np.random.default_rng(0).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    expected = [colorsys.rgb_to_hsv(*pixel / 255)[0] for pixel in image.reshape(-1, 3)]
    assert hue(scaled(image)).ravel() == pytest.approx(expected)
