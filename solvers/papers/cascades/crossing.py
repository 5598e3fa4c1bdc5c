"""Cascade and rivals cross-validated on the same folds, all rows pooled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from ...datasets import Dataset
from ...methods.csdt import CSDTClassifier
from ...methods.csnb import CSNBClassifier
from ...methods.jit import JITClassifier
from ...methods.tefe import TEFEClassifier
from ...numerics.arrays import Floats, Integers
from ..claims import Row
from .figure import Series
from .rows import CascadeRows

RIVALS: dict[str, type[JITClassifier | CSNBClassifier | CSDTClassifier]] = {
    "jit": JITClassifier,
    "csnb": CSNBClassifier,
    "csdt": CSDTClassifier,
}
# Cost and correctness of a rival's rows, by its name and the place on its path.
Tally: TypeAlias = dict[tuple[str, int], Floats]
# Points of a curve that are drawn: a screen shows no more.
DRAWN = 120
# Share of a fold's time that goes into training the cascade; for progress only.
_TRAINING = 0.7


@dataclass(eq=False)
class Crossing:
    """What has been pooled so far.

    Every row was tested once, by machines that had not seen it. Rows of several
    problems count alike.
    """

    # What the cascade said, fold by fold, sure by distance as published
    parts: list[CascadeRows] = field(default_factory=list)
    # The same machines, sure by the gap
    gap_parts: list[CascadeRows] = field(default_factory=list)
    # Which rows of their problem these were
    tested: list[Integers] = field(default_factory=list)
    problems: list[int] = field(default_factory=list)  # The problem of each fold
    tallies: list[Tally] = field(default_factory=list)  # The rivals of each fold
    share: float = 0.0  # How much is done, from 0 to 1

    @property
    def rows(self) -> CascadeRows:
        """All rows that were tested."""
        return CascadeRows.pooled(self.parts)

    def in_order(self) -> CascadeRows:
        """Return the rows of a single problem, in its own order."""
        rows, order = self.rows, np.argsort(np.concatenate(self.tested))
        return CascadeRows(
            rows.confidences[order],
            rows.called[order],
            rows.truth[order],
            rows.stage_costs,
            rows.n_classes,
        )

    def series(self) -> tuple[Series, ...]:
        """Return accuracy against cost of everything that was pooled.

        The cascade, as published and by the gap; the static prefix, the machine on all
        features, the rivals.
        """
        found: dict[tuple[str, int], list[Floats]] = defaultdict(list)
        for tally in self.tallies:
            for place, of_rows in tally.items():
                found[place].append(of_rows)
        pooled = {place: np.concatenate(t, axis=1) for place, t in found.items()}
        return _series(self.rows, CascadeRows.pooled(self.gap_parts), pooled)

    def curves(self) -> list[Row]:
        """Return the same as rows, of each fold apart, at all thresholds."""
        parts = zip(self.parts, self.gap_parts, self.tallies, strict=True)
        return [
            Row(problem=problem, fold=fold, method=one.name, curve=one)
            for fold, (problem, of) in enumerate(zip(self.problems, parts, strict=True))
            for one in _series(*of, drawn=None)
        ]


def _series(
    rows: CascadeRows, gap_rows: CascadeRows, tally: Tally, drawn: int | None = DRAWN
) -> tuple[Series, ...]:
    prefix = rows.prefix_accuracy
    return (
        curve_series("TEFE", rows, drawn),
        curve_series("TEFE, gap", gap_rows, drawn),
        Series("static prefix", "static_prefix", rows.stage_costs, prefix),
        Series(
            "SVM, all features",
            "relief_svm",
            rows.stage_costs[-1:],
            prefix[-1:],
            joined=False,
        ),
        *(_rival(name, tally) for name in RIVALS),
    )


def _rival(name: str, tally: Tally) -> Series:
    places = sorted(place for method, place in tally if method == name)
    means = [tally[name, place].mean(axis=1) for place in places]
    cost, score = np.array(means).T if means else np.empty((2, 0))
    return Series(RIVALS[name].title, name, cost, score)


def curve_series(name: str, rows: CascadeRows, drawn: int | None = DRAWN) -> Series:
    """Return accuracy against cost for thresholds spread evenly over confidences.

    `drawn`: how many thresholds; None for all, where curves are compared: few of them
    are cheap.
    """
    curve = rows.curve
    if drawn is None:
        return Series(name, "tefe", curve.cost, curve.accuracy)
    shares = np.linspace(0.0, 1.0, drawn)
    thresholds = [curve.threshold_at_share(share) for share in shares]
    at = np.unique([0, *(curve.position(value) for value in thresholds)])
    at = np.unique([*at, len(curve.cost) - 1])
    return Series(name, "tefe", curve.cost[at], curve.accuracy[at])


def folds_of(
    problem: Dataset, folds: int, random_state: int | None
) -> Iterator[tuple[Integers, Integers]]:
    """Yield rows to train on and to test on; three folds are the paper's thirds."""
    cut = StratifiedKFold(folds, shuffle=True, random_state=random_state)
    return cut.split(problem.X, problem.y)


def cross(
    problems: Sequence[Dataset], folds: int, random_state: int | None
) -> Iterator[Crossing]:
    """Yield what has been pooled: the same object each time, and further on.

    After every stage and every rival, so that it can be stopped.
    """
    pooled, total = Crossing(), folds * len(problems)
    for number, problem in enumerate(problems):
        cut = folds_of(problem, folds, random_state)
        for fold, (train, test) in enumerate(cut):
            done = number * folds + fold
            pooled.tallies.append({})
            pooled.problems.append(number)
            for within in _one_fold(problem, train, test, pooled):
                pooled.share = (done + within) / total
                yield pooled


def _one_fold(
    problem: Dataset, train: NDArray, test: NDArray, pooled: Crossing
) -> Iterator[float]:
    """Train on a fold and take in what it says; yield the share that is done."""
    X, y = problem.X[train], problem.y[train]
    # As published: on columns as they are, which in `scenes` are of like spread.
    model = TEFEClassifier(problem.hypergraph, standardise=False)
    for step in model.iter_fit(X, y):
        yield _TRAINING * step.done / step.total
    told = CascadeRows.of(model, problem.X[test], problem.y[test])
    for count, (name, method) in enumerate(RIVALS.items(), start=1):
        for place, rival in enumerate(method(problem.hypergraph).path(X, y)):
            rows = problem.X[test]
            right = rival.predict(rows) == problem.y[test]
            of_rows = np.array([rival.prediction_cost(rows), right], dtype=float)
            pooled.tallies[-1][name, place] = of_rows
        yield _TRAINING + (1 - _TRAINING) * count / (len(RIVALS) + 1)
    pooled.parts.append(told)
    model.set_params(confidence="gap")
    pooled.gap_parts.append(CascadeRows.of(model, problem.X[test], problem.y[test]))
    pooled.tested.append(test)
    yield 1.0
