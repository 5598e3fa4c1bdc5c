"""Large search trees fold to whole levels, under the nearest that is drawn."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.trimming_search import draw_tree
from tests.each import each


@st.composite
def trees(draw):
    """Parents of the nodes of a tree, as a depth-first search meets them."""
    parents, way = [-1], [0]
    for node in range(1, draw(st.integers(1, 30))):
        depth = draw(st.integers(1, len(way)))
        way = [*way[:depth], node]
        parents.append(way[-2])
    return parents


@given(trees(), st.integers(1, 30))
@settings(max_examples=30)
def test_as_many_whole_levels_are_drawn_as_fit(parents, most):
    tree = draw_tree(parents, most=most)
    per_level = np.cumsum(np.bincount(tree.depth))
    fits = per_level[tree.depth] <= most
    # The root is always drawn.
    wanted = fits | (np.array(parents) < 0)
    assert (tree.drawn == wanted).all() or len(parents) <= most
    assert np.isfinite(tree.x[tree.drawn]).all()
    assert np.isnan(tree.x[~tree.drawn]).all()


@given(trees(), st.integers(1, 10))
@settings(max_examples=30)
def test_a_folded_node_stands_for_its_nearest_drawn_ancestor(parents, most):
    tree = draw_tree(parents, most=most)
    for node in range(len(parents)):
        above = node
        while not tree.drawn[above]:
            above = parents[above]
        assert tree.stands_for[node] == above
    hidden = tree.hidden(len(parents))
    assert sum(hidden.values()) == (~tree.drawn).sum()
    assert all(tree.drawn[node] for node in hidden)


def test_nodes_that_are_always_drawn_are_drawn_at_any_depth():
    chain = [-1, *range(9)]
    tree = draw_tree(chain, always=range(10), most=3)
    assert tree.drawn.all()


@each("most", [None, 40])
def test_a_tree_that_fits_is_drawn_whole(most):
    tree = draw_tree([-1, 0, 0, 1, 1], most=most)
    assert tree.drawn.all()
    assert tree.n_leaves == 3
    assert tree.hidden(5) == {}


def test_only_what_the_search_has_met_so_far_is_counted():
    tree = draw_tree([-1, 0, 1, 1, 0], most=1)
    assert tree.hidden(3) == {0: 2}
    assert tree.hidden(5) == {0: 4}


def test_a_search_that_has_not_begun_has_nothing_to_draw():
    assert draw_tree([]).n_leaves == 0
