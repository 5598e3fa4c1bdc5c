"""The cheapest next feature may be the wrong one to buy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solvers.numerics.acquisition_order import (
    FeatureOrder,
    acquisition_order,
    cumulative_costs,
)

from ....figures.picture import Bar, Key, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

FEATURES = ("A", "B", "C")
# A and B need the shared component and one of their own; C one of its own.
NEEDS = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]], dtype=bool)
OWN, ALONE = 1.0, 8.0
SHARED = tuple(float(cost) for cost in range(0, 21, 2))
ASKED = SHARED.index(10.0)
GAP = 0.12  # Between what is bought, as drawn
TITLES: dict[FeatureOrder, str] = {
    "alone": "cheapest by itself first (as published)",
    "amortised": "cheapest per feature that it opens first",
}


def costs(shared: float) -> NDArray[np.float64]:
    """Return what the components cost.

    Shape: (4,).
    """
    return np.array([shared, OWN, OWN, ALONE])


def bought(order: FeatureOrder, shared: float) -> tuple[str, tuple[float, ...]]:
    """Return in which order features are bought, and what has been paid after each."""
    chosen = acquisition_order(NEEDS, costs(shared), order)
    paid = cumulative_costs(NEEDS[chosen], costs(shared))
    return "".join(FEATURES[g] for g in chosen), tuple(float(cost) for cost in paid)


def show(at: int) -> Iterator[Shown]:
    """Draw what one, two and three features cost in both orders."""
    shared = SHARED[at]
    (alone, first), (together, second) = (bought(order, shared) for order in TITLES)
    yield Shown(
        _picture(at),
        f"With a shared component of {shared:g} µs, cheapest by itself buys "
        f"{', '.join(alone)} and has paid {first[1]:g} µs after two features; cheapest "
        f"per feature buys {', '.join(together)} and has paid {second[1]:g} µs.",
        ("shared (µs)", "order", "bought", "after 1 (µs)", "after 2", "after 3"),
        [
            (f"{c:g}", name, *_cells(*bought(name, c)))
            for c in SHARED[: at + 1]
            for name in TITLES
        ],
    )


def _cells(names: str, paid: tuple[float, ...]) -> tuple[str, ...]:
    return ", ".join(names), *(f"{cost:g}" for cost in paid)


def _picture(at: int) -> Picture:
    """Draw both baskets as they fill, and how much two features have cost."""
    bars, marks, words = [], [], []
    for y, order in zip((1.0, 0.0), TITLES, strict=True):
        names, paid = bought(order, SHARED[at])
        words.append(Word(0.0, y + 0.42, TITLES[order], "left"))
        start, is_opened = 0.0, False
        for name, end in zip(names, paid, strict=True):
            opens = SHARED[at] if name != "C" and not is_opened else 0.0
            is_opened = is_opened or name != "C"
            if opens:
                bars.append(Bar(start, start + opens, *_high(y), "shared", hatch="/"))
            bars.append(Bar(start + opens, end - GAP, *_high(y), "lit"))
            words.append(Word((start + end) / 2, y - 0.3, name))
            start = end
        marks.append(Mark(paid[1], y, "budget", "diamond", 13))
        # Its middle is never so near to the edge that it would be cut there.
        words.append(Word(max(paid[1], 3.5), y + 0.28, f"{paid[1]:g} µs for two"))
    return Picture(
        Axis("paid so far (µs)", -0.5, 32, labelled((0, 5, 10, 15, 20, 25, 30))),
        Axis("", -0.55, 1.65),
        bars=tuple(bars),
        marks=tuple(marks),
        words=tuple(words),
        key=(
            Key("shared component", "shared", hatch=True),
            Key("a feature's own", "lit"),
            Key("two features bought", "budget", marker="diamond"),
        ),
    )


def _high(y: float) -> tuple[float, float]:
    """Return the lower and the upper edge of a basket."""
    return y - 0.18, y + 0.18


def judge() -> RevealedAnswer:
    """Compute which order has two features for less."""
    shared = SHARED[ASKED]
    (alone, first), (together, second) = (bought(order, shared) for order in TITLES)
    gap = first[1] - second[1]
    return RevealedAnswer(
        1 if gap > 0 else 0 if gap < 0 else 2,
        f"By itself C costs {ALONE:g} µs and A {shared + OWN:g} µs, so the first order "
        f"buys {', '.join(alone)}: {first[1]:g} µs for two. But the shared component "
        f"opens A and B: ({shared:g} + {OWN:g} + {OWN:g}) / 2 = "
        f"{(shared + 2 * OWN) / 2:g} µs a feature, and {', '.join(together)} costs "
        f"{second[1]:g} µs for two.",
        ASKED,
    )


LESSON = Lesson(
    name="order",
    order=15,
    short="What to buy first",
    title="The cheapest next feature may be the wrong one to buy",
    world=(
        f"Three features. A and B need a shared component and {OWN:g} µs more each; C "
        f"costs {ALONE:g} µs and shares nothing."
    ),
    text=(
        "A cascade buys features one after the other, and the papers sort them by what "
        "each costs alone. Where features share a costly component, its price is "
        "spread over all that it opens, and a costly first step may be the cheap way "
        "to two or three features. Move the shared cost and see when both orders part."
    ),
    limit=(
        "Holds when at least two of the sharing features are bought, not when one "
        "stops after the first, which C gives for less; and not once A and B together "
        "cost more per feature than C alone: then both orders begin with C."
    ),
    control=Control("Shared component", tuple(f"{c:g} µs" for c in SHARED)),
    question=(
        f"The shared component costs {SHARED[ASKED]:g} µs. Which feature should be "
        "bought first, if two are to be bought?"
    ),
    answers=("C: it is the cheapest", "A: it opens B", "it makes no difference"),
    supposes=(
        "C is cheapest for one, but it opens nothing: the second one costs 11 µs then.",
        "What A opens is worth nothing here, as C costs less than a share of it.",
        "It does: one order pays for the shared component and for C, the other for "
        "one of them.",
    ),
    show=show,
    judge=judge,
    visit=Visit("cascade", "Early exit", "table=scenes&order=amortised&confidence=gap"),
    said={
        "shared component": ("shared component", "costly component", "shared cost"),
        "a feature's own": ("costs alone",),
        "two features bought": ("for two", "two features"),
    },
)
