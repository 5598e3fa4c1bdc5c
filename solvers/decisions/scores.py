"""What decisions are worth: the scores of labels, of rankings and of probabilities."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score, precision_recall_fscore_support

from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.cuts import midway
from .mistakes import MistakeCosts
from .platt import class_curve, class_log_loss, curve, log_loss
from .program import PricedAnswers

#: Of labels, whatever the number of classes.
LABEL_SCORES = ("f1", "precision", "recall", "accuracy", "balanced_accuracy")
#: Of what decides between two classes, whatever the threshold.
RANK_SCORES = (
    "roc_auc",
    "average_precision",
    "sensitivity_at_specificity",
    "neg_log_loss",
)
#: Of more than two classes, beside those of labels, which are means over the classes.
MANY_SCORES = ("weighted_f1", "neg_log_loss")
#: Tests and mistakes a row, negated, where it is known what mistakes cost.
TOTAL_COST = "neg_total_cost"
#: Losses and costs, kept negated so that of each score more is better.
NEGATED = ("neg_log_loss", TOTAL_COST)
#: All of them, as ``Frontier(score=...)`` takes one.
SCORES = (*LABEL_SCORES, *RANK_SCORES, "weighted_f1", TOTAL_COST)
#: At which "sensitivity_at_specificity" is read.
SPECIFICITY = 0.95
# Sums of the same costs in another order differ by rounding.
_SAME_COST = 1e-12
_TINY = np.finfo(float).tiny  # of nothing nothing is right: 0, not 0 / 0


def scores_of_classes(n_classes: int) -> tuple[str, ...]:
    """Return the scores that there are of so many classes."""
    return (*LABEL_SCORES, *(RANK_SCORES if n_classes <= 2 else MANY_SCORES))


def best_threshold(
    scores: NDArray, positive: Mask, weight: Floats | None = None
) -> float:
    """Return the threshold of best F1; rows at or above it are called positive."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    counts = np.ones(len(scores)) if weight is None else weight[order]
    hits = np.cumsum(counts * positive[order])
    f1 = 2 * hits / (np.cumsum(counts) + hits[-1])
    # A threshold cannot part rows of the same score.
    f1[:-1][ranked[:-1] == ranked[1:]] = -1.0
    last = int(np.argmax(f1))
    if last == len(ranked) - 1:
        return float(ranked[last] - 1.0)
    return float(midway(ranked[last + 1], ranked[last], inclusive=True))


