"""The cascade saves where the quick test knows something, and nowhere else."""

from explorer.pages.lessons.course import cascade, two_tests


def test_the_cascade_comes_near_full_accuracy_for_less_than_half_the_cost():
    _, cost = cascade.cheapest_near()
    assert cost < 0.5 * sum(two_tests.COSTS)


def test_the_cascade_saves_hardly_anything_where_the_quick_test_knows_nothing():
    _, cost = cascade.cheapest_near(quick=0.0)
    assert cost > 0.9 * sum(two_tests.COSTS)
