"""What decisions about validation and test rows score, whoever made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..datasets.splits import Split
from ..decisions.decision import Decision, called, scores_for
from ..decisions.mistakes import MistakeCosts
from ..decisions.program import PricedAnswers
from ..decisions.scores import (
    TOTAL_COST,
    best_threshold,
    cheapest_answers,
    cheapest_threshold,
    codes_among,
    label_scores,
    many_label_scores,
    many_log_losses,
    rank_scores,
)
from ..numerics.arrays import Floats

ThresholdRule: TypeAlias = Literal["tuned", "default"]
#: Scores of each part, by their names.
Scores: TypeAlias = dict[str, dict[str, float]]


def scored(
    classes: NDArray,
    split: Split,
    threshold: ThresholdRule,
    decided: Mapping[str, Decision],
    tests: Mapping[str, float],
    mistakes: MistakeCosts | None,
    *,
    answers_by_cost: bool = False,
) -> tuple[float, PricedAnswers | None, Scores]:
    """Return the threshold, what answers by cost, and the scores of each part.

    `classes`: those of the model, sorted. `decided`: about the rows of each part.
    `tests`: what a row of each part paid on average. `mistakes`: priced for the classes
    of the data, in the unit of its costs; None where they are not. `answers_by_cost`:
    whether labels are those of the cheapest answers already.
    """
    priced = None
    # A threshold parts two sides; of more classes each row gets the model's own label,
    # or where mistakes have prices the cheapest.
    if split.dataset.positive is not None and len(classes) == 2:
        cut, scores, said = _binary_scores(classes, split, threshold, decided, mistakes)
    else:
        if mistakes is not None and threshold == "tuned" and not answers_by_cost:
            decided, priced = _cheapest(classes, split, decided, mistakes)
        cut, scores = 0.0, _many_scores(classes, split, decided)
        said = {part: decision.labels for part, decision in decided.items()}
    if mistakes is not None:
        for part, of_part in scores.items():
            weight = split.weight(part)
            paid = mistakes.cost(split.y(part), said[part], weight)
            of_part[TOTAL_COST] = -(tests[part] + paid)
    return cut, priced, scores


def _cheapest(
    classes: NDArray,
    split: Split,
    decided: Mapping[str, Decision],
    mistakes: MistakeCosts,
) -> tuple[Mapping[str, Decision], PricedAnswers | None]:
    """Return decisions with the cheapest labels, and what gives these.

    As they are where the model's labels cost no more.
    """
    held = decided["validation"].scores
    if held.ndim == 1:
        return decided, None
    truth = codes_among(classes, split.y("validation"))
    weight = split.weight("validation")
    priced = cheapest_answers(held, truth, mistakes.for_classes(classes), weight)
    if priced is None:
        return decided, None
    answered = {
        part: replace(one, labels=classes[called(priced.scores(one.scores))])
        for part, one in decided.items()
    }
    return answered, priced


def _binary_scores(
    classes: NDArray,
    split: Split,
    threshold: ThresholdRule,
    decided: Mapping[str, Decision],
    mistakes: MistakeCosts | None,
) -> tuple[float, Scores, dict[str, NDArray]]:
    """Return the threshold, and the scores and the labels of each part."""
    wanted = split.dataset.positive
    beliefs = {
        part: scores_for(wanted, classes, decision.scores)
        for part, decision in decided.items()
    }
    positive = {part: split.y(part) == wanted for part in decided}
    weights = {part: split.weight(part) for part in decided}
    other = classes[0] if classes[1] == wanted else classes[1]
    held = beliefs["validation"], positive["validation"]
    if threshold == "default":
        cut = 0.0
        says = {part: decision.labels == wanted for part, decision in decided.items()}
    else:
        if mistakes is None:
            cut = best_threshold(*held, weights["validation"])
        else:
            sides = mistakes.for_classes([other, wanted])
            cut = cheapest_threshold(*held, sides, weights["validation"])
        says = {part: beliefs[part] >= cut for part in decided}
    ranked = rank_scores(beliefs, positive, weights)
    scores = {
        part: label_scores(positive[part], says[part], weights[part]) | ranked[part]
        for part in decided
    }
    return cut, scores, {p: np.where(c, wanted, other) for p, c in says.items()}


def _many_scores(
    classes: NDArray, split: Split, decided: Mapping[str, Decision]
) -> Scores:
    """Return the scores of each part, of three classes or more.

    Of labels the positive class is held against the rest where there is one, else they
    are means over classes.
    """
    weights = {part: split.weight(part) for part in decided}
    losses = many_log_losses(
        {part: _score_of_each(decision.scores) for part, decision in decided.items()},
        {part: codes_among(classes, split.y(part)) for part in decided},
        weights,
    )
    found = {}
    for part, decision in decided.items():
        truth, labels = split.y(part), decision.labels
        positive, weight = split.dataset.positive, weights[part]
        scores = many_label_scores(truth, labels, weight)
        if positive is not None:
            right = {name: scores[name] for name in ("accuracy", "weighted_f1")}
            scores = label_scores(truth == positive, labels == positive, weight) | right
        found[part] = scores | {"neg_log_loss": losses[part]}
    return found


def _score_of_each(scores: Floats) -> Floats:
    """Return a score of each class, where a model has learned two alone, too."""
    return np.column_stack([-scores, scores]) / 2.0 if scores.ndim == 1 else scores
