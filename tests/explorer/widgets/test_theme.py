"""A method can be told from every other by more than its colour."""

import colorsys
from itertools import combinations

from explorer.figures.structured_graph import label_style, structured_style
from explorer.pages.structured.runs import METHODS
from explorer.widgets.theme import DARK, LIGHT, method_style
from solvers import all_methods
from tests.each import each


def test_no_two_methods_look_alike():
    styles = {name: method_style(name) for name in all_methods()}
    for one, other in combinations(styles, 2):
        a, b = styles[one], styles[other]
        assert (a.light, a.marker) != (b.light, b.marker), (one, other)


def test_methods_of_one_colour_differ_in_marker_and_dash():
    styles = [method_style(name) for name in all_methods()]
    for a, b in combinations(styles, 2):
        if a.light == b.light:
            assert a.marker != b.marker
            assert a.dash != b.dash


def test_a_method_looks_the_same_whatever_else_is_installed(monkeypatch):
    before = method_style("tefe")
    method_style.cache_clear()
    monkeypatch.setattr("solvers.methods._missing", lambda method: "not installed")
    assert all_methods() == {}
    assert method_style("tefe") == before


def test_no_two_methods_have_the_same_colour():
    styles = [method_style(name) for name in all_methods()]
    assert len({style.light for style in styles}) == len(styles)
    assert len({style.dark for style in styles}) == len(styles)


def parts(colour):
    return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]


def luminance(colour):
    """As WCAG 2.1 defines it."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in parts(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def hue(colour):
    """In degrees; none where it is nearly grey."""
    hue, _, saturation = colorsys.rgb_to_hls(*parts(colour))
    return 360 * hue if saturation > 0.15 else None


@each(("dark", "palette"), [(False, LIGHT), (True, DARK)])
def test_methods_can_be_seen_and_are_not_of_the_colours_that_mean_something(
    dark, palette
):
    meant = [hue(c) for c in (palette.lit, palette.shared, palette.wrong)]
    styles = {name: method_style(name) for name in all_methods()} | {
        name: structured_style(name) for name in METHODS
    }
    for name, style in styles.items():
        colour = style.colour(dark)
        assert contrast(colour, palette.background) >= 3, name
        if (own := hue(colour)) is not None:
            apart = [min((own - one) % 360, (one - own) % 360) for one in meant]
            assert min(apart) >= 9, (name, apart)


@each("dark", [False, True])
def test_labels_of_a_graph_have_no_hue_of_a_method(dark):
    labels = [hue(label_style(label).colour(dark)) for label in range(3)]
    methods = [hue(structured_style(name).colour(dark)) for name in METHODS]
    for own in labels:
        for other in filter(None, methods):
            apart = abs(own - other)
            assert min(apart, 360 - apart) >= 9, (labels, methods)


@each("palette", [LIGHT, DARK])
def test_what_means_something_can_be_seen(palette):
    for colour in (palette.lit, palette.shared, palette.wrong, palette.budget):
        assert contrast(colour, palette.background) >= 3
