"""Tests and mistakes in one currency: where testing stops paying."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..datasets.base import Dataset
from ..datasets.splits import Split
from ..decisions.mistakes import MistakeCosts
from ..decisions.scores import TOTAL_COST
from ..errors import ThriftscopeError
from ..values.rounding import number
from .frontier import Frontier, FrontierPoint

_PARTS = ("train", "validation", "test")


def mistakes_among(mistake_costs: MistakeCosts, dataset: Dataset) -> MistakeCosts:
    """Return what mistakes cost for the classes of a data set, in its unit.

    Parameters
    ----------
    mistake_costs : MistakeCosts
        As people give them: without names two classes are the other one and the
        positive one of the data.
    dataset : Dataset
        Classes and unit.

    Returns
    -------
    MistakeCosts

    Raises
    ------
    DataError
        If there are other classes, or the two units do not compare.
    """
    known = mistake_costs.for_classes(dataset.classes, dataset.positive)
    return known.in_unit(dataset.unit)


@dataclass(frozen=True)
class TrivialAnswer:
    """One answer for every row: no test, and the mistakes of that."""

    label: object  # What is answered
    # What a row costs on average, in the unit of the data
    train: float
    validation: float
    test: float


def trivial_answers(
    split: Split, mistake_costs: MistakeCosts
) -> tuple[TrivialAnswer, ...]:
    """Return what it costs to give every row the same answer, for each class.

    Parameters
    ----------
    split : Split
        Rows and labels.
    mistake_costs : MistakeCosts
        What mistakes cost.

    Returns
    -------
    tuple of TrivialAnswer
        In the order of ``dataset.classes``.

    Examples
    --------
    >>> from solvers import MistakeCosts, split_dataset
    >>> from solvers.datasets import make_heart
    >>> mistakes = MistakeCosts.binary(miss=1000.0, false_alarm=100.0)
    >>> for one in trivial_answers(split_dataset(make_heart()), mistakes):
    ...     print(one.label, round(one.test))
    healthy 461
    ill 54
    """
    mistakes = mistakes_among(mistake_costs, split.dataset)
    costs = {
        part: mistakes.always(split.y(part), split.weight(part)) for part in _PARTS
    }
    return tuple(
        TrivialAnswer(label, **{part: float(costs[part][k]) for part in _PARTS})
        for k, label in enumerate(split.dataset.classes)
    )


def cheapest_trivial(split: Split, mistake_costs: MistakeCosts) -> TrivialAnswer:
    """Return the one answer for every row that costs least on training rows.

    Parameters
    ----------
    split : Split
        Rows and labels.
    mistake_costs : MistakeCosts
        What mistakes cost.

    Returns
    -------
    TrivialAnswer
    """
    return min(trivial_answers(split, mistake_costs), key=lambda one: one.train)


@dataclass(frozen=True)
class TestingStops:
    """Where testing stops paying: the least total of tests and mistakes."""

    __test__ = False  # of rows, not of code

    point: FrontierPoint | None  # None where every test costs more than it saves
    trivial: TrivialAnswer  # The best answer without any test
    tests: float  # What the point's tests cost a validation row; 0 without a point
    total: float  # Of tests and mistakes a test row, in `unit`
    unit: str

    @property
    def mistakes(self) -> float:
        """What mistakes cost a test row."""
        if self.point is None:
            return self.total
        return total_cost(self.point) - self.point.cost["mean"]

    @property
    def sentence(self) -> str:
        """What was found, as people say it."""
        alone = (
            f"to answer {self.trivial.label} without a test costs "
            f"{number(self.trivial.test)} {self.unit} a row"
        )
        if self.point is None:
            return f"No test pays for itself: {alone}, all of it mistakes."
        return (
            f"Testing stops paying at {number(self.tests)} {self.unit} a row "
            f"({self.point.method}): tests and mistakes together cost "
            f"{number(self.total)} on test rows, {number(self.mistakes)} of it "
            f"mistakes; {alone}."
        )


def where_testing_stops(
    frontier: Frontier, split: Split, mistake_costs: MistakeCosts
) -> TestingStops:
    """Return the point of least total cost, beside the best answer without a test.

    The point is chosen on validation rows, among those that keep the frontier's limits;
    the answer without a test on training rows. Both are told on test rows.

    Parameters
    ----------
    frontier : Frontier
        Of points that were traced with the same `mistake_costs`.
    split : Split
        Its rows.
    mistake_costs : MistakeCosts
        What mistakes cost.

    Returns
    -------
    TestingStops
    """
    trivial = cheapest_trivial(split, mistake_costs)
    axes = Frontier(
        frontier.points,
        frontier.accounting,
        TOTAL_COST,
        {"validation": -trivial.validation, "test": -trivial.test},
        charge=frontier.charge,
        unit=frontier.unit,
        confidence=frontier.confidence,
        limits=frontier.limits,
    )
    point = axes.best_within(np.inf)
    # A model that looks at nothing gives one answer, too: equal but for rounding.
    if point is None or point.n_features == 0:
        return TestingStops(None, trivial, 0.0, trivial.test, frontier.unit)
    total = -axes.scored(point, "test")
    return TestingStops(
        point, trivial, point.charged("mean", "validation"), total, frontier.unit
    )


def total_cost(point: FrontierPoint, split: str = "test") -> float:
    """Return what tests and mistakes of a point cost a row.

    Parameters
    ----------
    point : FrontierPoint
        Traced with ``mistake_costs``.
    split : {"test", "validation"}, default="test"
        Over which rows.

    Returns
    -------
    float
        In the unit of the data; features alone are charged.

    Raises
    ------
    ThriftscopeError
        If it was traced without.
    """
    if TOTAL_COST not in point.scores[split]:
        raise ThriftscopeError(
            f"What mistakes of {point.method} cost is not known; trace it with "
            "mistake_costs=MistakeCosts.binary(miss=..., false_alarm=...)."
        )
    return -point.scores[split][TOTAL_COST]
