"""What methods look at, as selections that a linear model can be given."""

import numpy as np
import pytest

from solvers import FeatureHypergraph, all_methods
from solvers.certify import RidgeObjective, certified_frontier
from solvers.methods.linear_choices import chosen_features
from tests.methods.test_contract import small

RIDGE = 0.05


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 5))
    y = (X @ [2.0, -1.0, 0.8, 0.4, 0.0] + rng.standard_normal(40) > 0).astype(int)
    needs = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 1]]
    return X, y, FeatureHypergraph(needs, [3.0, 2.0, 0.5, 1.0])


@pytest.fixture(scope="module")
def chosen(table):
    X, y, hypergraph = table
    return {
        name: list(chosen_features(small(method, hypergraph), X, y))
        for name, method in all_methods().items()
    }


def test_every_method_chooses_and_each_selection_once(chosen):
    for name, selections in chosen.items():
        assert selections, name
        assert len({one.tobytes() for one in selections}) == len(selections), name
        assert all(one.shape == (5,) and one.dtype == bool for one in selections)


def test_a_row_by_row_method_gives_what_every_share_of_rows_acquires(table):
    X, y, hypergraph = table
    method = all_methods()["random_forest"](hypergraph=hypergraph)
    found = list(chosen_features(method, X, y))
    for model in method.path(X, y):
        acquired = model.acquired_features(X)
        for share in (0.0, 0.5):
            wanted = (acquired.mean(axis=0) > share).tolist()
            assert wanted in [one.tolist() for one in found]


def test_what_methods_choose_bounds_the_least_objective_from_above(table, chosen):
    known = [one for selections in chosen.values() for one in selections]
    budgets, value = [2.5, 4.0, 6.5], RidgeObjective(*table, ridge=RIDGE)
    asked = {"ridge": RIDGE, "budgets": budgets}
    proven = {one.budget: one for one in certified_frontier(*table, **asked, tol=1e-6)}
    early = certified_frontier(*table, **asked, seconds=0.0, known=known)
    last = {one.budget: one for one in early}
    assert set(last) == set(proven) == set(budgets)
    for budget, one in last.items():
        cheap = [value(s) for s in known if table[2].cost(s) <= budget]
        assert proven[budget].lower <= one.upper + 1e-9
        assert one.upper <= min(cheap) + 1e-9
