"""Where the published speed-up comes from: brackets and zeros, not blocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from time import perf_counter

import numpy as np

from solvers import FeatureHypergraph
from solvers.datasets.makers.gaussian import make_gaussian
from solvers.papers.figures.gradients import ORDERS, BlockShapes

from ....figures.picture import Bar, Key, Picture, Word
from ....figures.scene import Axis
from ....session.visit import Visit
from ....widgets.text import counted
from .base import Control, Lesson, RevealedAnswer, Shown

N_FEATURES = 200
PSIS = (0.0, 5e-4, 1e-3, 2e-3, 3.5e-3, 5e-3, 7e-3, 1e-2, 2e-2, 5e-2)
ASKED = len(PSIS) - 1
SHORT = (
    "CAFH, as published",
    "CAFH with brackets",
    "ACAFH, as published",
    "ACAFH with brackets",
    "sparse (ours)",
)
SMALLEST = 2.0  # of the axis: 10 to this power


@cache
def shapes(at: int) -> BlockShapes:
    """Return the blocks of the paper's generator at a degree of sharing."""
    return BlockShapes.of(_graph(at))


def products(at: int) -> tuple[float, ...]:
    """Return how many pairs of numbers one gradient multiplies, way by way.

    In the order of `ORDERS`.
    """
    return tuple(order.n_products(shapes(at)) for order in ORDERS)


@cache
def milliseconds(at: int) -> tuple[float, ...]:
    """Return how long one gradient takes on this machine, the best of three.

    In the order of `ORDERS`.
    """
    graph = _graph(at)
    rng = np.random.default_rng(0)
    halves, target = rng.random(2 * N_FEATURES), rng.random(graph.n_components)
    found = []
    for order in ORDERS:
        gradient, spent = order.prepared(graph), []
        for _ in range(3):
            started = perf_counter()
            gradient(halves, target, 1.0)
            spent.append(perf_counter() - started)
        found.append(1000 * min(spent))
    return tuple(found)


@cache
def _graph(at: int) -> FeatureHypergraph:
    return make_gaussian(PSIS[at], N_FEATURES, 100).hypergraph


def show(at: int) -> Iterator[Shown]:
    """Draw the work of one gradient in five ways."""
    counts, timed, found = products(at), milliseconds(at), shapes(at)
    bracket, block = counts[0] / counts[1], counts[0] / counts[2]
    yield Shown(
        _picture(at),
        f"Sharing ψ = {PSIS[at]:g}: {counted(found.n_blocks, 'block')}, the largest of "
        f"{found.largest} of {N_FEATURES} features. Brackets alone save a factor of "
        f"{bracket:,.0f}, blocks alone {block:,.0f}; a sparse matrix multiplies "
        f"{counts[4]:,.0f} pairs.",
        ("way", "products", "measured here (ms)"),
        [
            (name, f"{count:,.0f}", f"{time:.3f}")
            for name, count, time in zip(SHORT, counts, timed, strict=True)
        ],
    )


def _picture(at: int) -> Picture:
    counts = products(at)
    bars, words = [], []
    for row, (name, count) in enumerate(zip(SHORT, counts, strict=True)):
        y = float(len(SHORT) - 1 - row)
        colour = ("faded", "acafh", "faded", "acafh", "forward_selection")[row]
        hatch = "/" if row in (0, 2) else " "
        length = float(np.log10(count))
        bars.append(Bar(SMALLEST, length, y - 0.28, y + 0.1, colour, 1.0, hatch))
        words.append(Word(SMALLEST + 0.05, y + 0.27, name, "left"))
        words.append(Word(length + 0.08, y - 0.09, f"{count:,.0f}", "left"))
    powers = {float(p): f"10{'⁰¹²³⁴⁵⁶⁷⁸'[p]}" for p in (2, 3, 4, 5, 6, 7, 8)}
    return Picture(
        Axis("products for one gradient", SMALLEST, 9.6, powers),
        Axis("", -0.5, len(SHORT) - 0.35),
        bars=tuple(bars),
        words=tuple(words),
        key=(
            Key("from left to right, as published", "faded", hatch=True),
            Key("with brackets", "acafh"),
            Key("with a sparse matrix", "forward_selection"),
        ),
    )


def judge() -> RevealedAnswer:
    """Compute what saves most where everything is one block."""
    counts, found = products(ASKED), shapes(ASKED)
    bracket, block = counts[0] / counts[1], counts[0] / counts[2]
    right = 0 if bracket > 1.5 * block else 1 if block > 1.5 * bracket else 2
    return RevealedAnswer(
        right,
        f"At ψ = {PSIS[ASKED]:g} one counts {counted(found.n_blocks, 'block')}: "
        f"cutting saves a "
        f"factor of {block:,.1f}. (P'P)B is a product of two matrices; P'(PB), the "
        f"same numbers, two products with a vector: a factor of {bracket:,.0f}.",
        ASKED,
    )


LESSON = Lesson(
    name="speedup",
    order=30,
    short="Where the speed-up comes from",
    title="Most of the published speed-up is the place of two brackets",
    world=(
        f"The paper's generator with {N_FEATURES} features: each needs every other "
        "feature's component with probability ψ. One gradient of the inner problem is "
        "multiplied out in five ways that give the same numbers: CAFH as published, "
        "P'P B from left to right; with brackets, P'(P B); both block by block, as "
        "ACAFH is published; and with a sparse matrix."
    ),
    text=(
        "CAFH multiplies P'P B from left to right, a product of two matrices at every "
        "step; ACAFH does the same block by block and is reported to be many times "
        "faster. With brackets, P'(P B), CAFH needs no blocks: two products with a "
        "vector do. A sparse matrix does not even multiply the zeros, and then there "
        "is nothing left to save by cutting."
    ),
    limit=(
        "Holds when features share and blocks are large, not when ψ is so small that "
        "blocks have a few features each: there cutting saves more of the dense "
        "products than brackets do. A sparse matrix needs the fewest at every ψ."
    ),
    control=Control("Sharing of the lesson", tuple(f"ψ = {psi:g}" for psi in PSIS)),
    question=f"At ψ = {PSIS[ASKED]:g}, what saves more of CAFH's products?",
    answers=("brackets", "cutting into blocks", "about the same"),
    show=show,
    judge=judge,
    visit=Visit(
        "frontier", "Frontier", "figure=10&compute=yes", "Figures of the paper"
    ),
    said={
        "from left to right, as published": ("from left to right", "block by block"),
        "with brackets": ("brackets",),
        "with a sparse matrix": ("sparse matrix",),
    },
)
