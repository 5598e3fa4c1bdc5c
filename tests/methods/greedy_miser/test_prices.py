"""What is bought once costs nothing more, unless sharing is left out."""

from solvers.methods.greedy_miser.trees import FallingCosts
from tests.methods.greedy_miser.by_hand import HAND


def test_shared_components_are_paid_once():
    prices = FallingCosts(HAND, True, "split")
    assert prices.current.tolist() == [6.0, 2.0, 0.0]
    prices.buy(0)
    assert prices.current.tolist() == [0.0, 1.0, 0.0]


def test_without_sharing_a_feature_keeps_its_price():
    prices = FallingCosts(HAND, False, "split")
    prices.buy(0)
    assert prices.current.tolist() == [0.0, 2.0, 0.0]


def test_as_published_prices_fall_after_the_tree():
    prices = FallingCosts(HAND, True, "tree")
    prices.buy(0)
    assert prices.current.tolist() == [6.0, 2.0, 0.0]
    prices.end_tree()
    assert prices.current.tolist() == [0.0, 1.0, 0.0]
