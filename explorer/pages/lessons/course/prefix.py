"""When a fixed prefix wins: an early stage that is sure of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from solvers import FeatureHypergraph
from solvers.costs.budgets import room_of
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier

from ....figures.picture import Bar, Key, Line, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

COSTS = (1.0, 2.0, 7.0)
# The first test knows next to nothing, the second much, the third more.
STRENGTHS = (0.2, 1.5, 2.0)
BUDGETS = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
ASKED = 1
LOOKS = {"tefe": "TEFE, as published", "static_prefix": "fixed prefix"}
N_TRAIN, N_TEST = 300, 2000
# Where the axes end, and up to which place of the slider words have room.
END, HEIGHTS, LAST_NAMED = 10.6, (45.0, 101.0), 5


@cache
def curves() -> dict[str, tuple[tuple[float, float], ...]]:
    """Return cost and accuracy of every model of both methods, on test rows.

    By rising cost.
    """
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N_TRAIN + N_TEST)
    signal = (2 * y - 1)[:, np.newaxis] * np.array(STRENGTHS)
    X = signal + rng.standard_normal(signal.shape)
    prices = FeatureHypergraph.independent(COSTS, ("weak", "good", "best"))
    train, test = np.split(np.arange(len(y)), [N_TRAIN])
    found = {}
    for name, method in (
        ("tefe", TEFEClassifier(prices, standardise=False)),
        ("static_prefix", StaticPrefixClassifier(prices, standardise=False)),
    ):
        models = method.path(X[train], y[train])
        points = {
            (
                float(model.prediction_cost(X[test]).mean()),
                float(np.mean(model.predict(X[test]) == y[test])),
            )
            for model in models
        }
        found[name] = tuple(sorted(points))
    return found


def best_within(name: str, budget: float) -> float:
    """Return the best accuracy that a budget buys; 0 where it buys nothing."""
    paid = [accuracy for cost, accuracy in curves()[name] if cost <= room_of(budget)]
    return max(paid, default=0.0)


def show(at: int) -> Iterator[Shown]:
    """Draw what both methods buy, up to a budget."""
    budget = BUDGETS[at]
    tefe, prefix = (100 * best_within(name, budget) for name in LOOKS)
    yield Shown(
        _picture(at),
        f"Within {budget:g} µs a row the fixed prefix gets {prefix:.1f} % of the test "
        f"rows right and the cascade {tefe:.1f} %: {_leader(budget)}.",
        ("budget (µs)", *LOOKS.values()),
        [
            (f"{b:g}", *(f"{100 * best_within(name, b):.1f} %" for name in LOOKS))
            for b in BUDGETS[: at + 1]
        ],
    )


def _leader(budget: float) -> str:
    """Return who leads at a budget, in words."""
    tefe, prefix = (best_within(name, budget) for name in LOOKS)
    if tefe == prefix:
        return "neither leads"
    return "the fixed prefix leads" if prefix > tefe else "the cascade leads"


def _picture(at: int) -> Picture:
    budget = BUDGETS[at]
    lines = [Line((budget, budget), HEIGHTS, "budget", "dotted", 2)]
    marks = []
    for name, marker in (("tefe", "circle"), ("static_prefix", "square")):
        # Up to the budget: what lies beyond it is asked for first.
        points = [point for point in curves()[name] if point[0] <= room_of(budget)]
        x = [cost for cost, _ in points]
        y = [100 * accuracy for _, accuracy in points]
        if name == "static_prefix":  # between two prefixes the shorter one is bought
            x = [*(place for cost in x for place in (cost, cost)), budget][1:]
            y = [height for value in y for height in (value, value)]
        dash = "dashed" if name == "static_prefix" else "solid"
        lines.append(Line(tuple(x), tuple(y), name, dash))
        marks.append(
            Mark(budget, 100 * best_within(name, budget), name, marker, 13, False)
        )
    return Picture(
        Axis("mean cost of a test row (µs)", 0, END, labelled((0, 2, 4, 6, 8, 10))),
        Axis("right (% of test rows)", *HEIGHTS, labelled((50, 60, 70, 80, 90, 100))),
        bars=(Bar(budget, END, *HEIGHTS, "quiet_text", 0.12),),
        lines=tuple(lines),
        marks=tuple(marks),
        words=(Word((budget + END) / 2, 73, "beyond the budget", colour="quiet_text"),)
        if at <= LAST_NAMED
        else (),
        key=(
            Key(LOOKS["tefe"], "tefe", "solid", "circle", False),
            Key(LOOKS["static_prefix"], "static_prefix", "dashed", "square", False),
            Key("budget", "budget", "dotted"),
        ),
    )


def judge() -> RevealedAnswer:
    """Compute which is better at the budget of the second prefix."""
    budget = BUDGETS[ASKED]
    tefe, prefix = (best_within(name, budget) for name in LOOKS)
    gap = prefix - tefe
    right = 0 if gap > 0.01 else 1 if gap < -0.01 else 2
    return RevealedAnswer(
        right,
        f"At {budget:g} µs the prefix of two tests gets {100 * prefix:.1f} %, the "
        f"cascade {100 * tefe:.1f} %. The distance of eq. (12) divides by the length "
        "of the weights: an SVM that learned little has short ones, looks sure, and "
        "lets rows leave with labels that are little better than chance.",
        ASKED,
    )


LESSON = Lesson(
    name="prefix",
    order=50,
    short="Cascade or fixed prefix",
    title="A fixed prefix wins where an early stage is sure of nothing",
    world=(
        "Three tests for 1, 2 and 7 µs. The first knows next to nothing, the second "
        "much, the third more. A fixed prefix gives every row the first one, two or "
        "three; a cascade lets rows leave early. "
        f"{N_TRAIN} rows to learn from, {N_TEST} to judge by."
    ),
    text=(
        "The honest rival of a cascade is a fixed prefix: the first one, two or three "
        "tests for every row, and no early exits. The paper leaves it out. A cascade "
        "can only gain by letting the right rows go; where its first stage takes "
        "itself for sure without reason, it lets the wrong ones go, and everybody "
        "pays for the second test only to lose what it knows."
    ),
    limit=(
        "Holds at what the good prefix costs and somewhat beyond, not far beyond it: "
        "from 7 µs on the cascade leads, until every test can be bought for every row, "
        "since between two prefixes that lie far apart only the shorter one can be "
        "bought."
    ),
    control=Control("Budget", tuple(f"{b:g} µs" for b in BUDGETS)),
    question=f"Which is right more often within {BUDGETS[ASKED]:g} µs a row?",
    answers=("the fixed prefix", "the cascade", "within a point of each other"),
    supposes=(
        "The second test for everybody would be the better buy only if the first "
        "stage were sure for no reason.",
        "A cascade gains only if the right rows leave early; here the first test "
        "cannot know which.",
        "They part: what the first stage lets go is hardly better than chance.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "cascade",
        "Early exit",
        "data=published&table=session&order=alone&confidence=distance&cap=1&exit=0.5",
        "Does the cascade beat a fixed prefix?",
    ),
    said={
        LOOKS["tefe"]: ("cascade",),
        LOOKS["static_prefix"]: ("prefix", "prefixes"),
        "budget": ("within",),
    },
)
