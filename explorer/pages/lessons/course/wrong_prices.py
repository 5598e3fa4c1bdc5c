"""A price list with errors: what looks cheap is often what was priced too low."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.costs.budgets import room_of

from ....figures.picture import Key, Line, Mark, Picture, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from ....session.saved_drawing import graph_text
from .base import Control, Lesson, RevealedAnswer, Shown

# What ten features truly cost and bring: alike, so that prices decide.
PRICES = (2.0, 2.2, 2.4, 2.6, 2.8, 3.0, 3.2, 3.4, 3.6, 3.8)
WORTH = (2.1, 2.2, 2.5, 2.5, 2.9, 3.0, 3.1, 3.5, 3.6, 3.7)
BUDGET = 10.0
ERRORS = (0, 10, 20, 30, 40, 50)  # Largest, in per cent
ASKED = ERRORS.index(30)
N_LISTS = 2000
# Of what the list says, in per cent: less than this is as good as nothing.
SMALL = 1.0


def world() -> FeatureHypergraph:
    """Return ten features that share nothing, by their true prices."""
    names = tuple(f"test {chr(ord('A') + j)}" for j in range(len(PRICES)))
    return FeatureHypergraph.independent(PRICES, names)


@cache
def paid(error: int) -> tuple[float, float]:
    """Return what is truly paid, in per cent of what the list says.

    Mean over many lists whose errors are even in both directions: for the features
    that are worth most within the budget by the list, and for all features, where
    there is nothing to choose.
    """
    sets = np.array([*product((False, True), repeat=len(PRICES))], dtype=float)
    worth = sets @ np.array(WORTH)
    rng = np.random.default_rng(error)
    off = rng.uniform(-error / 100, error / 100, (N_LISTS, len(PRICES)))
    lists = np.array(PRICES) * (1 + off)
    chosen = sets[_best(sets, worth, lists)]
    listed = (chosen * lists).sum(axis=1).mean()
    true = (chosen * np.array(PRICES)).sum(axis=1).mean()
    everything = N_LISTS * sum(PRICES) / lists.sum()
    return 100 * float(true / listed), 100 * float(everything)


def _best(
    sets: NDArray[np.float64], worth: NDArray[np.float64], lists: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return for each list the set that is worth most within the budget."""
    is_paid = lists @ sets.T <= room_of(BUDGET)
    best: NDArray[np.intp] = np.where(is_paid, worth, -1.0).argmax(axis=1)
    return best


def show(at: int) -> Iterator[Shown]:
    """Draw what is truly paid for what was chosen, by the errors of the list."""
    chosen, everything = paid(ERRORS[at])
    yield Shown(
        _picture(at),
        f"Prices off by up to {ERRORS[at]} % either way: what was chosen truly costs "
        f"{chosen:.1f} % of what the list says; all features, {everything:.1f} %.",
        ("errors up to", "chosen, truly paid", "all features, truly paid"),
        [
            (f"{error} %", *(f"{value:.1f} %" for value in paid(error)))
            for error in ERRORS[: at + 1]
        ],
    )


def _picture(at: int) -> Picture:
    x = tuple(float(error) for error in ERRORS[: at + 1])
    chosen, everything = zip(*map(paid, ERRORS[: at + 1]), strict=True)
    return Picture(
        Axis("largest error of a price (%)", -3, 53, labelled(ERRORS)),
        Axis("truly paid (% of the list)", 94, 136, labelled((100, 110, 120, 130))),
        lines=(
            Line((-3.0, 53.0), (100.0, 100.0), "budget", "dotted", 1.5),
            Line(x, everything, "faded", "dashed"),
            Line(x, chosen, "wrong"),
        ),
        marks=(
            *(
                Mark(*one, "faded", "square", 9)
                for one in zip(x, everything, strict=True)
            ),
            *(Mark(*one, "wrong", "circle", 11) for one in zip(x, chosen, strict=True)),
        ),
        key=(
            Key("chosen by the list", "wrong", "solid", "circle"),
            Key("all features", "faded", "dashed", "square"),
            Key("as listed", "budget", "dotted"),
        ),
    )


def judge() -> RevealedAnswer:
    """Compute what the chosen features truly cost."""
    chosen, everything = paid(ERRORS[ASKED])
    over = chosen - 100
    return RevealedAnswer(
        0 if abs(over) <= SMALL else 1 if over > 0 else 2,
        f"They cost {chosen:.1f} % of what the list says. Errors are even in both "
        "directions, but the choice is not: a feature that is listed too low is chosen "
        "for it, one that is listed too high is left. Whoever buys all features pays "
        f"{everything:.1f} %.",
        ASKED,
    )


LESSON = Lesson(
    name="wrong-prices",
    order=120,
    short="A price list with errors",
    title="What looks cheap is often what was priced too low",
    world=(
        "Ten features cost 2 to 4 µs and are worth about what they cost. A list has "
        "their prices with errors, as often too high as too low. By the list one "
        f"chooses what is worth most for {BUDGET:g} µs."
    ),
    text=(
        "Measured times and quoted prices have errors. Adding up many of them, errors "
        "cancel; choosing by them, they do not, because the best by the list is "
        "likely to be among those that the list flatters. So leave room in the budget, "
        "and measure again what was chosen."
    ),
    limit=(
        "Holds when there is a choice among features that are nearly as good, not when "
        "all features are bought: then errors cancel and the list is right on average."
    ),
    control=Control("Errors of the list", tuple(f"up to {e} %" for e in ERRORS)),
    question=(
        f"Prices are off by up to {ERRORS[ASKED]} % either way. What do the chosen "
        "features truly cost, on average?"
    ),
    answers=("what the list says", "more", "less"),
    supposes=(
        "Errors of the list cancel, but not of those that were chosen because of them.",
        "A choice among so few flatters less than that.",
        "It would be less if one chose what looks dear.",
    ),
    show=show,
    judge=judge,
    visit=Visit("problem", "Prices", f"g={graph_text(world())}"),
    said={
        "chosen by the list": ("chosen", "what was chosen"),
        "as listed": ("what the list says",),
    },
)
