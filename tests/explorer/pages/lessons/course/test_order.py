"""The cheapest next feature is the wrong one exactly where sharing makes it so."""

from explorer.pages.lessons.course import order


def test_two_features_of_one_component_cost_less_than_the_cheapest_and_another():
    alone, together_ = (order.bought(name, 10.0)[1][1] for name in order.TITLES)
    assert (alone, together_) == (19.0, 12.0)


def test_whoever_stops_after_one_feature_pays_less_with_the_cheapest():
    alone, together_ = (order.bought(name, 10.0)[1][0] for name in order.TITLES)
    assert alone < together_


def test_both_orders_are_the_same_where_sharing_is_too_dear():
    assert len({order.bought(name, 20.0)[0] for name in order.TITLES}) == 1
