"""Where testing stops paying: the least total of tests and mistakes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..datasets.splits import Split
from ..decisions.mistakes import MistakeCosts
from ..decisions.scores import TOTAL_COST
from ..values.rounding import number
from .evaluation import labels_of, rows_for
from .frontier import Frontier, FrontierPoint
from .total_cost import TrivialAnswer, cheapest_trivial, mistakes_among, total_cost


@dataclass(frozen=True)
class TestingStops:
    """Where testing stops paying: the least total of tests and mistakes."""

    __test__ = False  # of rows, not of code

    point: FrontierPoint | None  # None where every test costs more than it saves
    trivial: TrivialAnswer  # The best answer without any test
    tests: float  # What the point's tests cost a validation row; 0 without a point
    total: float  # Of tests and mistakes a test row, in `unit`
    unit: str
    error: float = 0.0  # Of what is saved, a standard error over test rows

    @property
    def saved(self) -> float:
        """What testing saves a test row against the answer without; below 0: loses."""
        return self.trivial.test - self.total

    @property
    def is_noise(self) -> bool:
        """Whether what is saved, or lost, is within two standard errors of nothing."""
        return self.point is not None and abs(self.saved) < 2.0 * self.error

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
            return f"No test pays for itself: {alone}, {self.why_none}."
        return (
            f"Testing stops paying at {number(self.tests)} {self.unit} a row "
            f"({self.point.method}): tests and mistakes together cost "
            f"{number(self.total)} on test rows, {number(self.mistakes)} of it "
            f"mistakes; {alone}. {self.verdict}"
        )

    @property
    def why_none(self) -> str:
        """What the answer without a test costs is made of, in a clause."""
        if self.trivial.test > 0:
            return "all of it mistakes"
        return "since the mistakes that it makes have no price; price them too"

    @property
    def verdict(self) -> str:
        """What testing saves on test rows, and how sure that is."""
        if self.point is None:
            return ""
        saved = f"{number(abs(self.saved))} ± {number(self.error)} {self.unit} a row"
        if self.is_noise:
            found = "less" if self.saved >= 0 else "more"
            return (
                f"That is {saved} {found} than without: no more than noise, so believe "
                "the answer without a test as much."
            )
        return f"Testing {'saves' if self.saved > 0 else 'loses'} {saved}."


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
    tests = point.charged("mean", "validation")
    error = _error(point, trivial, split, mistake_costs)
    return TestingStops(point, trivial, tests, total, frontier.unit, error)


def _error(
    point: FrontierPoint, trivial: TrivialAnswer, split: Split, costs: MistakeCosts
) -> float:
    """Return the standard error of what testing saves, row by row of the test rows."""
    mistakes, truth = mistakes_among(costs, split.dataset), split.y("test")
    called = {
        "tested": labels_of(point, split, "test"),
        "trivial": np.full(len(truth), trivial.label),
    }
    paid = {name: mistakes.cost_rows(truth, said) for name, said in called.items()}
    rows = rows_for(point.model, split, "test")
    saved = paid["trivial"] - paid["tested"] - point.model.decide(rows).cost
    weight = split.weight("test")
    weight = np.ones(len(saved)) if weight is None else weight
    off = saved - np.average(saved, weights=weight)
    n_rows = weight.sum() ** 2 / (weight**2).sum()
    return float(np.sqrt(np.average(off**2, weights=weight) / max(n_rows - 1.0, 1.0)))
