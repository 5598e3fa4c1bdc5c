"""Elimination is summation over the joint distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import BayesianClassifier, BayesianNetwork, joint, posterior
from solvers.bayes.elimination import conditional
from solvers.errors import NetworkError
from tests.bayes.worlds import (
    classifiers,
    coin,
    general_network,
    listed,
    listed_joint,
    naive_network,
    named,
)


@given(st.integers(0, 10_000), st.integers(1, 5), st.data())
def test_elimination_sums_the_joint_distribution(seed, n, data):
    network = general_network(np.random.default_rng(seed), n, (1, 2, 3), zeros=True)
    names, table = listed_joint(network)
    wanted = data.draw(st.permutations(names))[: data.draw(st.integers(1, len(names)))]
    others = tuple(i for i, v in enumerate(names) if v not in wanted)
    kept = [v for v in names if v in wanted]
    expected = table.sum(axis=others).transpose([kept.index(v) for v in wanted])
    assert joint(network, wanted) == pytest.approx(expected)


@given(st.integers(0, 10_000))
def test_evidence_selects_from_the_joint_distribution(seed):
    network = general_network(np.random.default_rng(seed), 4, (2, 3))
    whole = joint(network, ("C", "F0", "F1"))
    assert joint(network, ("C", "F1"), {"F0": 1}) == pytest.approx(whole[:, 1])


def test_of_no_variable_the_joint_is_the_probability_of_the_evidence():
    network = general_network(np.random.default_rng(0), 4, (2, 3))
    assert joint(network, (), {}) == 1.0
    seen = joint(network, (), {"F0": 1})
    assert seen == pytest.approx(joint(network, ("F0",))[1])


# Every joint state is asked for, those that cannot occur too.
@pytest.mark.filterwarnings("ignore:The network gives")
@given(classifiers())
def test_posteriors_of_rows_are_those_of_the_joint(classifier):
    rows, positive, total = listed(classifier)
    possible = total > 1e-12
    found = classifier.posterior(rows)[possible]
    assert found == pytest.approx((positive / np.maximum(total, 1e-300))[possible])


def test_posterior_of_many_rows_is_one_elimination_for_each():
    network = general_network(np.random.default_rng(4), 5, (2, 3), hidden=2)
    rng = np.random.default_rng(0)
    seen = {v: rng.integers(network.cardinality(v), size=20) for v in ("F0", "F3")}
    found = posterior(network, "C", seen)
    for i in range(20):
        evidence = {v: int(rows[i]) for v, rows in seen.items()}
        assert found[i] == pytest.approx(joint(network, ("C",), evidence))


def test_posterior_of_nothing_is_the_prior():
    network = coin()
    assert posterior(network, "A", {}).tolist() == [[0.4, 0.6]]
    classifier = BayesianClassifier(network, "A", "1", ("B",))
    assert classifier.posterior([[0], [1]], []).tolist() == [0.6, 0.6]


def test_condition_of_probability_zero_gives_a_uniform_row():
    network = BayesianNetwork(
        {"A": ("0", "1"), "B": ("0", "1")}, {}, {"A": [1, 0], "B": [0.25, 0.75]}
    )
    assert conditional(network, "B", "A").tolist() == [[0.25, 0.75], [0.5, 0.5]]


def test_too_large_a_table_is_refused():
    network = naive_network(np.random.default_rng(0), 40)
    with pytest.raises(NetworkError, match=r"needs a table of .* numbers"):
        joint(network, named(40))
