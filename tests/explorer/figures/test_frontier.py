"""Points are parted by their method, in the order in which these come."""

from itertools import islice

from explorer.figures.frontier import by_method, method_title
from solvers import Frontier, all_methods, trace_frontier
from solvers.datasets import make_breast_cancer


def test_each_method_has_its_own_points_in_order():
    data = make_breast_cancer()
    traces = [trace_frontier(name, data) for name in ("l1", "csnb")]
    points = [point for trace in traces for point in islice(trace, 3)]
    found = by_method(points, "mean")
    assert list(found) == ["l1", "csnb"]
    assert all(point.method == name for name in found for point in found[name])
    of_max = by_method(Frontier(points, "max"), "mean")
    assert {one.accounting for one in of_max.values()} == {"max"}


def test_a_method_that_is_not_installed_is_called_by_its_short_name():
    assert method_title("l1") == all_methods()["l1"].title
    assert method_title("gone") == "gone"
