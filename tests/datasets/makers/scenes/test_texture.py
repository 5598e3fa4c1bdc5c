"""Textures by hand: none where all is even, along and across stripes."""

import numpy as np
import pytest

from solvers.datasets.makers.scenes.colour import hue_histogram, rgb4
from solvers.datasets.makers.scenes.shared import (
    boxes,
    gradient,
    gray,
    hue,
    integral,
    levels,
    scaled,
)
from solvers.datasets.makers.scenes.texture import Gabor, contrast, direction, haralick

RED = np.full((64, 96, 3), [200, 20, 20], dtype=np.uint8)


STRIPES = (
    np.tile(np.sin(2 * np.pi * np.arange(64) / 8)[:, np.newaxis], (1, 96)) / 4 + 0.5
)


def test_an_even_image_has_no_texture():
    bright = gray(scaled(RED))
    assert contrast(bright) == pytest.approx(0.0, abs=1e-6)
    assert direction(gradient(np.full((64, 96), 0.5))).tolist() == [0.0] * 4
    assert Gabor(7, 0)(bright) == pytest.approx(0.0, abs=1e-12)
    assert haralick(levels(bright)).tolist() == [0.0, 1.0, 1.0, 1.0]
    assert hue_histogram(hue(scaled(RED)))[0] == 1.0
    assert rgb4(RED)[:3] == pytest.approx([200 / 255, 20 / 255, 20 / 255])


def test_the_filter_across_the_stripes_answers_and_the_one_along_does_not():
    answers = [Gabor(17, turn)(STRIPES) for turn in range(4)]
    assert np.argmax(answers) == 0
    assert answers[2] < 0.05 * answers[0]


def test_direction_tells_flat_stripes_from_upright_ones():
    flat = direction(gradient(STRIPES))
    upright = direction(gradient(STRIPES[:, :64].T.copy()))
    assert flat[0] == pytest.approx(-1.0)
    assert upright[0] == pytest.approx(1.0)


def test_coarser_patterns_have_larger_boxes():
    checks = [
        np.kron(
            np.indices((64 // side, 96 // side)).sum(axis=0) % 2, np.ones((side,) * 2)
        )
        for side in (2, 8)
    ]
    sizes = [boxes(integral(check.astype(float))).mean() for check in checks]
    assert sizes[0] < sizes[1]


def test_haralick_by_hand():
    # Two rows of 0 0 15: pairs (0,0) x 4 [2 across, 2 down], (0,15) x 2, (15,15) x 1.
    square = np.array([[0, 0, 15], [0, 0, 15]])
    contrast_, energy, homogeneity, _ = haralick(square)
    assert contrast_ == pytest.approx(2 / 7 * 225)
    assert energy == pytest.approx((4 / 7) ** 2 + 2 * (1 / 7) ** 2 + (1 / 7) ** 2)
    assert homogeneity == pytest.approx(5 / 7 + 2 / 7 / 16)
