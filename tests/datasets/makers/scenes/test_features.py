"""Groups of features are those of the paper's table, and share work."""

import numpy as np
import pytest

from solvers.datasets.makers.scenes import scene_groups, scene_hypergraph
from solvers.datasets.makers.scenes.features import (
    Gabor,
    boxes,
    contrast,
    direction,
    gradient,
    gray,
    haralick,
    hue,
    hue_histogram,
    integral,
    levels,
    rgb4,
    scaled,
)
from solvers.methods.grouped import resolve_groups
from solvers.methods.static_prefix import StaticPrefixClassifier
from tests.each import each


def test_counts_are_those_of_the_papers_table():
    sizes = {group[0].rsplit("_", 1)[0]: len(group) for group in scene_groups()}
    assert len(scene_groups()) == 28
    assert sum(len(group) for group in scene_groups()) == 60
    assert (sizes["rgb4"], sizes["hue_histogram"]) == (12, 16)
    assert (sizes["direction"], sizes["haralick"]) == (4, 4)


@each("costs", ["measured", "published"])
def test_the_groups_follow_from_the_components(costs):
    hypergraph, _ = scene_hypergraph(costs)
    found = {
        tuple(hypergraph.features[j] for j in group)
        for group in resolve_groups(None, hypergraph)
    }
    assert found == set(scene_groups())


def test_shared_work_makes_the_whole_cheaper_than_its_parts(scenes):
    alone = sum(scenes.hypergraph.cost(group) for group in scene_groups())
    assert alone > 1.2 * scenes.hypergraph.total_cost
    assert scenes.unit == "us"


def test_texture_tells_kinds_apart_that_share_colours(scenes):
    prices, _ = scene_hypergraph("published")  # colours cost less than textures
    pixels, colour, everything = (
        StaticPrefixClassifier(prices, n_groups=n_groups)
        .fit(scenes.X[:500], scenes.y[:500])
        .score(scenes.X[500:], scenes.y[500:])
        for n_groups in (1, 11, 28)
    )
    assert pixels < 0.35 < colour < 0.65 < 0.8 < everything


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


def test_hues_of_pure_colours():
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]]], np.uint8)
    assert hue(scaled(colours))[0] == pytest.approx([0.0, 1 / 3, 2 / 3, 0.0])


def test_hues_agree_with_the_standard_library():
    import colorsys

    image = np.random.default_rng(0).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    expected = [colorsys.rgb_to_hsv(*pixel / 255)[0] for pixel in image.reshape(-1, 3)]
    assert hue(scaled(image)).ravel() == pytest.approx(expected)


def test_integral_images_give_sums_of_boxes():
    bright = np.random.default_rng(1).random((40, 50))
    table = integral(bright)
    total = table[20, 30] - table[5, 30] - table[20, 7] + table[5, 7]
    assert total == pytest.approx(bright[5:20, 7:30].sum())
