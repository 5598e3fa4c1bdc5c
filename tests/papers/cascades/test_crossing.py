"""Cascades, crossed over folds and told as curves."""

from solvers.datasets import make_scenes
from solvers.papers.cascades.crossing import DRAWN, cross


def test_folds_are_compared_at_all_thresholds_and_drawn_at_few():
    pooled = list(cross([make_scenes(100, costs="published")], 2, 0))[-1]
    first = pooled.curves()[0]
    assert (first.fold, first.method) == (0, "TEFE")
    assert len(first.curve.x) == len(pooled.parts[0].curve.cost)
    assert len(pooled.series()[0].x) <= DRAWN + 2
