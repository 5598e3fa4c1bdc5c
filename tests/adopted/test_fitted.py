"""Trees as they are read: questions of several values, and nodes that lead on."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.adopted.fitted import Asked, GrownNode, choice, tree_of
from solvers.numerics.tree_ensemble import TreeEnsemble


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_every_value_goes_its_way_and_gaps_the_last(ways):
    """Child k + 1 says k; cuts are 0, 1, 2, ..."""
    cuts = [float(k) for k in range(len(ways) - 1)]
    asked = choice(cuts, [way + 1 for way in ways])
    leaves = [GrownNode(0.25, [float(k), 0.0]) for k in range(4)]
    tree, shares = tree_of([GrownNode(1.0, [0.0, 0.0], 0, asked), *leaves])
    values = np.array([*(k - 0.5 for k in range(len(ways))), *cuts, np.nan])
    got = TreeEnsemble.of([tree]).sums(values[:, np.newaxis])[:, 0]
    assert got.tolist() == [*ways, *ways[:-1], ways[-1]]
    assert shares[0] == 1.0
    inner = np.flatnonzero(tree.features >= 0)
    assert (tree.left[inner] > inner).all()
    assert (tree.right[inner] > inner).all()


def test_gaps_may_go_below():
    ways = ("child", 1), ("child", 2)
    root = GrownNode(1.0, [0.0], 0, (Asked(1.0, *ways, gaps_below=True),))
    tree, _ = tree_of([root, GrownNode(0.5, [5.0]), GrownNode(0.5, [7.0])])
    got = TreeEnsemble.of([tree]).sums(np.array([[1.0], [1.5], [np.nan]]))
    assert got[:, 0].tolist() == [5.0, 7.0, 5.0]
