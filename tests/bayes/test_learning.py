"""Cut points, naive Bayes and TAN, learned from a table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB

from solvers.bayes import (
    joint,
    learn_classifier,
    learn_cut_points,
    learn_naive_bayes,
    learn_tan,
    network_to_json,
    sample,
)
from solvers.bayes.learning import column_states
from solvers.datasets import from_frame
from solvers.errors import DataError
from tests.bayes.worlds import naive_network, named
from tests.each import each

N = 120


def table():
    rng = np.random.default_rng(0)
    towns = rng.choice([*"abcdefgh", None], N, p=[*[0.12] * 8, 0.04])
    return from_frame(
        pd.DataFrame(
            {
                "town": towns,
                "age": np.where(rng.random(N) < 0.1, np.nan, rng.normal(50, 9, N)),
                "seen": pd.date_range("2024-01-01", periods=N),
                "ill": np.where(rng.random(N) < 0.5, "y", "n"),
            }
        ),
        "ill",
    )


def states(train=None, n_bins=2):
    data = table()
    rows = np.arange(N) if train is None else train
    return data, *column_states(data.X, rows, n_bins, data.schema, np.ones(len(data.X)))


def test_words_and_days_name_states_and_gaps_are_one():
    _, _, (town, age, seen) = states()
    assert len(town) == 7
    assert town[-2:] == ("other", "missing")
    assert age[-1] == "missing"
    assert seen == ("<= 2024-02-29", "> 2024-02-29")


def test_each_cell_is_in_the_state_of_its_value():
    data, places, (town, age, _) = states()
    values = data.schema.columns[0].values
    for code, place in zip(data.X[:, 0], places[:, 0], strict=True):
        said = "missing" if np.isnan(code) else values[int(code)]
        assert town[place] == (said if said in town else "other")
    assert np.array_equal(places[:, 1] == age.index("missing"), np.isnan(data.X[:, 1]))


def test_what_training_rows_do_not_know_is_as_good_as_the_commonest():
    X = table().X
    told = (np.nan_to_num(X[:, 0], nan=9) < 3) & ~np.isnan(X[:, 1])
    _, places, (town, age, _) = states(np.flatnonzero(told))
    assert town == ("a", "b", "c")
    assert "missing" not in age
    commonest = int(np.argmax(np.bincount(places[told, 0])))
    assert set(places[np.isnan(X[:, 0]) | (X[:, 0] > 2), 0]) == {commonest}


def test_a_classifier_of_a_table_asks_for_its_columns():
    data = table()
    found = learn_classifier(
        data.X, data.y, "y", data.feature_names, "tan", schema=data.schema
    )
    assert set(found.classifier.features) <= set(data.feature_names)


def test_bins_hold_equal_shares():
    X = np.random.default_rng(0).normal(size=(1000, 2))
    codes = learn_cut_points(X, 4).codes(X)
    assert np.bincount(codes[:, 0]).tolist() == [250] * 4


def test_cut_points_see_training_rows_only():
    cuts = learn_cut_points([[0.0], [1.0], [2.0], [3.0]])
    assert cuts.codes([[-100.0], [100.0]]).ravel().tolist() == [0, 1]
    assert cuts.cuts[0].tolist() == [1.5]


def test_weight_of_two_is_a_row_twice():
    rng = np.random.default_rng(1)
    X, weights = rng.normal(size=(50, 3)), rng.integers(0, 4, 50)
    weighted = learn_cut_points(X, 3, weights)
    repeated = learn_cut_points(np.repeat(X, weights, axis=0), 3)
    for one, other in zip(weighted.cuts, repeated.cuts, strict=True):
        assert one.tolist() == other.tolist()


def test_constant_column_has_one_state():
    cuts = learn_cut_points(np.ones((5, 1)), 4)
    assert (cuts.cardinalities, cuts.states) == ((1,), (("any",),))


def test_states_are_named_by_their_cuts():
    cuts = learn_cut_points(np.arange(6.0)[:, None], 3)
    assert cuts.states == (("<= 1.5", "1.5 to 3.5", "> 3.5"),)


@each(
    ("call", "sentence"),
    [
        (lambda: learn_cut_points([[np.nan]]), "rows of finite numbers"),
        (lambda: learn_cut_points([[1.0]], 1), "n_bins is 1; it lies between 2"),
        (
            lambda: learn_cut_points([[1.0]]).codes([[1.0, 2.0]]),
            r"shape \(1, 2\); give one column for each of the 1",
        ),
        (lambda: learn_cut_points([[1.0]]).codes([[np.nan]]), "X holds NaN"),
        (lambda: learn_naive_bayes([[0.5]], [0]), "give positions of states"),
        (lambda: learn_naive_bayes([[-1]], [0]), "count states from 0"),
        (lambda: learn_naive_bayes([[0]], [0, 1]), "1 rows, but 2 labels"),
        (lambda: learn_naive_bayes([[0]], [0], laplace=-1), "laplace is -1"),
        (
            lambda: learn_naive_bayes([[0]], [0], feature_names=["class"]),
            "give each a name of its own",
        ),
        (
            lambda: learn_naive_bayes([[2]], [0], feature_states=[["a", "b"]]),
            "Column 0 holds the code 2, but has 2 states",
        ),
        (
            lambda: learn_naive_bayes([[0]], [0], feature_states=[]),
            "1 features, but states of 0",
        ),
        (
            lambda: learn_naive_bayes([[0]], [0], sample_weight=[-1]),
            "weights are 0 or more",
        ),
    ],
)
def test_bad_tables_are_refused_with_a_sentence(call, sentence):
    with pytest.raises(DataError, match=sentence):
        call()


@each("weighted", [False, True])
def test_naive_bayes_is_that_of_scikit_learn(cancer, weighted):
    X, y = cancer
    weights = np.random.default_rng(0).random(len(y)) if weighted else None
    codes = learn_cut_points(X, 3).codes(X)
    network = learn_naive_bayes(codes, y, laplace=2.0, sample_weight=weights)
    rival = CategoricalNB(alpha=2.0).fit(codes, y, weights)
    for j in range(codes.shape[1]):
        learned = network.tables[f"x{j}"]
        assert learned == pytest.approx(np.exp(rival.feature_log_prob_[j]))


def test_tan_finds_the_chain_that_the_rows_come_from():
    """x1 copies x0 and x3 copies x2, mostly; the tree links them."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=4000)
    x0, x2 = (rng.random(4000) < 0.3 + 0.4 * y), (rng.random(4000) < 0.5)
    flips = rng.random((2, 4000)) < 0.1
    codes = np.column_stack([x0, x0 ^ flips[0], x2, x2 ^ flips[1]]).astype(int)
    network = learn_tan(codes, y)
    links = {frozenset((v, of)) for v, up in network.parents.items() for of in up}
    assert {frozenset(("x0", "x1")), frozenset(("x2", "x3"))} <= links
    assert all("class" in up for v, up in network.parents.items() if v != "class")


