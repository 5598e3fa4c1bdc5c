"""Groups of features are those of the paper's table, and share work."""

import pytest

from solvers.datasets.makers.scenes import scene_groups, scene_hypergraph
from solvers.methods.grouped import resolve_groups
from solvers.methods.static_prefix import StaticPrefixClassifier


def test_counts_are_those_of_the_papers_table():
    sizes = {group[0].rsplit("_", 1)[0]: len(group) for group in scene_groups()}
    assert len(scene_groups()) == 28
    assert sum(len(group) for group in scene_groups()) == 60
    assert (sizes["rgb4"], sizes["hue_histogram"]) == (12, 16)
    assert (sizes["direction"], sizes["haralick"]) == (4, 4)


@pytest.mark.parametrize("costs", ["measured", "published"])
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
