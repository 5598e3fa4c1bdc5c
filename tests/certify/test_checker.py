"""The checker's own parts, against brute force over all that could be bought."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.certify import certified_frontier, check_certificate
from solvers.certify.checker import _closure, _covers, _merged
from tests.each import each


def all_purchases(m):
    return [
        np.array(bought, dtype=bool) for bought in itertools.product([0, 1], repeat=m)
    ]


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=25)
def test_the_minimum_cut_is_the_best_closure(seed, n, m):
    rng = np.random.default_rng(seed)
    profits, prices = rng.random(n), rng.random(m)
    needs = rng.random((n, m)) < 0.5
    worth = [
        profits[(needs <= bought).all(axis=1)].sum() - prices[bought].sum()
        for bought in all_purchases(m)
    ]
    found = _closure(profits, needs, prices)
    # Rounding of capacities is on the safe side: never below the best.
    assert max(worth) <= found + 1e-12
    assert found == pytest.approx(max(worth), abs=1e-6)


def test_nothing_to_gain_is_nothing():
    assert _closure(np.zeros(3), np.ones((3, 2), bool), np.zeros(2)) == 0.0


LEAVES_OF_FOUR = st.lists(
    st.dictionaries(st.integers(0, 3), st.booleans(), max_size=4), max_size=6
)


def keeps(bought, leaf):
    return all(bought[c] == inside for c, inside in leaf.items())


@given(LEAVES_OF_FOUR)
def test_leaves_are_called_whole_only_where_each_purchase_keeps_to_one(leaves):
    whole = all(
        any(keeps(bought, leaf) for leaf in leaves) for bought in all_purchases(4)
    )
    # What no one component splits is refused, though it may be whole.
    assert whole or not _covers(leaves)


@given(st.integers(0, 2**32 - 1))
def test_leaves_of_a_tree_are_whole_and_none_can_be_left_out(seed):
    rng = np.random.default_rng(seed)

    def grown(free, decided):
        if not free or rng.random() < 0.3:
            return [decided]
        c = int(rng.choice(free))
        rest = [other for other in free if other != c]
        return [
            leaf for side in (True, False) for leaf in grown(rest, {**decided, c: side})
        ]

    leaves = grown(list(range(4)), {})
    assert _covers(leaves)
    for k in range(len(leaves)):
        assert not _covers(leaves[:k] + leaves[k + 1 :])


def test_components_of_the_same_features_are_one_at_the_sum_of_their_prices():
    needs = np.array([[1, 0, 1, 1], [0, 1, 0, 1]], dtype=bool)
    price = np.array([1.0, 2.0, 4.0, 0.0])  # the last is free: nobody decides it
    kinds, sums, merged = _merged(needs, price)
    assert sorted(sums.tolist()) == [2.0, 5.0]
    assert merged[0] == merged[2] != merged[1]
    assert merged[3] == -1
    assert kinds.shape == (2, 2)


# Two columns, one of which needs what costs 1, and rows whose classes are in balance.
X = np.array([[1.0, -1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
Y = np.array([1, 0, 1, 1])
NEEDS, COSTS, RIDGE = np.eye(2), [1.0, 3.0], 2.0
WEIGHTS = [1.0, 3.0, 1.0, 1.0]  # each class weighs 3 of 6


def claimed(**changes):
    leaf = {"decisions": [], "vector": [0.5] * 4, "multiplier": 0.0}
    base = {"format": "certified-floor-2", "budget": 4.0, "ridge": RIDGE, "without": []}
    leaf |= {key: changes.pop(key) for key in list(changes) if key in leaf}
    return {**base, "leaves": [leaf], **changes}


def proven(record, weights=WEIGHTS):
    return check_certificate(record, X, Y, NEEDS, COSTS, weights)


def gains_by_hand():
    rows = np.array(WEIGHTS) / 6
    centred = X - rows @ X
    table = centred / np.sqrt(rows @ centred**2)
    return (table.T @ (rows * 0.5 * np.array([1, -1, 1, 1]))) ** 2 / (2 * RIDGE)


def test_where_all_is_affordable_and_free_the_floor_is_entropy_less_all_gains():
    assert proven(claimed()) == pytest.approx(np.log(2) - gains_by_hand().sum())


def test_what_costs_more_than_the_budget_gains_nothing():
    expected = np.log(2) - gains_by_hand()[0]
    assert proven(claimed(budget=1.0)) == pytest.approx(expected)


def test_what_is_ruled_out_gains_nothing():
    expected = np.log(2) - gains_by_hand()[1]
    assert proven(claimed(without=[0])) == pytest.approx(expected)


def test_a_multiplier_charges_for_the_budget_and_saves_the_prices():
    gains, price = gains_by_hand(), 1e-3
    kept = np.maximum(gains - price * np.array(COSTS), 0).sum()
    expected = np.log(2) - kept - price * 4.0
    found = proven(claimed(multiplier=price))
    assert found == pytest.approx(expected, abs=1e-7)


@each(
    ("changes", "weights", "sentence"),
    [
        ({"vector": [0.5, 0.5, 0.5]}, WEIGHTS, "does not give each row a number"),
        ({"vector": [0.5, 0.5, 0.5, 1.1]}, WEIGHTS, "does not give each row a number"),
        ({"vector": [0.5, 0.5, 0.5, 0.4]}, WEIGHTS, "hold the classes in balance"),
        ({}, None, "hold the classes in balance"),
        ({"multiplier": -1.0}, WEIGHTS, "A multiplier is -1, no number from 0 up"),
        ({"multiplier": np.nan}, WEIGHTS, "A multiplier is nan, no number from 0 up"),
        # At a budget of 0 this was no number, which the least of all passes over.
        ({"multiplier": np.inf, "budget": 0.0}, WEIGHTS, "A multiplier is inf"),
        ({"vector": [np.nan] * 4}, WEIGHTS, "does not give each row a number"),
        ({"vector": "a"}, WEIGHTS, "A vector holds what is no number"),
        ({"budget": "a"}, WEIGHTS, "The certificate holds what is no number"),
        ({"ridge": np.nan}, WEIGHTS, "The ridge is nan, which is no number above 0"),
        ({"without": [7]}, WEIGHTS, "no whole certificate .IndexError: index 7"),
        ({"without": 7}, WEIGHTS, "This is no whole certificate .TypeError"),
        ({"format": "x"}, WEIGHTS, "The format is 'x'; this checker reads"),
        ({"decisions": [[0, True]]}, WEIGHTS, "do not cover all selections"),
        ({"decisions": [[0, True], [0, False]]}, WEIGHTS, "what cannot be decided"),
        ({}, [1.0, 3.0, 1.0], "do not give each row a number from 0 up"),
        ({}, [1.0, 3.0, 1.0, -1.0], "do not give each row a number from 0 up"),
    ],
)
def test_a_proof_with_a_gap_is_refused_with_what_to_give(changes, weights, sentence):
    with pytest.raises(ValueError, match=sentence) as refusal:
        proven(claimed(**changes), weights)
    assert "; " in str(refusal.value)
    assert ". " not in str(refusal.value)


@each(
    ("changes", "sentence"),
    [
        ({"X": "a"}, "X holds what is no number"),
        ({"X": X + 1j}, "X holds what is no number .its type is complex128"),
        ({"X": [[1, 2], [3]]}, "X holds what is no number"),
        ({"X": X[:2]}, "its shape is .2, 2., for 4 labels and 2 features"),
        ({"y": [0, 1, 2, 1]}, "y has shape .4,. and 3 classes"),
        ({"y": [np.nan, 1, np.nan, 1]}, "two classes, none missing"),
        ({"y": np.array(["a", 1, None, 1])}, "y holds labels that make no classes"),
        ({"incidence": None, "costs": None}, "There are no costs; give some"),
        ({"costs": [1.0]}, "there are .1,., for an incidence of shape .2, 2."),
        ({"costs": "a"}, "costs holds what is no number"),
        ({"certificate": 3}, "This is no whole certificate .TypeError"),
        ({"certificate": {}}, "This is no whole certificate .KeyError: 'format'"),
    ],
)
def test_what_nothing_can_be_proven_of_is_refused_in_a_sentence(changes, sentence):
    given_ = {"certificate": claimed(), "X": X, "y": Y, "incidence": NEEDS}
    given_ |= {"costs": COSTS, "sample_weight": WEIGHTS}
    with pytest.raises(ValueError, match=sentence) as refusal:
        check_certificate(**given_ | changes)
    assert ". " not in str(refusal.value)


def test_weights_whose_sum_overflows_are_weights():
    assert proven(claimed(), [w * 5e307 for w in WEIGHTS]) == proven(claimed())


def test_costs_come_before_those_of_a_hypergraph():
    hypergraph = FeatureHypergraph.independent([9.0, 9.0])
    found = check_certificate(claimed(budget=1.0), X, Y, hypergraph, COSTS, WEIGHTS)
    assert found == proven(claimed(budget=1.0))


def test_a_region_s_leaf_that_is_no_number_proves_nothing():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((80, 12))
    labels = table @ rng.standard_normal(12) + rng.standard_normal(80) > 0
    hypergraph = FeatureHypergraph.independent(rng.random(12) + 0.5)
    arguments = table, labels, hypergraph
    stream = certified_frontier(*arguments, ridge=1e-3, tol=1e-4, budgets=[4])
    *_, last = stream
    record = last.certificate.as_record()
    assert check_certificate(record, *arguments) >= record["lower"] - 1e-6
    forged = [leaf for leaf in record["leaves"] if leaf["region"] is not None]
    assert forged
    for leaf in forged:
        leaf["vector"] = [np.nan] * 12
    with pytest.raises(ValueError, match="does not give each feature a weight"):
        check_certificate(record, *arguments)
