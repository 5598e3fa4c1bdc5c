"""The figures of the trimming page that take a while, as plain generators."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solvers.bayes import (
    BayesianClassifier,
    Comparison,
    LearnedClassifier,
    ScoredSubsets,
    compare_over_thresholds,
    most_accurate_selection,
    same_decision_selection,
    score_affordable_subsets,
    search_trimmings,
)
from solvers.bayes.cuts import TOLERANCE
from solvers.errors import NetworkError

from .log import TrimmingQuestion, accuracy, test_rows, truth

#: T of section 6 of the paper.
THRESHOLDS = np.arange(1, 10) / 10
#: More marks than this are a cloud; the front and the best are always among them.
SCATTER_SHOWN = 4_000
# General networks are judged set by set: between blocks a person may cancel.
BLOCK = 200


@dataclass(frozen=True)
class Tested:
    """A set of features on rows that neither learning nor selection has seen."""

    # Share of the rows that are decided as the original does, and rightly
    agreement: float
    accuracy: float


@dataclass(frozen=True, eq=False)
class Scatter:
    """Agreement against accuracy of every affordable set, as Fig. 5."""

    subsets: ScoredSubsets  # The sets, with their maximum achievable agreement
    accuracies: NDArray[np.float64]  # (n_subsets,) Of each at the threshold T
    judged_on: str  # What the accuracies are measured on
    front: NDArray[np.bool_]  # (n_subsets,) Which no other beats in both
    # The set of best agreement and that of best accuracy, on test rows; empty where
    # there are no rows
    tested: tuple[Tested, ...] = ()
    unit: str = ""  # Of the costs; empty where they are one each

    @property
    def most_accurate(self) -> int:
        """Row of the first set of highest accuracy."""
        return int(np.argmax(self.accuracies))

    def names(self, row: int) -> tuple[str, ...]:
        """Return the features of a set."""
        kept = np.flatnonzero(self.subsets.masks[row])
        return tuple(self.subsets.features[j] for j in kept)

    def drawn(self) -> NDArray[np.intp]:
        """Return the rows to draw: all, or the front and evenly spaced others."""
        n_subsets = len(self.accuracies)
        step = max(1, -(-n_subsets // SCATTER_SHOWN))
        shown = self.front.copy()
        shown[::step] = True
        shown[[self.subsets.best, self.most_accurate]] = True
        return np.flatnonzero(shown)


Progress = tuple[float, Scatter | None]


def scatter(
    question: TrimmingQuestion, learned: LearnedClassifier | None
) -> Iterator[Progress]:
    """Score every affordable set; yields shares of the work, last with the result.

    `learned`: the rows that it was learned from; without, accuracy is expected under
    the network itself.
    """
    classifier = question.classifier()
    yield 0.02, None
    subsets = score_affordable_subsets(classifier, question.budget, question.costs)
    accuracies = np.empty(len(subsets.masks))
    judge, step, judged_on = _judge(classifier, learned, len(subsets.masks))
    for start in range(0, len(accuracies), step):
        yield 0.1 + 0.9 * start / len(accuracies), None
        block = slice(start, start + step)
        accuracies[block] = judge(subsets.masks[block])
    front = subsets.pareto(accuracies)
    done = Scatter(subsets, accuracies, judged_on, front, unit=question.unit)
    if learned is not None:
        done = replace(done, tested=_tested(classifier, learned, done))
    yield 1.0, done


Scoring = Callable[[NDArray[np.bool_]], NDArray[np.float64]]


def _judge(
    classifier: BayesianClassifier, learned: LearnedClassifier | None, n_subsets: int
) -> tuple[Scoring, int, str]:
    """Return what judges sets, how many at once, and what on."""
    if learned is None:
        said = "expected under the network itself"
        return lambda masks: _expected(classifier, masks), BLOCK, said
    n_rows = len(learned.train_labels)
    said = f"10-fold cross-validation on {n_rows} training rows"
    at_once = n_subsets if learned.model == "naive_bayes" else BLOCK
    return lambda masks: _cross_validated(classifier, learned, masks), at_once, said


def _expected(
    classifier: BayesianClassifier, masks: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return how likely decisions at T on some features are to be right."""
    found = []
    for mask in masks:
        positive, total = classifier.masses.of(np.flatnonzero(mask).tolist())
        says = positive >= (classifier.threshold - TOLERANCE) * total
        found.append(float(np.where(says, positive, total - positive).sum()))
    return np.array(found)