def cheapest_threshold(
    scores: NDArray,
    positive: Mask,
    mistakes: MistakeCosts,
    weight: Floats | None = None,
) -> float:
    """Return the threshold of least mistakes; rows at or above it are called positive.

    Of equals the highest, which may lie above all rows, or below them.

    `mistakes`: of the other class and the positive one, in this order.
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    counts = np.ones(len(scores)) if weight is None else weight[order]
    more = (mistakes.costs[:, 1] - mistakes.costs[:, 0])[positive[order].astype(int)]
    # What it costs more to call the first k rows positive than to call none.
    paid = np.append(0.0, np.cumsum(counts * more))
    # A threshold cannot part rows of the same score.
    paid[1:-1][ranked[:-1] == ranked[1:]] = np.inf
    room = _SAME_COST * max(1.0, float(np.abs(paid[np.isfinite(paid)]).max()))
    last = int(np.argmax(paid <= paid.min() + room))
    if last == 0:
        return float(ranked[0] + max(1.0, abs(ranked[0])))
    if last == len(ranked):
        return float(ranked[-1] - max(1.0, abs(ranked[-1])))
    return float(midway(ranked[last], ranked[last - 1], inclusive=True))


def cheapest_answers(
    scores: Floats,
    labels: Integers,
    mistakes: MistakeCosts,
    weight: Floats | None = None,
) -> PricedAnswers | None:
    """Return what answers rows by least expected cost: `cheapest_threshold` of many.

    Probabilities are those of the log loss, a softmax that fits these rows. None where
    the largest score costs no more on them.

    Shapes: `scores` (n_samples, n_classes), `labels` (n_samples,), codes of the classes
    that scores are for; -1 of another one. `mistakes`: of these classes.
    """
    slope, offsets = class_curve(scores, labels, weight)
    costs = tuple(map(tuple, mistakes.costs.tolist()))
    priced = PricedAnswers(slope, tuple(offsets.tolist()), costs)
    known = labels >= 0
    counts = np.ones(len(labels)) if weight is None else weight

    def paid(of_answers: Floats) -> float:
        said = np.argmax(of_answers[known], axis=1)
        return float(counts[known] @ mistakes.costs[labels[known], said])

    return priced if paid(priced.scores(scores)) < paid(scores) else None


def label_scores(
    positive: Mask, called: Mask, weight: Floats | None = None
) -> dict[str, float]:
    """Return the scores of rows that were called positive or not."""
    counts = np.ones(len(positive)) if weight is None else weight
    hits = float(counts @ (positive & called))
    rejected = float(counts @ (~positive & ~called))
    n_called, n_positive = float(counts @ called), float(counts @ positive)
    recall = hits / max(n_positive, _TINY)
    specificity = rejected / max(float(counts @ ~positive), _TINY)
    return {
        "f1": 2 * hits / max(n_called + n_positive, _TINY),
        "precision": hits / max(n_called, _TINY),
        "recall": recall,
        "accuracy": float(np.average(positive == called, weights=weight)),
        "balanced_accuracy": (recall + specificity) / 2,
    }


def many_label_scores(
    truth: NDArray, labels: NDArray, weight: Floats | None = None
) -> dict[str, float]:
    """Return the scores of labels of several classes: means over the classes.

    "weighted_f1" is the mean in which a class counts as many times as it has rows.
    """
    precision, recall, f1, _ = precision_recall_fscore_support(
        truth, labels, average="macro", zero_division=0.0, sample_weight=weight
    )
    return {
        "f1": float(f1),
        "precision": float(precision),
        "recall": float(recall),
        "accuracy": float(np.average(truth == labels, weights=weight)),
        "balanced_accuracy": float(recall),
        "weighted_f1": weighted_f1(truth, labels, weight),
    }


def codes_among(classes: NDArray, labels: NDArray) -> Integers:
    """Return places of labels among sorted classes; -1 where they are none of them."""
    places = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.where(classes[places] == labels, places, -1)


def weighted_f1(truth: NDArray, labels: NDArray, weight: Floats | None = None) -> float:
    """Return the mean F1 of the classes, each weighed by its rows."""
    return float(
        f1_score(
            truth, labels, average="weighted", zero_division=0.0, sample_weight=weight
        )
    )


def many_log_losses(
    scores: dict[str, Floats],
    labels: dict[str, Integers],
    weights: Mapping[str, Floats | None],
) -> dict[str, float]:
    """Return the log loss of many classes of each part, negated: more is better.

    Probabilities are a softmax that fits the scores of the validation rows, for every
    method alike.

    Shapes: `scores` (n_samples, n_classes), `labels` (n_samples,), codes of classes.
    """
    slope, offsets = class_curve(
        scores["validation"], labels["validation"], weights["validation"]
    )
    return {
        part: -class_log_loss(slope * said + offsets, labels[part], weights[part])
        for part, said in scores.items()
    }


def rank_scores(
    beliefs: dict[str, Floats],
    positive: dict[str, Mask],
    weights: Mapping[str, Floats | None] | None = None,
) -> dict[str, dict[str, float]]:
    """Return, for each part, what its rows' order and probabilities are worth.

    Probabilities come from the logistic curve that fits the scores of the validation
    rows, for every method alike. The log loss is negated, as in scikit-learn, so that
    more is better.

    `beliefs`: scores by part, "validation" among them; higher is more positive.
    `weights`: of the rows of each part; None where all count the same.
    """
    counts = {part: None if weights is None else weights[part] for part in beliefs}
    slope, intercept = curve(
        beliefs["validation"], positive["validation"], counts["validation"]
    )
    in_order = {
        part: _in_order(scores, positive[part], counts[part])
        for part, scores in beliefs.items()
    }
    return {
        part: {
            "roc_auc": area_in_order(*in_order[part]),
            "average_precision": _precision_in_order(*in_order[part]),
            "sensitivity_at_specificity": sensitivity_at(
                SPECIFICITY, scores, positive[part], counts[part]
            ),
            "neg_log_loss": -log_loss(
                slope * scores + intercept, positive[part], counts[part]
            ),
        }
        for part, scores in beliefs.items()
    }


def sensitivity_at(
    specificity: float, scores: Floats, positive: Mask, weight: Floats | None = None
) -> float:
    """Return the most positive rows, as a share, that a threshold finds.

    `specificity`: share of the other rows that has to stay below the threshold.
    """
    counts = np.ones(len(scores)) if weight is None else weight
    order = np.argsort(-scores[~positive])
    others, passed = scores[~positive][order], np.cumsum(counts[~positive][order])
    # 1e-9: .05 of 100 rows are 5 rows, whatever the rounding.
    allowed = (1.0 - specificity + 1e-9) * counts[~positive].sum()
    first_too_many = int(np.searchsorted(passed, allowed, side="right"))
    if first_too_many >= len(others):
        return 1.0
    found = counts @ (positive & (scores > others[first_too_many]))
    return float(found / max(float(counts @ positive), _TINY))


def _in_order(
    scores: Floats, positive: Mask, weight: Floats | None = None
) -> tuple[NDArray, NDArray]:
    """Return the positive and the other rows of each score, from the lowest up."""
    counts = np.ones(len(scores)) if weight is None else weight
    _, places = np.unique(scores, return_inverse=True)
    hits = np.bincount(places, weights=counts * positive)
    return hits, np.bincount(places, weights=counts * ~positive)


def _precision_in_order(hits: NDArray, others: NDArray) -> float:
    """Return the mean precision of the thresholds that find one more positive row.

    0 where there is none.
    """
    found = np.cumsum(hits[::-1])
    precision = found / np.maximum(np.cumsum((hits + others)[::-1]), _TINY)
    return float(hits[::-1] @ precision / max(float(hits.sum()), _TINY))


def area_in_order(hits: NDArray, others: NDArray) -> float:
    """Return the area under the curve of scores that rise; 0.5 where there is no pair.

    Shapes: `hits` and `others`, the positive and other rows of each score, (n,).
    """
    # Mann and Whitney's count of pairs in order: a pair of equals is half of one.
    pairs = float(hits.sum()) * float(others.sum())
    if not pairs:
        return 0.5
    return float(hits @ (np.cumsum(others) - others / 2) / pairs)
