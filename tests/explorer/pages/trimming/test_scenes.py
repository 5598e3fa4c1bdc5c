"""A search tree can be read: folded when large, parents above their children."""

import numpy as np
import pytest

from explorer.figures.trimming_search import MAX_READ
from explorer.figures.trimming_tree import MARKS
from explorer.pages.trimming.scenes import TreeView
from tests.explorer.pages.trimming.asked import opened, search


def test_the_page_opens_on_a_tree_that_can_be_read():
    log = search(opened("breast_cancer")).log
    assert 15 <= log.n_nodes <= MAX_READ
    tree = log.tree(is_folded=True)
    assert tree.drawn.all()
    # Each level decides one feature: it can be named beside the level.
    depths = range(1, 1 + tree.depth.max())
    assert [*log.features_by_depth()] == [*depths]


def test_a_large_tree_folds_and_counts_what_it_folds():
    state = search(opened("breast_cancer", n_columns=12))
    log, tree = state.log, state.log.tree(is_folded=True)
    n_nodes = log.n_nodes
    assert n_nodes > 4 * MAX_READ
    way = log.best_way(len(log.events))
    below = len(set(way))
    assert MAX_READ / 2 < tree.drawn.sum() <= MAX_READ + below
    # What is drawn stands for itself, all else for the nearest above that is drawn.
    for row, parent in enumerate(log.parents):
        is_own = tree.drawn[row]
        assert tree.stands_for[row] == (row if is_own else tree.stands_for[parent])
        assert np.isnan(tree.x[row]) != is_own
        assert parent < 0 or not is_own or tree.drawn[parent]
    assert tree.drawn[way].all()
    for first in (1, 100, n_nodes):
        hidden = tree.hidden(first)
        assert sum(hidden.values()) + tree.drawn[:first].sum() == first
        assert all(tree.drawn[row] for row in hidden)
    assert log.tree().drawn.all()


def test_a_folded_tree_is_drawn_as_it_grows_and_unfolds():
    state = search(opened("breast_cancer", n_columns=12))
    view = TreeView(state=state)

    def drawn():
        return sum(len(view._shown[name]) for name in MARKS)

    tree = state.log.tree(is_folded=True)
    assert drawn() == tree.drawn.sum()
    assert "nodes are collapsed" in view._text.object
    state.reset()
    assert drawn() == 1
    state.step(80)
    n_nodes = state.log.nodes_upto(state.n_shown)
    assert drawn() == tree.drawn[:n_nodes].sum()
    counts = [int(text) for text in view._shown["collapsed"].columns["text"]]
    assert 0 < sum(counts) <= n_nodes - drawn()
    state.is_folded = False
    assert drawn() == n_nodes
    assert "collapsed" not in view._text.object


def test_every_node_has_a_place_of_its_own(wine):
    tree = wine.log.tree()
    points = set(zip(tree.x, tree.depth, strict=True))
    assert len(points) == len(wine.log.first_events) == wine.log.n_nodes


def test_a_parent_stands_above_the_middle_of_its_children(wine):
    log, places = wine.log, wine.log.tree()
    for row in set(log.parents) - {-1}:
        children = [i for i, parent in enumerate(log.parents) if parent == row]
        ends = places.x[children].min(), places.x[children].max()
        assert places.x[row] == pytest.approx(sum(ends) / 2)
        assert (places.depth[children] == places.depth[row] + 1).all()