def _cross_validated(
    classifier: BayesianClassifier, learned: LearnedClassifier, masks: NDArray[np.bool_]
) -> NDArray[np.float64]:
    names = learned.classifier.features
    places = [names.index(name) for name in classifier.features]
    wide = np.zeros((len(masks), len(names)), dtype=bool)
    wide[:, places] = masks
    return most_accurate_selection(
        learned.train_codes,
        truth(classifier, learned, learned.train_labels),
        True,
        float(len(names)),
        feature_names=names,
        model=learned.model,
        threshold=classifier.threshold,
        masks=wide,
        sample_weight=learned.train_weights,
        groups=learned.train_groups,
    ).accuracies


def _tested(
    classifier: BayesianClassifier, learned: LearnedClassifier, found: Scatter
) -> tuple[Tested, ...]:
    rows = test_rows(classifier, learned)
    original, best = classifier.decide(rows), found.subsets.best
    _, interval = classifier.decisions.achievable(
        tuple(np.flatnonzero(found.subsets.masks[best]).tolist())
    )
    tested = []
    for row, threshold in (
        (best, interval.middle),
        (found.most_accurate, classifier.threshold),
    ):
        kept = found.names(row)
        said = classifier.decide(rows, list(kept), threshold)
        alike = float(np.average(said == original, weights=learned.test_weights))
        right = accuracy(classifier, learned, kept, threshold)
        tested.append(Tested(alike, right))
    return tuple(tested)


def compare(question: TrimmingQuestion) -> Iterator[tuple[float, Comparison]]:
    """Compare selections over thresholds, as Fig. 7; yields shares and comparisons."""
    found = compare_over_thresholds(
        question.classifier(), question.budget, question.costs, THRESHOLDS
    )
    for i, comparison in enumerate(found, start=1):
        yield i / len(THRESHOLDS), comparison


@dataclass(frozen=True)
class Effort:
    """What a search took at one threshold."""

    method: str  # The search
    threshold: float  # T
    evaluations: int | None  # Agreements and bounds computed; None where it was not run
    seconds: float  # With the table of decisions, without the network's own tables
    agreement: float  # Of what it found


def measure_efforts(question: TrimmingQuestion) -> Iterator[tuple[float, Effort]]:
    """Measure evaluations and time over thresholds, as Table 6."""
    original = question.classifier()
    total = len(THRESHOLDS) * len(_SEARCHES)
    done = 0
    for threshold in THRESHOLDS:
        for method, search in _SEARCHES.items():
            fresh = original.with_threshold(float(threshold))
            began = time.perf_counter()
            evaluations, agreement = search(fresh, question)
            spent = time.perf_counter() - began
            done += 1
            yield (
                done / total,
                Effort(method, float(threshold), evaluations, spent, agreement),
            )


Found = tuple[int | None, float]


def _ours(classifier: BayesianClassifier, question: TrimmingQuestion) -> Found:
    *_, last = search_trimmings(classifier, question.budget, question.costs)
    return last.evaluations, last.best.agreement


def _as_given(classifier: BayesianClassifier, question: TrimmingQuestion) -> Found:
    *_, last = search_trimmings(
        classifier, question.budget, question.costs, order="given"
    )
    return last.evaluations, last.best.agreement


def _same_decision(classifier: BayesianClassifier, question: TrimmingQuestion) -> Found:
    found = same_decision_selection(classifier, question.budget, question.costs)
    return found.evaluations, found.agreement


def _exhaustive(classifier: BayesianClassifier, question: TrimmingQuestion) -> Found:
    try:
        found = score_affordable_subsets(classifier, question.budget, question.costs)
    except NetworkError:
        return None, float("nan")  # more sets than are listed
    return len(found.masks), float(found.agreements.max())


_SEARCHES: dict[str, Callable[[BayesianClassifier, TrimmingQuestion], Found]] = {
    "ECA-Trim": _ours,
    "ECA-Trim, features as they stand": _as_given,
    "FS-SDD (threshold kept)": _same_decision,
    "Exhaustive": _exhaustive,
}
