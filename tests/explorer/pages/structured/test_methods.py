"""Every method that is offered has a classifier."""

from explorer.pages.structured.methods import METHODS, make_classifiers
from tests.explorer.pages.structured.asked import state_of


def test_every_method_has_a_classifier():
    assert list(make_classifiers(METHODS)) == list(METHODS)


def test_only_small_graphs_are_solved_exactly():
    assert "MN (exact)" in state_of("small").choices
    assert "MN (exact)" not in state_of("growth").choices
    assert dict(state_of("small", n_nodes=300).setting().growth)["n_nodes"] <= 60
