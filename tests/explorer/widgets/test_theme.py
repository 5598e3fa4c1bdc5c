"""A method can be told from every other by more than its colour."""

from itertools import combinations

from explorer.widgets.theme import method_style
from solvers import all_methods


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
