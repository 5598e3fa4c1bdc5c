"""What tests and mistakes cost together, and what one answer for every row costs."""

from __future__ import annotations

from dataclasses import dataclass

from ..datasets.base import Dataset
from ..datasets.splits import Split
from ..decisions.mistakes import MistakeCosts
from ..decisions.scores import TOTAL_COST
from ..errors import ThriftscopeError
from .frontier import FrontierPoint

_PARTS = ("train", "validation", "test")


def mistakes_among(mistake_costs: MistakeCosts, dataset: Dataset) -> MistakeCosts:
    """Return what mistakes cost for the classes of a data set, in its unit.

    `mistake_costs`: as people give them; without names two classes are the other one
    and the positive one of the data. Other classes are refused with a `DataError`, and
    so are units that do not compare.
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
    """Return the one answer for every row that costs least on training rows."""
    return min(trivial_answers(split, mistake_costs), key=lambda one: one.train)


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
