"""Networks are checked whole, and elimination is summation over the joint."""

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


def test_parents_come_before_children():
    network = BayesianNetwork(
        {"B": ("0",), "A": ("0",)}, {"B": ("A",)}, {"A": [1.0], "B": [[1.0]]}
    )
    assert network.variables == ("A", "B")
    assert (network.roots, network.leaves) == (("A",), ("B",))


def test_tables_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        coin().tables["A"][0] = 1


def test_rows_are_scaled_to_sum_to_one():
    network = coin(tables={"A": [0.4000004, 0.6], "B": coin().tables["B"]})
    assert network.tables["A"].sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"states": {}, "parents": {}, "tables": {}}, "has no variable"),
        ({"states": {"A": ()}}, "'A' has no states"),
        ({"states": {"A": ("0", "0"), "B": ("0",)}}, "the state '0' twice"),
        ({"parents": {"B": ("Z",)}}, "the parent 'Z', which is not a variable"),
        ({"parents": {"B": ("A", "A")}}, "names a parent twice"),
        ({"parents": {"Z": ("A",)}}, "'Z' has parents, but no states"),
        ({"parents": {"B": ("A",), "A": ("B",)}}, "run in a cycle: .* -> "),
        ({"tables": {"A": [0.4, 0.6]}}, "'B' has no probability table"),
        (
            {"tables": {"A": [0.4, 0.6], "B": [0.2, 0.3, 0.5]}},
            r"shape \(3,\); with its parents' states first .* \(2, 3\)",
        ),
        (
            {"tables": {"A": [0.4, 0.5], "B": [[1, 0, 0], [1, 0, 0]]}},
            "a row that sums to 0.9",
        ),
        ({"tables": {"A": [1.4, -0.4], "B": [[1, 0, 0]] * 2}}, "holds -0.4"),
        ({"tables": {"A": [float("nan"), 1], "B": [[1, 0, 0]] * 2}}, "holds nan"),
        ({"tables": {"A": ["x", "y"], "B": [[1, 0, 0]] * 2}}, "not made of numbers"),
    ],
)
def test_bad_networks_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(NetworkError, match=sentence):
        coin(**changes)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("Z", "0", ("B",)), "no variable 'Z'; the network has 'A', 'B'"),
        (("A", "7", ("B",)), "'A' has no state '7'; its states are '0', '1'"),
        (("A", "0", ()), "has no feature"),
        (("A", "0", ("A",)), "The target 'A' is among the features"),
        (("A", "0", ("B", "B")), "'B' stands twice"),
        (("A", "0", ("B",), 1.5), "The threshold is 1.5; it lies between 0 and 1"),
        (("A", "0", ("B",), float("nan")), "The threshold is nan"),
        (("A", "0", ("B",), "high"), "The threshold is 'high'; give a probability"),
    ],
)
def test_bad_classifiers_are_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(NetworkError, match=sentence):
        BayesianClassifier(coin(), *arguments)


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


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([[0, 1]], r"shape \(1, 2\); give one column for each of the 1"),
        ([[0.5]], "give positions of states, as integers"),
        ([[3]], "Row 0 has state 3 of 'B', which has 3; count states from 0"),
    ],
)
def test_bad_rows_are_refused(rows, sentence):
    with pytest.raises(NetworkError, match=sentence):
        BayesianClassifier(coin(), "A", "1", ("B",)).decide(rows)


def test_instances_by_name_become_codes():
    classifier = BayesianClassifier(coin(), "A", "1", ("B",))
    assert classifier.codes([{"B": "2"}, {"B": "0"}]).tolist() == [[2], [0]]
    with pytest.raises(NetworkError, match="gives no state of 'B'"):
        classifier.codes([{"A": "0"}])


def test_hidden_variables_between_class_and_feature_keep_naive_bayes():
    network = BayesianNetwork(
        {"C": ("+", "-"), "H": ("0", "1"), "X": ("0", "1"), "Y": ("0", "1")},
        {"H": ("C",), "X": ("H",), "Y": ("C",)},
        {
            "C": [0.3, 0.7],
            "H": [[0.9, 0.1], [0.4, 0.6]],
            "X": [[0.8, 0.2], [0.1, 0.9]],
            "Y": [[0.6, 0.4], [0.2, 0.8]],
        },
    )
    assert BayesianClassifier(network, "C", "+", ("X", "Y")).is_naive_bayes
    assert not BayesianClassifier(network, "C", "+", ("X", "H")).is_naive_bayes


def test_other_threshold_shares_what_is_known_of_the_distribution():
    classifier = BayesianClassifier(coin(), "A", "1", ("B",), 0.2)
    assert classifier.with_threshold(0.7).masses is classifier.masses
