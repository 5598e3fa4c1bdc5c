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

from ....figures.picture import Key, Line, Mark, Picture, Word, labelled
from ....figures.scene import Axis
from ....session.visit import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

FEATURES = ("A", "B", "C")
# A and B need the shared component and one of their own; C one of its own.
NEEDS = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]], dtype=bool)
OWN, ALONE = 1.0, 8.0
SHARED = tuple(float(cost) for cost in range(0, 21, 2))
ASKED = SHARED.index(10.0)
LOOKS: dict[FeatureOrder, tuple[str, str, str]] = {
    "alone": ("shared", "dashed", "triangle"),
    "amortised": ("lit", "solid", "circle"),
}
TITLES = {
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
    (alone, first), (together, second) = (bought(order, shared) for order in LOOKS)
    yield Shown(
        _picture(at),
        f"With a shared component of {shared:g} µs, cheapest by itself buys "
        f"{', '.join(alone)} and has paid {first[1]:g} µs after two features; cheapest "
        f"per feature buys {', '.join(together)} and has paid {second[1]:g} µs.",
        ("shared (µs)", "order", "bought", "after 1 (µs)", "after 2", "after 3"),
        [
            (f"{c:g}", name, *_cells(*bought(name, c)))
            for c in SHARED[: at + 1]
            for name in LOOKS
        ],
    )


def _cells(names: str, paid: tuple[float, ...]) -> tuple[str, ...]:
    return ", ".join(names), *(f"{cost:g}" for cost in paid)


def _picture(at: int) -> Picture:
    lines, marks, words = [], [], []
    for row, (order, (colour, dash, marker)) in enumerate(LOOKS.items()):
        names, paid = bought(order, SHARED[at])
        x = (0.0, *(float(k) for k in range(1, 4)))
        lines.append(Line(x, (0.0, *paid), colour, dash))
        marks += [
            Mark(k, cost, colour, marker, 11)
            for k, cost in zip(x[1:], paid, strict=True)
        ]
        said = f"{'dashed' if row == 0 else 'solid'}: {', then '.join(names)}"
        words.append(Word(0.05, 30.0 - 2.4 * row, said, "left", "middle", colour))
    return Picture(
        Axis("features bought", -0.1, 3.3, labelled((0, 1, 2, 3))),
        Axis("paid so far (µs)", 0, 32, labelled((0, 5, 10, 15, 20, 25, 30))),
        lines=tuple(lines),
        marks=tuple(marks),
        words=tuple(words),
        key=tuple(
            Key(TITLES[order], colour, dash, marker)
            for order, (colour, dash, marker) in LOOKS.items()
        ),
    )


def judge() -> RevealedAnswer:
    """Compute which order has two features for less."""
    shared = SHARED[ASKED]
    (alone, first), (together, second) = (bought(order, shared) for order in LOOKS)
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
    show=show,
    judge=judge,
    visit=Visit("cascade", "Early exit", "table=scenes&order=amortised&confidence=gap"),
    said={
        TITLES["alone"]: ("cheapest by itself", "costs alone", "both orders"),
        TITLES["amortised"]: (
            "cheapest per feature",
            "all that it opens",
            "both orders",
        ),
    },
)
