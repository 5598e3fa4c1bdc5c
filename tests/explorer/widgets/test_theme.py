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
