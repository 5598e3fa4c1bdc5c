"""Mean, 95th percentile and worst row disagree where few rows go on."""

from explorer.pages.lessons.course import three_costs, two_tests


def test_mean_and_95th_percentile_disagree_where_few_rows_go_on():
    found = two_tests.outcome(two_tests.THRESHOLDS[three_costs.asked()])
    assert found.mean < 2.0
    assert found.p95 == found.max == sum(two_tests.COSTS)


def test_all_three_costs_agree_where_no_row_adapts():
    found = two_tests.outcome(two_tests.THRESHOLDS[0])
    assert found.mean == found.p95 == found.max == two_tests.COSTS[0]
