"""The answer that computes nothing is worth what scikit-learn says it is."""

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    balanced_accuracy_score,
    f1_score,
    log_loss,
    precision_score,
    recall_score,
    roc_auc_score,
)

from solvers import (
    Dataset,
    FeatureHypergraph,
    all_datasets,
    free_scores,
    split_dataset,
)
from solvers.frontier.free_answer import free_answer
from tests.each import each

METRICS = {"f1": f1_score, "precision": precision_score, "recall": recall_score}


@each("score", list(METRICS))
def test_two_classes_are_all_called_positive(score):
    data = all_datasets()["breast_cancer"]()
    split = split_dataset(data, 3)
    for part, found in free_scores(split, score).items():
        y = split.y(part)
        called = np.full(len(y), data.positive)
        wanted = METRICS[score](y, called, pos_label=data.positive, zero_division=0)
        assert found == pytest.approx(wanted)


@each("score", list(METRICS))
def test_many_classes_are_all_called_the_commonest(score):
    split = split_dataset(all_datasets()["digits"]())
    for part, found in free_scores(split, score).items():
        y = split.y(part)
        called = np.full(len(y), free_answer(split, score))
        wanted = METRICS[score](y, called, average="macro", zero_division=0)
        assert found == pytest.approx(wanted)


def test_accuracy_is_bought_by_the_commonest_class_of_the_training_rows():
    data = all_datasets()["signals"](n_samples=600)
    split = split_dataset(data)
    answer = free_answer(split, "accuracy")
    assert answer != data.positive  # a third of the rows is positive
    said = np.full(len(split.y("test")), answer)
    found = free_scores(split, "accuracy")["test"]
    assert found == pytest.approx(accuracy_score(split.y("test"), said))


RANKED = {
    "roc_auc": roc_auc_score,
    "balanced_accuracy": balanced_accuracy_score,
    "average_precision": average_precision_score,
}


@each("score", list(RANKED))
def test_no_row_is_ranked_before_another_for_free(score):
    data = all_datasets()["breast_cancer"]()
    split = split_dataset(data)
    truth = split.y("test") == data.positive
    wanted = RANKED[score](truth, np.ones(len(truth), dtype=int))
    assert free_scores(split, score)["test"] == pytest.approx(wanted)


def test_for_free_one_says_how_common_the_class_is():
    data = all_datasets()["breast_cancer"]()
    split = split_dataset(data)
    truth = split.y("test") == data.positive
    said = np.full(len(truth), np.mean(split.y("train") == data.positive))
    found = free_scores(split, "neg_log_loss")["test"]
    assert found == pytest.approx(-log_loss(truth, said))
    assert free_scores(split, "sensitivity_at_specificity")["test"] == 0.0


def test_of_three_classes_it_is_what_scikit_learn_says_of_one_answer():
    y = np.repeat([0, 1, 2], [50, 30, 20])
    X = np.random.default_rng(0).standard_normal((100, 2))
    split = split_dataset(Dataset("three", X, y, FeatureHypergraph.independent([1, 1])))
    truth, known = split.y("test"), split.y("train")
    told = np.bincount(known) / len(known)
    shares = np.tile(told, (len(truth), 1))
    expected = -log_loss(truth, shares, labels=[0, 1, 2])
    assert free_scores(split, "neg_log_loss")["test"] == pytest.approx(expected)
    said = np.full(len(truth), free_answer(split))
    expected = f1_score(truth, said, average="weighted")
    assert free_scores(split, "weighted_f1")["test"] == pytest.approx(expected)
