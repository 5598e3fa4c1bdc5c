"""Mistakes that cost together are decided together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solvers.markov import CostGraph, PairwiseModel, exact_minimum, expected_costs

from ....figures.picture import Bar, Key, Line, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

NAMES = ("dark", "lit")
PAIRS = tuple(product((0, 1), repeat=2))
# How likely each pair of true labels is, first room by second.
HANGING = ((0.37, 0.03), (0.18, 0.42))
LINK_COSTS = tuple(round(0.1 * k, 1) for k in range(13))


def beliefs(*, is_correlated: bool = True) -> NDArray[np.float64]:
    """Return how likely each pair of true labels is.

    Shape: (2, 2).
    `is_correlated`: whether the labels of both rooms are correlated, or are independent
    with the same shares.
    """
    pairs = np.array(HANGING)
    if is_correlated:
        return pairs
    return np.outer(pairs.sum(axis=1), pairs.sum(axis=0))


@cache
def rooms(link_cost: float) -> CostGraph:
    """Return two linked rooms and what mistakes cost."""
    node_costs = np.broadcast_to(1.0 - np.eye(2), (2, 2, 2))
    wrong = 1.0 - np.eye(4).reshape(2, 2, 2, 2)
    return CostGraph(
        np.ones((2, 1)), [[0, 1]], None, node_costs, link_cost * wrong[np.newaxis]
    )


@cache
def charges(link_cost: float, *, is_correlated: bool = True) -> tuple[float, ...]:
    """Return the expected cost of each pair of decisions.

    In the order of `PAIRS`.
    """
    energies = _energies(link_cost, is_correlated)
    return tuple(float(energies.total(np.array(pair))) for pair in PAIRS)


@cache
def decision(link_cost: float, *, is_correlated: bool = True) -> tuple[int, int]:
    """Return the pair of labels of the least expected cost, links included."""
    found = exact_minimum(_energies(link_cost, is_correlated))
    first, second = (int(label) for label in found)
    return first, second


def one_by_one() -> tuple[int, int]:
    """Return what each room would decide without looking at the link."""
    pairs = beliefs()
    return int(pairs.sum(axis=1).argmax()), int(pairs.sum(axis=0).argmax())


def _energies(link_cost: float, is_correlated: bool) -> PairwiseModel:
    pairs = beliefs(is_correlated=is_correlated)
    nodes = np.array([pairs.sum(axis=1), pairs.sum(axis=0)])
    return expected_costs(rooms(link_cost), nodes, pairs[np.newaxis])


def named(pair: tuple[int, int]) -> str:
    """Return a pair of labels in words."""
    return ", ".join(NAMES[label] for label in pair)


def turning_point(*, is_correlated: bool = True) -> int | None:
    """Return where deciding together first differs from deciding one by one."""
    apart = (
        i
        for i, cost in enumerate(LINK_COSTS)
        if decision(cost, is_correlated=is_correlated) != one_by_one()
    )
    return next(apart, None)


def show(at: int) -> Iterator[Shown]:
    """Draw the expected cost of all four decisions at a link's cost."""
    cost = LINK_COSTS[at]
    best, alone = decision(cost), one_by_one()
    paid = dict(zip(PAIRS, charges(cost), strict=True))
    yield Shown(
        _picture(at),
        f"With a link that costs {cost:g}: room by room says {named(alone)} and is "
        f"expected to pay {paid[alone]:.2f}; together the best is {named(best)} for "
        f"{paid[best]:.2f}.",
        ("cost of the link", *(named(pair) for pair in PAIRS), "best"),
        [
            (f"{c:g}", *(f"{paid:.2f}" for paid in charges(c)), named(decision(c)))
            for c in LINK_COSTS[: at + 1]
        ],
    )


