"""Greedy is nearly the best there is, until two features help only together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.certify import RidgeObjective, certified_frontier
from solvers.costs.budgets import room_of
from solvers.methods.forward_selection import ForwardSelectionClassifier

from ....figures.picture import Key, Line, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

N_ROWS, RIDGE = 400, 0.01
CORRELATIONS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
ASKED = CORRELATIONS.index(0.8)
BUDGET, N_FEATURES = 3.0, 8
# What six features that help by themselves weigh; the pair's difference weighs 2.
WEIGHTS = (1.2, 1.0, 0.8, 0.6, 0.4, 0.2)
# In per cent of what all features bring: where greedy counts as good enough.
SMALL, LARGE = 1.0, 10.0
EXACT = 1e-6
# Where it is drawn what greedy buys, and what is best, above the curve.
ROWS = (42.0, 36.0)


@dataclass(frozen=True)
class GreedyAgainstFloor:
    """Greedy and the proven floor within the budget."""

    floor: float  # No linear model of three features has a lower objective
    best: float  # Objective of the best selection known
    greedy: float  # Objective of the features that greedy buys
    excess: float  # Greedy above the floor, in per cent of what all features bring
    bought: tuple[int, ...]  # What greedy buys
    wanted: tuple[int, ...]  # What the best selection buys


def world() -> FeatureHypergraph:
    """Return eight features that cost 1 each and share nothing."""
    return FeatureHypergraph.independent([1.0] * N_FEATURES)


def rows(correlation: float) -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    """Return a table whose last two features are correlated, and its labels.

    Their difference decides; what they have in common says nothing.
    """
    rng = np.random.default_rng(0)
    difference, common = rng.standard_normal((2, N_ROWS))
    others = rng.standard_normal((N_ROWS, len(WEIGHTS)))
    up, down = np.sqrt((1 + correlation) / 2), np.sqrt((1 - correlation) / 2)
    left, right = up * common + down * difference, up * common - down * difference
    noise = 0.5 * rng.standard_normal(N_ROWS)
    y = (2 * difference + others @ np.array(WEIGHTS) + noise > 0).astype(int)
    return np.column_stack([others, left, right]), y


@cache
def compared(at: int) -> GreedyAgainstFloor:
    """Return how greedy does at a setting, and what is proven."""
    (X, y), graph = rows(CORRELATIONS[at]), world()
    objective = RidgeObjective(X, y, graph, ridge=RIDGE)
    path = ForwardSelectionClassifier(hypergraph=graph).path(X, y)
    within = [m.support_ for m in path if graph.cost(m.support_) <= room_of(BUDGET)]
    chosen = min(within, key=objective)
    *_, proven = certified_frontier(
        X, y, graph, ridge=RIDGE, budgets=[BUDGET], tol=EXACT
    )
    greedy = objective(chosen)
    return GreedyAgainstFloor(
        proven.lower,
        proven.upper,
        greedy,
        100 * max(greedy - proven.lower, 0.0) / proven.full_gain,
        tuple(np.flatnonzero(chosen).tolist()),
        tuple(np.flatnonzero(proven.features).tolist()),
    )


def show(at: int) -> Iterator[Shown]:
    """Draw how far greedy is above the floor, correlation by correlation."""
    for done in range(at + 1):
        found = compared(done)
        yield Shown(
            _picture(done),
            f"Correlation {CORRELATIONS[done]:g}: no linear model of three features is "
            f"below {found.floor:.4f}; the best selection reaches {found.best:.4f}, "
            f"greedy {found.greedy:.4f}, which is {found.excess:.1f} % of what all "
            "features bring above the floor.",
            ("correlation", "floor", "best known", "greedy", "above", "greedy buys"),
            [_row(k) for k in range(done + 1)],
            (done + 1) / (at + 1),
        )


def _row(at: int) -> tuple[str, ...]:
    found = compared(at)
    return (
        f"{CORRELATIONS[at]:g}",
        f"{found.floor:.4f}",
        f"{found.best:.4f}",
        f"{found.greedy:.4f}",
        f"{found.excess:.1f} %",
        ", ".join(_name(j) for j in found.bought),
    )


def _name(feature: int) -> str:
    return {6: "left", 7: "right"}.get(feature, f"x{feature + 1}")


def _picture(at: int) -> Picture:
    """Draw which three are bought, and how far greedy is above the floor."""
    found, ends = compared(at), (-0.05, 1.0)
    marks, words = [], []
    for y, said, chosen in (
        (ROWS[0], "greedy buys", found.bought),
        (ROWS[1], "best three", found.wanted),
    ):
        words.append(Word(-0.03, y, said, "left"))
        colour = "forward_selection" if y == ROWS[0] else "text"
        marks += [
            Mark(_place(j), y, colour, "square", 15, j in chosen)
            for j in range(N_FEATURES)
        ]
    words += [Word(_place(j), ROWS[0] + 4, _name(j)) for j in range(N_FEATURES)]
    x = CORRELATIONS[: at + 1]
    excess = tuple(compared(k).excess for k in range(at + 1))
    return Picture(
        Axis(
            "correlation of the two features whose difference decides",
            *ends,
            labelled(tuple(c for c in CORRELATIONS if c != 0.9)),  # no room for it
        ),
        Axis(
            "above the proven floor (%)",
            -2,
            ROWS[0] + 7,
            labelled((0, 10, 20, 30)),
        ),
        lines=(
            Line(ends, (SMALL, SMALL), "quiet_text", "dashed", 1.5),
            Line(ends, (0.0, 0.0), "text", "solid", 2.5),
            Line(x, excess, "forward_selection", "dotted"),
        ),
        marks=(
            *marks,
            *(
                Mark(*place, "forward_selection", "triangle", 11)
                for place in zip(x, excess, strict=True)
            ),
        ),
        words=tuple(words),
        key=(
            Key("greedy, three features", "forward_selection", "dotted", "triangle"),
            Key("greedy buys", "forward_selection", marker="square"),
            Key("best three", "text", marker="square"),
            Key("proven floor", "text", "solid"),
            Key("1 % above it", "quiet_text", "dashed"),
        ),
    )


def _place(feature: int) -> float:
    """Return where a feature stands beside the others."""
    return 0.29 + 0.095 * feature - 0.03 * (feature < N_FEATURES - 2)


def judge() -> RevealedAnswer:
    """Compute how far greedy is above the floor where two features are alike."""
    alike, apart = compared(ASKED), compared(0)
    return RevealedAnswer(
        sum(alike.excess > bound for bound in (SMALL, LARGE)),
        f"Greedy is {alike.excess:.1f} % above the floor: it buys "
        f"{', '.join(map(_name, alike.bought))}; the best three are "
        f"{', '.join(map(_name, alike.wanted))}. Left or right alone says little, so "
        "greedy never sees what the two say together. With no correlation it is "
        f"{apart.excess:.1f} % above.",
        ASKED,
    )


LESSON = Lesson(
    name="greedy",
    order=105,
    short="Buying the next best, or the best together",
    title="Greedy is within 1 % of the best, until two features help only together",
    world=(
        "Eight features that cost 1 each, 400 rows, money for three. Six help by "
        "themselves; of left and right, the difference decides, and they may have much "
        "in common. Greedy buys what helps most now. A floor is proven, below which no "
        "linear model of three features is."
    ),
    text=(
        "Greedy looks one step ahead. Where each feature brings what it brings, "
        "whatever else is bought, the next best is nearly the best of all, and the "
        "proof says so. Where two features are worth something only together, neither "
        "is ever next. No score of greedy's own can tell the one from the other; a "
        "floor under every linear model can. It is a floor under the training "
        "objective, not under errors on other rows."
    ),
    limit=(
        "Holds when features help one by one, not when two of them help only "
        "together; at a correlation of 0.95 so little is left of the difference that "
        "three others are best, and greedy is right again."
    ),
    control=Control(
        "Correlation of left and right", tuple(f"{c:g}" for c in CORRELATIONS)
    ),
    question=(
        f"Left and right with a correlation of {CORRELATIONS[ASKED]:g}: how far above "
        "the proven floor is greedy, as a share of what all eight features bring?"
    ),
    answers=("within 1 %", "1 to 10 % above", "more than 10 % above"),
    supposes=(
        "It would be, did features help one by one; left and right help only together.",
        "More is missed: neither of the two is ever the next best.",
        "Features help one by one here, and greedy misses little.",
    ),
    show=show,
    judge=judge,
    visit=Visit(
        "proof",
        "Proof",
        "table=breast_cancer&share=0.2&ridge=0.01",
        "Methods above the floor",
    ),
    said={
        "greedy, three features": ("greedy",),
        "proven floor": ("floor",),
        "1 % above it": ("nearly the best of all",),
    },
)
