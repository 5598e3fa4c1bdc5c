"""The real table, with costs that say that they are illustrative."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from solvers.datasets import make_breast_cancer


@pytest.fixture(scope="module")
def table():
    return make_breast_cancer()


def test_rows_are_those_of_scikit_learn(table):
    original = load_breast_cancer()
    assert np.array_equal(table.X, original.data)
    assert table.feature_names == tuple(original.feature_names)
    assert np.array_equal(table.y == "malignant", original.target == 0)
    assert table.positive == "malignant"


def test_three_statistics_share_each_of_ten_traces(table):
    hypergraph = table.hypergraph
    assert hypergraph.n_components == 10 + 30 + 30
    assert len(set(hypergraph.connected_components()[1])) == 10
    sharing = [f"{name} concave points" for name in ("mean", "worst")]
    sharing.append("concave points error")
    together = hypergraph.cost(sharing)
    trace = hypergraph.cost(sharing[:1]) - hypergraph.cost(
        sharing[:1], computed=["trace concave points"]
    )
    apart = sum(hypergraph.cost([name]) for name in sharing)
    assert together == pytest.approx(apart - 2 * trace)


def test_using_a_statistic_is_a_component_of_its_own(table):
    hypergraph = table.hypergraph
    kinds = np.array(hypergraph.kinds) == "utilisation"
    assert kinds.sum() == 30
    assert np.array_equal(hypergraph.incidence.toarray()[kinds], np.eye(30))


def test_costs_are_said_to_be_illustrative(table):
    assert "llustrative" in table.costs_note
    assert table.unit == "ms"
    assert table.hypergraph.total_cost == pytest.approx(51.6)
