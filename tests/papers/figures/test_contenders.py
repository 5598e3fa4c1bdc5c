"""Who is compared, on which copies of which data."""

import pytest

from solvers import all_methods, split_dataset
from solvers.datasets import make_gaussian, make_signals
from solvers.papers.figures.contenders import PUBLISHED, contenders, repeated


def test_rivals_stand_beside_the_others():
    methods = contenders(refit=True, rivals=["csdt"])
    assert isinstance(methods[all_methods()["csdt"].title], all_methods()["csdt"])


def test_acafh_as_published_offers_one_model_for_each_trade_off():
    data = make_gaussian(0.2, 12, 300)
    split = split_dataset(data)
    train = split.X("train"), split.y("train")
    methods = contenders(refit=False)
    for name in PUBLISHED:
        model = methods[name].set_params(hypergraph=data.hypergraph)
        published = list(model.path(*train))
        alphas = [found.alpha for found in published]
        assert len(set(alphas)) == len(alphas) == model.n_alphas
        ours = methods[name.removesuffix(", as published")]
        ours.set_params(hypergraph=data.hypergraph)
        assert len(list(ours.path(*train))) > len(published)


def test_copies_of_a_hypergraph_share_nothing():
    once = make_signals(100).hypergraph
    blocks = len(set(once.connected_components()[0]))
    thrice = repeated(once, 3)
    assert len(set(thrice.connected_components()[0])) == 3 * blocks
    assert thrice.total_cost == pytest.approx(3 * once.total_cost)
