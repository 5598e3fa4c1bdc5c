"""The last dollar buys least, unless only all parts together make the whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.methods.forward_selection import ForwardSelectionClassifier

from ....figures.picture import Bar, Key, Line, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

N_TESTS, N_TRAIN, N_ROWS = 8, 2000, 22_000
# How far apart the classes are in each test, in its standard deviation.
STRENGTH = 0.8
ASKED = 2
# Of what all tests bring, in per cent: about a quarter, a half, more.
QUARTER, HALF = 37.5, 62.5
COIN = 50.0
REPEATS, PARTS = "each test shows the same", "each test is a part"


def rows(kind: str) -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    """Return rows of eight tests and their labels.

    Each test shows the label with noise of its own, or is one part of the sum whose
    sign is the label.
    """
    rng = np.random.default_rng(1)
    noise = rng.standard_normal((N_ROWS, N_TESTS))
    if kind == PARTS:
        return noise, (noise.sum(axis=1) > 0).astype(int)
    y = rng.integers(0, 2, N_ROWS)
    return noise + STRENGTH * (2 * y - 1)[:, np.newaxis], y


@cache
def right(kind: str) -> tuple[float, ...]:
    """Return the per cent of test rows that are right with 0, 1, ... 8 tests."""
    X, y = rows(kind)
    graph = FeatureHypergraph.independent([1.0] * N_TESTS)
    path = ForwardSelectionClassifier(hypergraph=graph).path(X[:N_TRAIN], y[:N_TRAIN])
    found = {0: COIN}
    for model in path:
        taken = int(model.support_.sum())
        found[taken] = 100 * float(np.mean(model.predict(X[N_TRAIN:]) == y[N_TRAIN:]))
    return tuple(found[taken] for taken in range(N_TESTS + 1))


def share(kind: str, taken: int) -> float:
    """Return what some tests bring over a coin, in per cent of what all bring."""
    found = right(kind)
    return 100 * (found[taken] - COIN) / (found[-1] - COIN)


def show(at: int) -> Iterator[Shown]:
    """Draw what each dollar buys, up to this one."""
    same, parts = right(REPEATS), right(PARTS)
    bought = (
        f"{at} {'dollar buys' if at == 1 else 'dollars buy'} {same[at]:.1f} % right"
    )
    if not at:
        bought = f"A coin is right for {COIN:g} %"
    gain = f"; the last of them bought {same[at] - same[at - 1]:.1f} points" * bool(at)
    yield Shown(
        _picture(at),
        f"{bought}{gain}. Where each test is a part of a whole: {parts[at]:.1f} %.",
        ("dollars", "right", "bought by the last", "where each is a part"),
        [
            (
                f"{taken}",
                f"{same[taken]:.1f} %",
                f"{same[taken] - same[taken - 1]:.1f}" if taken else "",
                f"{parts[taken]:.1f} %",
            )
            for taken in range(at + 1)
        ],
    )


def _picture(at: int) -> Picture:
    same, parts = right(REPEATS), right(PARTS)
    x = tuple(float(taken) for taken in range(at + 1))
    bars, words = [], []
    for taken in range(1, at + 1):
        low, high = sorted((same[taken - 1], same[taken]))
        bars.append(Bar(taken - 0.3, taken + 0.3, low, high, "lit"))
        words.append(Word(taken, high + 3, f"+{same[taken] - same[taken - 1]:.1f}"))
    return Picture(
        Axis("dollars spent, one a test", -0.5, N_TESTS + 0.5, labelled(range(9))),
        Axis("right (% of test rows)", 48, 105, labelled((50, 60, 70, 80, 90, 100))),
        bars=tuple(bars),
        lines=(Line(x, parts[: at + 1], "faded", "dashed"),),
        marks=(
            *(Mark(k, same[int(k)], "lit", "circle", 10) for k in x),
            *(Mark(k, parts[int(k)], "faded", "square", 8) for k in x),
        ),
        words=tuple(words),
        key=(
            Key("what a dollar buys", "lit"),
            Key(REPEATS, "lit", marker="circle"),
            Key(PARTS, "faded", "dashed", "square"),
        ),
    )


def judge() -> RevealedAnswer:
    """Compute what the first two dollars bring."""
    found = right(REPEATS)
    brought = share(REPEATS, ASKED)
    return RevealedAnswer(
        sum(brought > bound for bound in (QUARTER, HALF)),
        f"{ASKED} dollars lift {COIN:g} % to {found[ASKED]:.1f} %, all {N_TESTS} to "
        f"{found[-1]:.1f} %: the first two bring {brought:.0f} % of it. What a test "
        "shows, the tests before it have mostly shown already; the eighth dollar buys "
        f"{found[-1] - found[-2]:.1f} points.",
        ASKED,
    )


LESSON = Lesson(
    name="knee",
    order=17,
    short="Eight tests, a dollar each",
    title="The last dollar buys least",
    world=(
        f"{N_TESTS} tests cost a dollar each and are equally good: each shows the same "
        "label, with noise of its own. A linear model buys one after the other."
    ),
    text=(
        "A frontier rises steeply and then flattens, though no test is better than "
        "another: what a further test can still tell is only what the others left "
        "open. So a budget is best set at the knee, where a dollar begins to buy less "
        "than it is worth to you, not where the line ends."
    ),
    limit=(
        "Holds when each test shows the same, not when each test is a part of a whole: "
        "where the label is the sign of their sum (dashed), the last dollar buys most, "
        "because only all parts together say it."
    ),
    control=Control("Tests bought", tuple(f"{k} of {N_TESTS}" for k in range(9))),
    question=(
        f"How much of what all {N_TESTS} tests bring do the first {ASKED} dollars buy?"
    ),
    answers=("about a quarter", "about a half", "more than that"),
    supposes=(
        "That is their share of the money: it would be so if each dollar bought as "
        "much as the one before.",
        "The first ones buy more than that: nothing has been shown before them.",
        "The tests before the last leave more open than that.",
    ),
    show=show,
    judge=judge,
    visit=Visit("frontier", "Frontier", "data=heart"),
    said={
        "what a dollar buys": ("dollar", "dollars"),
        REPEATS: ("each shows the same",),
        PARTS: ("dashed", "part of a whole"),
    },
)
