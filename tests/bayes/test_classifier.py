"""A classifier is checked whole, and reads rows by name."""

import numpy as np
import pandas as pd
import pytest

from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    classic_network,
    joint,
    learn_cut_points,
    learn_naive_bayes,
)
from solvers.errors import DataError, DataWarning, NetworkError
from tests.bayes.worlds import coin
from tests.each import each


@each(
    ("arguments", "sentence"),
    [
        (("Z", "0", ("B",)), "no variable 'Z'; the network has 'A', 'B'"),
        (("A", "7", ("B",)), "'A' has no state '7'; its states are '0', '1'"),
        (("A", "0", ()), "has no feature"),
        (("A", "0", ("A",)), "The target 'A' is among the features"),
        (("A", "0", ("B", "B")), "the feature 'B' twice"),
        (("A", "0", ("B",), 1.5), "The threshold is 1.5; it lies between 0 and 1"),
        (("A", "0", ("B",), float("nan")), "The threshold is nan"),
        (("A", "0", ("B",), "high"), "The threshold is 'high'; give a probability"),
    ],
)
def test_bad_classifiers_are_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(NetworkError, match=sentence):
        BayesianClassifier(coin(), *arguments)


@each(
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


@each("features", [("either", "lung", "tub"), ("xray", "dysp")])
def test_rows_that_cannot_occur_are_told_and_answered_by_the_prior(features):
    asia = classic_network("asia")
    classifier = BayesianClassifier(asia, "bronc", "yes", features)
    every = np.indices([2] * len(features)).reshape(len(features), -1).T
    names = list(features)
    seen = np.array([joint(asia, names)[tuple(row)] for row in every])
    if seen.all():
        assert np.isfinite(classifier.posterior(every)).all()  # and nothing is told
        return
    with pytest.warns(DataWarning, match=f"gives {(seen == 0).sum()} rows, such as"):
        found = classifier.posterior(every)
    assert found[seen == 0] == pytest.approx(joint(asia, ("bronc",))[0])


def test_a_row_of_many_unlikely_values_can_occur():
    names = [f"f{k}" for k in range(400)]
    tables = {name: [[0.999, 0.001], [0.998, 0.002]] for name in names}
    network = BayesianNetwork(
        {"c": ("0", "1"), **{name: ("0", "1") for name in names}},
        {name: ("c",) for name in names},
        {"c": [0.5, 0.5], **tables},
    )
    rare = np.ones((1, 400), dtype=int)
    assert BayesianClassifier(network, "c", "1", names).posterior(rare) > 0.99


def test_columns_of_states_are_taken_by_name(cancer):
    X, y = cancer
    names = tuple("abcdef")
    frame = pd.DataFrame(learn_cut_points(X, 2).codes(X), columns=names)
    network = learn_naive_bayes(frame, y)
    classifier = BayesianClassifier(network, "class", "1", names)
    want = classifier.posterior(frame.to_numpy())
    assert np.array_equal(classifier.posterior(frame[[*"fbadce"]]), want)
    called = classifier.decide(frame[[*"fbadce"]])
    assert np.array_equal(called, classifier.decide(frame.to_numpy()))
    with pytest.raises(DataError, match="The table has no 'b', which the classifier n"):
        classifier.posterior(frame.drop(columns="b"))