def _picture(at: int) -> Picture:
    """Draw the four decisions as pairs of rooms, and what each is expected to pay."""
    paid, least, alone = (
        charges(LINK_COSTS[at]),
        min(charges(LINK_COSTS[at])),
        one_by_one(),
    )
    bars, lines, marks, words = [], [], [], []
    for place, (pair, cost) in enumerate(zip(PAIRS, paid, strict=True)):
        y = float(len(PAIRS) - 1 - place)
        lines.append(Line((-1.1, -0.6), (y, y), "quiet_text", width=2))
        is_best = cost == least
        if is_best:
            marks.append(Mark(cost, y, "ring", "circle", 16, False))
        marks += [
            Mark(x, y, "lit", "square", 24, bool(label))
            for x, label in zip((-1.1, -0.6), pair, strict=True)
        ]
        bars.append(Bar(0.0, cost, y - 0.2, y + 0.2, "lit" if is_best else "faded"))
        said = f"{cost:.2f}" + ", room by room" * (pair == alone)
        words += [
            Word(cost + 0.17, y, said, "left"),
            Word(-0.85, y - 0.42, named(pair)),
        ]
    return Picture(
        Axis(
            "expected cost (a wrong room costs 1)",
            -1.5,
            3.5,
            labelled((0, 0.5, 1, 1.5, 2, 2.5)),
        ),
        Axis("", -0.7, len(PAIRS) - 0.4),
        bars=tuple(bars),
        lines=tuple(lines),
        marks=tuple(marks),
        words=tuple(words),
        key=(
            Key("lit room", "lit", marker="square"),
            Key("dark room", "lit", marker="square", filled=False),
            Key("link", "quiet_text", "solid"),
            Key("least expected cost", "ring", marker="circle", filled=False),
        ),
    )


_BOUNDS = (0.25, 0.75)


def judge() -> RevealedAnswer:
    """Compute from which cost of the link on both rooms are decided together."""
    turn = turning_point()
    if turn is None:
        return RevealedAnswer(3, "The best pair stays the same at every cost.", 0)
    cost, pairs = LINK_COSTS[turn], beliefs()
    alone, best = one_by_one(), decision(LINK_COSTS[turn])
    return RevealedAnswer(
        sum(cost > bound for bound in _BOUNDS),
        f"From {cost:g} on the best pair is {named(best)}. Room by room, "
        f"{named(alone)} has the likelier labels, but both are right in only "
        f"{100 * pairs[alone]:.0f} % of cases; {named(best)} is right as a pair in "
        f"{100 * pairs[best]:.0f} %.",
        turn,
    )


LESSON = Lesson(
    name="together",
    order=100,
    short="Two linked rooms",
    title="Mistakes that cost together are decided together",
    world=(
        "Two linked rooms, each lit or dark. The first is lit in 60 % of cases, the "
        "second in 45 %; they mostly agree. A wrong room costs 1, and the link costs "
        "something more unless both are right."
    ),
    text=(
        "Room by room one takes the likelier label of each. But the link asks for the "
        "pair, and the pair of likely labels may itself be unlikely. Minimum expected "
        "cost looks at all pairs at once, with the probability of each pair from a "
        "Markov network; CSMN trains for it. Raise the link's cost and see the best "
        "pair change, although nothing has been learned anew."
    ),
    limit=(
        "Holds when linked labels are correlated and the link costs enough, not when "
        "they are independent: then the likeliest labels are the likeliest pair too, "
        "and room by room is best at every cost."
    ),
    control=Control("Cost of the link", tuple(f"{cost:g}" for cost in LINK_COSTS)),
    question="From which cost of the link on should the rooms be decided as a pair?",
    answers=("from 0.25 or less", "between 0.25 and 0.75", "above 0.75", "never"),
    supposes=(
        "So small a price of the link does not outweigh two likely labels.",
        "Two likely labels together are a pair that may be unlikely; the link counts "
        "pairs.",
        "The pair that is right more often wins before the link costs that much.",
        "Labels that are likely one by one may be an unlikely pair, and the link "
        "pays for pairs.",
    ),
    show=show,
    judge=judge,
    visit=Visit("structured", "Linked mistakes", "scene=small&rho=0.9&delta=0.25"),
    said={
        "least expected cost": ("best pair", "together the best", "decided as a pair"),
        "link": ("the link", "linked"),
    },
)
