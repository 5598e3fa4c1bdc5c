"""Classifiers learned from tables, and models read from the bytes of files."""

import gzip

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    bundled_classifier,
    classifier_to_json,
    learn_classifier,
    learn_cut_points,
    learn_naive_bayes,
    learned_classifier,
    network_to_json,
    read_model,
)
from solvers.datasets import Column, TableSchema
from solvers.errors import DataError, InterchangeError, NetworkError
from tests.each import each


@pytest.fixture(scope="module")
def wine():
    return learned_classifier("wine", n_columns=13)


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    truth = np.arange(100) % 2 == 0
    told = truth + random.normal(0, 0.3, 100)
    noise = random.normal(0, 1, (100, 3))
    return np.column_stack([noise[:, 0], told, noise[:, 1:]]), truth


def test_a_fifth_of_the_rows_is_kept_for_judging(wine):
    assert (len(wine.train_labels), len(wine.test_labels)) == (142, 36)


def test_probabilities_are_learned_from_training_rows_alone(wine):
    classifier = wine.classifier
    labels = np.where(wine.train_labels, "class_0", "not class_0")
    again = learn_naive_bayes(
        wine.train_codes,
        labels,
        feature_states=[classifier.network.states[n] for n in classifier.features],
        feature_names=classifier.features,
    )
    for name, of in classifier.network.tables.items():
        np.testing.assert_array_equal(again.tables[name], of)


def test_cut_points_are_learned_from_training_rows_alone(wine):
    """Two states halve the training rows, but for ties; all rows are cut elsewhere."""
    medians = wine.train_codes.mean(axis=0)
    np.testing.assert_allclose(medians, 0.5, atol=0.06)
    rows = load_wine().data
    assert learn_cut_points(rows).states != tuple(
        wine.classifier.network.states[name] for name in wine.classifier.features
    )


def test_the_most_informative_columns_are_kept_in_their_order(table):
    X, truth = table
    one = learn_classifier(X, truth, True, list("abcd"), n_columns=1)
    two = learn_classifier(X, truth, True, list("abcd"), n_columns=2)
    assert one.classifier.features == ("b",)
    assert "b" in two.classifier.features
    assert list(two.classifier.features) == sorted(two.classifier.features)


def test_constant_columns_are_left_out(table):
    X, truth = table
    flat = np.column_stack([np.ones(100), X])
    found = learn_classifier(flat, truth, True, list("zabcd"), n_columns=5)
    assert "z" not in found.classifier.features


def test_all_other_labels_are_one_class():
    found = learned_classifier("wine", "tan", n_columns=4)
    assert found.classifier.network.states["class"] == ("class_0", "not class_0")


def test_a_column_called_class_leaves_its_name_to_the_feature(table):
    X, truth = table
    found = learn_classifier(X, truth, True, ["class", *"bcd"], n_columns=4)
    assert found.classifier.target == "class 2"


@each(
    ("change", "said"),
    [
        ({"model": "forest"}, "model is 'forest'"),
        ({"n_columns": 0}, "n_columns is 0"),
        ({"threshold": 2}, "threshold is 2"),
    ],
)
def test_options_that_make_no_sense_are_refused(table, change, said):
    X, truth = table
    with pytest.raises((DataError, NetworkError), match=said):
        learn_classifier(X, truth, True, list("abcd"), **change)


def test_a_class_of_few_rows_is_refused(table):
    X, _ = table
    with pytest.raises(DataError, match="2 of 100 rows are labelled 1"):
        learn_classifier(X, np.arange(100) < 2, 1, list("abcd"))


def test_a_table_of_constants_is_refused():
    with pytest.raises(DataError, match="Every column is constant"):
        learn_classifier(np.ones((20, 2)), np.arange(20) % 2, 1, ["a", "b"])


def test_names_that_do_not_fit_the_table_are_refused(table):
    X, truth = table
    with pytest.raises(DataError, match="one column a name"):
        learn_classifier(X, truth, True, ["a"])


def test_an_unknown_table_is_refused():
    with pytest.raises(NetworkError, match="There is no table 'iris'"):
        learned_classifier("iris")


def test_bytes_of_a_classifier_give_the_classifier():
    text = classifier_to_json(bundled_classifier("quiz"))
    found = read_model(text.encode(), "quiz.JSON")
    assert isinstance(found, BayesianClassifier)
    assert (found.features, found.threshold) == (("Q1", "Q2", "Q3"), 0.07)


def test_bytes_of_a_network_give_the_network_also_compressed():
    text = network_to_json(bundled_classifier("fig3").network)
    found = read_model(gzip.compress(text.encode()), "fig3.json.gz")
    assert isinstance(found, BayesianNetwork)
    assert set(found.states) == {"C", "F1", "F2", "F3"}


@each(
    ("data", "name", "said"),
    [
        (b"{}", "net.png", "does not say its format"),
        (b"", "net.png", "The file is empty"),
        (b"\xff\xfe\xfd", "net.uai", "not UTF-8"),
        (b"\x1f\x8bnot gzip", "net.bif.gz", "cannot be read"),
        (gzip.compress(b" " * 17_000_000, mtime=0), "net.json.gz", "larger than"),
        (b'{"format": "x"}', "net.json", "does not say"),
    ],
    ids=["a picture", "nothing", "not text", "not gzip", "a bomb", "another format"],
)
def test_bytes_that_are_no_model_are_refused(data, name, said):
    with pytest.raises(InterchangeError, match=said):
        read_model(data, name)


def test_columns_are_taken_by_name_in_any_order(table):
    X, y = table
    names = ["noise", "told", "more", "most"]
    schema = TableSchema(tuple(map(Column, names)))
    want = learn_classifier(X, y, True, names, n_columns=2, schema=schema)
    frame = pd.DataFrame(X, columns=names)[["told", "most", "noise", "more"]]
    found = learn_classifier(
        frame, y, True, names, n_columns=2, schema=schema.take([3, 2, 1, 0])
    )
    assert classifier_to_json(found.classifier) == classifier_to_json(want.classifier)
    assert "told" in found.classifier.features
