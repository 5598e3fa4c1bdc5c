"""Scores are those of scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from solvers.decisions.platt import class_curve, class_log_loss, curve
from solvers.decisions.scores import (
    LABEL_SCORES,
    RANK_SCORES,
    label_scores,
    many_label_scores,
    many_log_losses,
    rank_scores,
    sensitivity_at,
)
from tests.each import each


@pytest.fixture
def rows():
    random = np.random.default_rng(0)
    positive = random.random(300) < 0.3
    # Rounded: many rows have the same score.
    return np.round(positive + random.normal(size=300), 1), positive


@pytest.fixture
def weight():
    return np.random.default_rng(1).integers(1, 9, 300) / 4


def test_scores_of_two_classes(rows):
    scores, positive = rows
    found = label_scores(positive, scores > 0.5)
    truth = (positive, scores > 0.5)
    assert tuple(found) == LABEL_SCORES
    assert list(found.values()) == pytest.approx(
        [
            metrics.f1_score(*truth),
            metrics.precision_score(*truth),
            metrics.recall_score(*truth),
            metrics.accuracy_score(*truth),
            metrics.balanced_accuracy_score(*truth),
        ]
    )


def test_scores_of_three_classes_are_means_over_the_classes():
    random = np.random.default_rng(0)
    truth, labels = random.integers(0, 3, 90), random.integers(0, 3, 90)
    found = many_label_scores(truth, labels)
    assert found["balanced_accuracy"] == pytest.approx(
        metrics.balanced_accuracy_score(truth, labels)
    )
    for name, average in (("f1", "macro"), ("weighted_f1", "weighted")):
        expected = metrics.f1_score(truth, labels, average=average)
        assert found[name] == pytest.approx(expected)


def test_the_log_loss_of_many_classes_is_that_of_the_softmax_that_fits():
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, 400)
    scores = np.eye(3)[truth] + random.normal(size=(400, 3))
    labels = {"validation": truth[:200], "test": truth[200:]}
    # In another unit, from another zero, and each row's moved: the same.
    moved = 7.0 * (scores + np.arange(3.0)) + random.normal(size=(400, 1))
    found = []
    for said in (scores, moved):
        parts = {"validation": said[:200], "test": said[200:]}
        found.append(many_log_losses(parts, labels, dict.fromkeys(parts)))
    assert found[0]["test"] == pytest.approx(found[1]["test"], abs=1e-4)
    assert -np.log(3) < found[0]["test"] < -0.5
    slope, offsets = class_curve(scores[:200], truth[:200])
    logits = slope * scores[200:] + offsets
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    expected = metrics.log_loss(truth[200:], shares)
    assert found[0]["test"] == pytest.approx(-expected)
    assert class_log_loss(logits, np.full(200, -1)) > 30  # of no known class


def test_of_two_classes_the_softmax_is_the_logistic_curve(rows, weight):
    scores, positive = rows
    slope, intercept = curve(scores, positive, weight)
    both = np.column_stack([-scores, scores]) / 2.0
    known, offsets = class_curve(both, positive.astype(int), weight)
    assert known == pytest.approx(slope, rel=1e-3)
    assert offsets[1] - offsets[0] == pytest.approx(intercept, abs=1e-3)


def test_rankings_are_worth_what_scikit_learn_says_ties_and_all(rows):
    scores, positive = rows
    both = {"validation": scores, "test": -scores}
    found = rank_scores(both, {"validation": positive, "test": positive})
    assert tuple(found["test"]) == RANK_SCORES
    for part, ranked in both.items():
        expected = metrics.roc_auc_score(positive, ranked)
        assert found[part]["roc_auc"] == pytest.approx(expected)
        expected = metrics.average_precision_score(positive, ranked)
        assert found[part]["average_precision"] == pytest.approx(expected)


def test_rankings_of_weighted_rows(rows, weight):
    scores, positive = rows
    found = rank_scores(
        {"validation": scores}, {"validation": positive}, {"validation": weight}
    )["validation"]
    expected = metrics.roc_auc_score(positive, scores, sample_weight=weight)
    assert found["roc_auc"] == pytest.approx(expected)
    expected = metrics.average_precision_score(positive, scores, sample_weight=weight)
    assert found["average_precision"] == pytest.approx(expected)


@each("specificity", [0.5, 0.9, 0.95, 1.0])
@each("is_weighted", [False, True])
def test_sensitivity_is_read_off_the_curve(rows, weight, specificity, is_weighted):
    scores, positive = rows
    counts = weight if is_weighted else None
    false_alarms, hits, _ = metrics.roc_curve(
        positive, scores, drop_intermediate=False, sample_weight=counts
    )
    expected = hits[false_alarms <= 1 - specificity + 1e-12].max()
    found = sensitivity_at(specificity, scores, positive, counts)
    assert found == pytest.approx(expected)


def test_a_part_of_one_class_has_scores_all_the_same():
    positive = {"validation": np.arange(6) < 3, "test": np.ones(6, dtype=bool)}
    scores = np.arange(6.0)
    found = rank_scores({"validation": -scores, "test": scores}, positive)["test"]
    assert found["roc_auc"] == 0.5
    assert np.isfinite(list(found.values())).all()