def test_tan_of_one_feature_is_naive_bayes():
    codes, y = np.array([[0], [1], [1], [0]]), [0, 1, 1, 1]
    one, other = learn_tan(codes, y), learn_naive_bayes(codes, y)
    assert one.tables["x0"].tolist() == other.tables["x0"].tolist()


def test_tan_fits_the_rows_better_than_naive_bayes(cancer):
    X, y = cancer
    codes = learn_cut_points(X, 2).codes(X)
    place = (y, *codes.T)

    def likelihood(network):
        names = ("class", *(f"x{j}" for j in range(codes.shape[1])))
        return np.log(joint(network, names)[place]).sum()

    assert likelihood(learn_tan(codes, y)) > likelihood(learn_naive_bayes(codes, y))


@given(st.integers(0, 1000))
def test_learning_recovers_the_network_of_many_rows(seed):
    network = naive_network(np.random.default_rng(seed), 2)
    drawn = sample(network, 20_000, seed)
    codes = np.column_stack([drawn[name] for name in named(2)])
    learned = learn_naive_bayes(codes, drawn["C"])
    assert joint(learned, ("class", "x0", "x1")) == pytest.approx(
        joint(network, ("C", "F0", "F1")), abs=0.03
    )


@each("learn", [learn_naive_bayes, learn_tan])
def test_columns_are_taken_by_name_in_any_order(learn):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (60, 3)), columns=["a", "b", "c"])
    labels = frame["a"] ^ (frame["b"] & frame["c"])
    want = learn(frame.to_numpy(), labels, feature_names=["a", "b", "c"])
    turned = learn(frame[["c", "a", "b"]], labels, feature_names=["a", "b", "c"])
    assert network_to_json(turned) == network_to_json(want)
    assert network_to_json(learn(frame, labels)) == network_to_json(want)
    with pytest.raises(DataError, match="X has no 'd', which the list of names names"):
        learn(frame, labels, feature_names=["a", "b", "d"])
