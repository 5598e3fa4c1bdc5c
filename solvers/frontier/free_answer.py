"""What one answer for every row is worth: it computes nothing, so anybody may give it.

A frontier without it would count 0 for every budget below its first point, and so
punish methods whose first model is costly for an answer that they, too, have for free.
"""

from __future__ import annotations

import numpy as np

from ..datasets.splits import Split
from ..decisions.mistakes import MistakeCosts
from ..decisions.platt import class_log_loss
from ..decisions.scores import RANK_SCORES, TOTAL_COST, codes_among
from ..errors import ThriftscopeError
from .total_cost import TrivialAnswer, cheapest_trivial

PARTS = ("validation", "test")


def free_answer(
    split: Split, score: str = "f1", mistake_costs: MistakeCosts | None = None
) -> object:
    """Return the label to give everywhere: chosen on training rows, by the score.

    Calling every row positive is the constant answer of best F1, precision and recall
    for two classes; for accuracy, and for more classes, it is the commonest class; for
    the total cost it is the cheapest.
    """
    if score == TOTAL_COST:
        return _cheapest(split, mistake_costs).label
    positive = split.dataset.positive
    if positive is not None and score != "accuracy":
        return positive
    labels, places = np.unique(split.y("train"), return_inverse=True)
    return labels[np.argmax(np.bincount(places, weights=split.weight("train")))]


def free_scores(
    split: Split, score: str = "f1", mistake_costs: MistakeCosts | None = None
) -> dict[str, float]:
    """Return the score of the answer that computes nothing.

    Every row is called positive; for accuracy, or for more classes than two, every row
    is of the commonest class of the training rows; for the total cost, of the class
    that is cheapest to answer on training rows.

    Parameters
    ----------
    split : Split
        Rows and labels.
    score : str, default="f1"
        Which score of a ``FrontierPoint``; over more than two classes it is averaged.
        What ranks rows ranks them all alike, and the log loss is that of saying how
        common the classes are among training rows.
    mistake_costs : MistakeCosts, optional
        What mistakes cost; the total cost needs them.

    Returns
    -------
    dict of {"validation", "test"} to float
        What ``Frontier(..., floor=...)`` takes.

    Examples
    --------
    >>> from solvers import all_datasets, free_scores, split_dataset
    >>> floor = free_scores(split_dataset(all_datasets()["breast_cancer"]()))
    >>> round(floor["test"], 3)
    0.541
    """
    if score == TOTAL_COST:
        cheapest = _cheapest(split, mistake_costs)
        return {"validation": -cheapest.validation, "test": -cheapest.test}
    if score == "neg_log_loss" and len(split.dataset.classes) > 2:
        return {part: _shares_told(split, part) for part in PARTS}
    if score in RANK_SCORES:
        return {part: _rank_score(split, part, score) for part in PARTS}
    said = free_answer(split, score)
    n_averaged = 1 if split.dataset.positive is not None else len(split.dataset.classes)
    return {
        part: _score(
            float(np.average(split.y(part) == said, weights=split.weight(part))),
            score,
            n_averaged,
        )
        for part in PARTS
    }


def _cheapest(split: Split, mistake_costs: MistakeCosts | None) -> TrivialAnswer:
    """Return the one answer for every row that training rows say costs least."""
    if mistake_costs is None:
        raise ThriftscopeError(
            "What mistakes cost is not known; give mistake_costs="
            "MistakeCosts.binary(miss=..., false_alarm=...)."
        )
    return cheapest_trivial(split, mistake_costs)


def _score(share: float, score: str, n_averaged: int) -> float:
    """Return a score of the one label that a share of rows has.

    Its recall is 1 and its precision the share; the scores of the other classes, over
    which more than two are averaged, are 0.
    """
    if score == "accuracy":
        return share
    if score == "weighted_f1":  # of as many rows as the class has, and 0 of the others
        return share * 2 * share / (1 + share)
    if score == "balanced_accuracy":
        return 1.0 / max(n_averaged, 2)
    # Precision is the share and recall 1: F1 = 2 share / (share + 1).
    one = {"f1": 2 * share / (1 + share), "precision": share, "recall": 1.0}[score]
    return one / n_averaged


def _shares_told(split: Split, part: str) -> float:
    """Return the negated log loss of saying how common the classes are in training."""
    classes, places = np.unique(split.y("train"), return_inverse=True)
    of_class = np.bincount(places, weights=split.weight("train"))
    scores = np.tile(np.log(of_class), (len(split.y(part)), 1))
    labels = codes_among(classes, split.y(part))
    return -class_log_loss(scores, labels, split.weight(part))


def _rank_score(split: Split, part: str, score: str) -> float:
    """Return the score of giving every row the same belief."""
    if score == "roc_auc":
        return 0.5
    if score == "sensitivity_at_specificity":
        return 0.0  # a threshold above some rows is above all
    positive = split.dataset.positive
    said, share = (
        float(np.average(split.y(p) == positive, weights=split.weight(p)))
        for p in ("train", part)
    )
    if score == "average_precision":
        return share
    return share * np.log(said) + (1.0 - share) * np.log1p(-said)
