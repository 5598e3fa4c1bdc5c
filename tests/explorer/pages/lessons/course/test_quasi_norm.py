"""A source is taken whole under ℓ½ and in part under ℓ1, where something is shared."""

from explorer.pages.lessons.course import quasi_norm


def test_only_l1_pays_for_a_source_and_leaves_out_a_part_of_it():
    assert quasi_norm.half_opened("reweighted_l1")
    assert not quasi_norm.half_opened("acafh")


def test_l_half_offers_fewer_prices_than_l1():
    prices = {
        name: {quasi_norm.fitted(name, at).cost_ for at in range(14)}
        for name in quasi_norm.METHODS
    }
    assert len(prices["acafh"]) < len(prices["reweighted_l1"])


def test_where_nothing_is_shared_l_half_opens_some_of_the_three_features_too():
    counts = {
        int(quasi_norm.fitted("acafh", at, is_shared=False).support_[:3].sum())
        for at in range(14)
    }
    assert counts & {1, 2}
