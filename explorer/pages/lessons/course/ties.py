"""Many answers are equally good where tests repeat each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.certify import NearOptimal, near_optimal

from ....figures.picture import Bar, Key, Mark, Picture, Word
from ....figures.scene import Axis
from ....session.link import Visit
from ....widgets.text import counted
from .base import Control, Lesson, RevealedAnswer, Shown

N_ROWS, RIDGE, BUDGET = 300, 0.01, 3.0
# Three tests of sugar, three of pressure, two of the heart, and how much each decides.
KINDS = (("sugar", 3, 1.4), ("pressure", 3, 1.1), ("heart", 2, 0.9))
NAMES = tuple(
    f"{kind} {chr(ord('A') + copy)}" for kind, many, _ in KINDS for copy in range(many)
)
COPIED, APART = 0.05, 1.0  # Noise of one test beside what it measures
WITHIN = (0.001, 0.003, 0.01, 0.03, 0.1)
ASKED = WITHIN.index(0.01)
FEW = 5
MOST = 24  # As many are drawn


def rows(noise: float) -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    """Return a table of eight tests that measure three things, and its labels."""
    rng = np.random.default_rng(3)
    measured = rng.standard_normal((N_ROWS, len(KINDS)))
    X = np.column_stack(
        [
            measured[:, place] + noise * rng.standard_normal(N_ROWS)
            for place, (_, many, _) in enumerate(KINDS)
            for _ in range(many)
        ]
    )
    y = measured @ [weight for *_, weight in KINDS] + rng.standard_normal(N_ROWS) > 0
    return X, y.astype(int)


@cache
def alike(at: int, noise: float = COPIED) -> NearOptimal:
    """Return all selections of three tests that are as good, within a tolerance."""
    X, y = rows(noise)
    graph = FeatureHypergraph.independent([1.0] * len(NAMES), NAMES)
    return near_optimal(X, y, graph, ridge=RIDGE, budget=BUDGET, within=WITHIN[at])


def show(at: int) -> Iterator[Shown]:
    """Draw the selections beside each other, best first."""
    found, within = alike(at), 100 * WITHIN[at]
    shared = [name for name, is_in in zip(NAMES, _in_all(found), strict=True) if is_in]
    common = f" All of them buy {', '.join(shared)}." if shared else ""
    n = len(found.selections)
    yield Shown(
        _picture(found),
        f"{counted(n, 'selection')} of at most three tests "
        f"{'comes' if n == 1 else 'come'} within {within:g} % of the best, and there "
        f"is no further one (proved).{common}",
        ("selection", "tests", "above the best"),
        [_row(found, place) for place in range(min(n, MOST))],
    )


def _in_all(found: NearOptimal) -> NDArray[np.bool_]:
    taken: NDArray[np.bool_] = found.selections.all(axis=0)
    return taken


def _row(found: NearOptimal, place: int) -> tuple[str, ...]:
    taken = [NAMES[j] for j in np.flatnonzero(found.selections[place])]
    above = (found.objectives[place] - found.best) / (found.threshold - found.best)
    allowed = f"{100 * above:.0f} % of what is allowed" if place else "the best"
    return f"{place + 1}", ", ".join(taken), allowed


def _picture(found: NearOptimal) -> Picture:
    n, rows_of = min(len(found.selections), MOST), len(NAMES)
    marks, words, bars = [], [], []
    for place, name in enumerate(NAMES):
        y = float(rows_of - 1 - place)
        words.append(Word(-0.4, y, name, "right"))
        for column in range(n):
            is_in = bool(found.selections[column, place])
            colour = "lit" if is_in else "faded"
            marks.append(Mark(column + 0.5, y, colour, "square", 15, is_in))
    start = rows_of - 0.5
    for kind, many, _ in KINDS:
        if kind == "pressure":
            bars.append(Bar(-3.4, max(n, 8) + 0.2, start - many, start, "faded", 0.2))
        start -= many
    return Picture(
        Axis("", -3.5, max(n, 8) + 0.5),
        Axis("", -1.4, rows_of),
        bars=tuple(bars),
        marks=tuple(marks),
        words=(*words, Word(0.0, -1.0, "best first, a column a selection", "left")),
        key=(
            Key("bought", "lit", marker="square"),
            Key("not bought", "faded", marker="square", filled=False),
            Key("tests of one thing", "faded"),
        ),
    )


def judge() -> RevealedAnswer:
    """Count the selections within one per cent of the best."""
    n, alone = len(alike(ASKED).selections), len(alike(ASKED, APART).selections)
    return RevealedAnswer(
        0 if n == 1 else 1 if n <= FEW else 2,
        f"{n} selections of three tests are within {100 * WITHIN[ASKED]:g} % of the "
        "best: of each thing that is measured, any of its tests will do. Where the "
        "tests are so noisy that no two of them show the same, "
        f"{counted(alone, 'selection')} {'is' if alone == 1 else 'are'}.",
        ASKED,
    )


LESSON = Lesson(
    name="ties",
    order=106,
    short="How many best answers there are",
    title="Many answers are equally good",
    world=(
        "Three tests of sugar, three of pressure and two of the heart: tests of one "
        "thing nearly repeat each other. Each costs 1, and there is money for three."
    ),
    text=(
        "A solver reports one selection as if it were the answer. Where tests repeat "
        "each other, whole families of selections differ by less than the noise, and "
        "which of them is printed is an accident of rounding. A search that proves "
        "where nothing better can be found lists them all: what is bought in each is "
        "needed, and what can be exchanged may be chosen by what the model does not "
        "know, such as which test hurts less."
    ),
    limit=(
        "Holds when tests of one thing repeat each other, not when each tells "
        "something of its own: then few selections are as good. It is a statement "
        "about linear models and the training objective."
    ),
    control=Control(
        "How near the best", tuple(f"within {100 * one:g} %" for one in WITHIN)
    ),
    question="How many selections of three tests come within 1 % of the best?",
    answers=("the best alone", "two to five", "more than five"),
    supposes=(
        "One is printed, but a test of the same thing can take the place of each of "
        "its tests.",
        "There are more: each of the three can be exchanged, and exchanges multiply.",
        "Tests of one thing repeat each other less than that here.",
    ),
    show=show,
    judge=judge,
    visit=Visit("proof", "Proof", "data=published&table=session"),
    said={
        "bought": ("selection", "selections"),
        "tests of one thing": ("repeat each other", "can be exchanged"),
    },
)
