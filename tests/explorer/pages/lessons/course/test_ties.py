"""As many selections are listed as there are."""

from itertools import combinations

from explorer.pages.lessons.course import ties
from solvers import FeatureHypergraph
from solvers.certify import RidgeObjective
from tests.each import each


@each("noise", [ties.COPIED, ties.APART])
def test_the_list_is_that_of_trying_every_three_tests(noise):
    X, y = ties.rows(noise)
    graph = FeatureHypergraph.independent([1.0] * len(ties.NAMES))
    objective = RidgeObjective(X, y, graph, ridge=ties.RIDGE)
    every = range(len(ties.NAMES))
    found = {one: objective(list(one)) for one in combinations(every, 3)}
    bound = min(found.values()) + ties.WITHIN[ties.ASKED] * (
        objective([]) - objective(list(every))
    )
    listed = ties.alike(ties.ASKED, noise)
    assert listed.complete
    assert {tuple(row.nonzero()[0].tolist()) for row in listed.selections} == {
        one for one, value in found.items() if value <= bound
    }


def test_many_are_as_good_only_where_tests_repeat_each_other():
    assert len(ties.alike(ties.ASKED).selections) > ties.FEW
    assert len(ties.alike(ties.ASKED, ties.APART).selections) == 1
