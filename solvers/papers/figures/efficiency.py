"""Figures 6, 7 and 10: time of CAFH against ACAFH, and where it goes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...datasets.base import Dataset
from ...datasets.makers.gaussian import make_gaussian
from ...datasets.makers.signals import make_signals
from ...methods import all_methods
from ...methods.l1 import L1Classifier
from ...methods.reweighted_l1 import ReweightedL1Classifier
from ..claims import Ahead, Claim
from ..studies import Axes, Study, check_sizes, study
from .contenders import L1_METHODS, check_rivals, repeated
from .gradients import ORDERS
from .memory import figure_blocks, little_shared, much_shared
from .text import blocks_in_words, duration, rounded
from .timing import (
    GRADIENT,
    TRAINING,
    TimeRow,
    gradient_rows,
    trained_as,
    training_rows,
)

# A fifth of the paper's features, five times its ψ: about as many links a feature.
N_FEATURES = (200, 400, 600, 800, 1000)
PSI = 5e-4
COPIES = (1, 4, 8, 12, 16, 20)
PSIS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
_LARGEST = 100_000


def _check(n_samples: int, repeats: int) -> None:
    check_sizes("n_samples", [n_samples], 100, 10_000_000)
    check_sizes("repeats", [repeats], 1, 1000)


def _trainings(data: Dataset, psi: float, repeats: int) -> Iterator[TimeRow]:
    return training_rows(trained_as(), data.X, data.y, data.hypergraph, psi, repeats)


_COLUMNS = {
    "what": "Timed",
    "procedure": "Procedure",
    "n_features": "Features m",
    "n_samples": "Rows",
    "psi": "Sharing ψ",
    "n_blocks": "Blocks K",
    "largest_block": "Largest block (features)",
    "products": "Multiplications",
    "seconds": "CPU seconds",
}


def _axes(x: str, y: tuple[str, ...], *without: str, log_x: bool = False) -> Axes:
    columns = {name: text for name, text in _COLUMNS.items() if name not in without}
    logarithmic = {"seconds", "products"} | ({x} if log_x else set())
    return Axes(x, y, "procedure", columns, ("what",), frozenset(logarithmic))


def at_largest(rows: Sequence[TimeRow]) -> list[str]:
    """Return what the largest problem says, and how time grows up to it."""
    return [
        *_compared(rows, max(row.n_features for row in rows), "n_features", "m"),
        *_growth(rows),
    ]


def at_each_psi(rows: Sequence[TimeRow]) -> list[str]:
    """Return what the problems of each ψ say."""
    psis = dict.fromkeys(row.psi for row in rows)
    return [line for psi in psis for line in _compared(rows, psi, "psi", "ψ")]


def _compared(
    rows: Sequence[TimeRow], value: float, column: str, letter: str
) -> list[str]:
    """Return where the published speed-up comes from, at one size."""
    here = [row for row in rows if getattr(row, column) == value]
    blocks = blocks_in_words(here[0].n_blocks, here[0].largest_block)
    said = [f"{letter} = {value:,g}, {blocks}."]
    gradients = [row for row in here if row.what == GRADIENT]
    trainings = [row for row in here if row.what == TRAINING]
    if len(gradients) == len(ORDERS):
        said.append(_orders(gradients))
    if trainings:
        times = (f"{row.procedure} {duration(row.seconds)}" for row in trainings)
        said.append(f"Training as implemented here: {', '.join(times)}.")
    return [" ".join(said)]


def _orders(gradients: Sequence[TimeRow]) -> str:
    """Return what blocks, brackets and sparsity save, in time and in work."""
    found = {row.procedure: row for row in gradients}
    published, brackets, blocks, both, ours = (found[o.title] for o in ORDERS)

    def saving(row: TimeRow) -> str:
        times = rounded(published.products / row.products)
        less = "no less" if times == "1" else f"{times} times less"
        return f"{duration(row.seconds)} ({less} to multiply)"

    more = "brackets" if brackets.seconds < blocks.seconds else "blocks"
    return (
        f"One gradient of CAFH as published takes {duration(published.seconds)}; with "
        f"blocks alone (ACAFH as published) {saving(blocks)}, with brackets alone "
        f"{saving(brackets)}, with both {saving(both)}, sparse {saving(ours)}. Of the "
        f"first two, {more} alone save more time."
    )


def _growth(rows: Sequence[TimeRow]) -> list[str]:
    """Return how many times longer the largest problem takes than the smallest."""
    sizes = sorted({row.n_features for row in rows})
    if len(sizes) == 1:
        return []
    first, last = _seconds_at(rows, sizes[0]), _seconds_at(rows, sizes[-1])
    said = []
    for what in dict.fromkeys(row.what for row in rows):
        longer = ", ".join(
            f"{key[1]} {rounded(last[key] / first[key])}"
            for key in first
            if key[0] == what and key in last
        )
        said.append(
            f"From m = {sizes[0]:,} to {sizes[-1]:,}, {rounded(sizes[-1] / sizes[0])} "
            f"times the features, {what} takes so many times longer: {longer}."
        )
    return said


def _seconds_at(rows: Sequence[TimeRow], m: int) -> dict[tuple[str, str], float]:
    """Return seconds by what was timed and who did it."""
    here = (row for row in rows if row.n_features == m)
    return {(row.what, row.procedure): row.seconds for row in here}


def _timed(
    name: str, n_sizes: int, n_methods: int, **facts: Any
) -> Callable[[Callable[..., Iterator[TimeRow]]], Study]:
    """Return what makes a study of times."""
    return study(
        f"ACAFH Fig. {name}",
        pair=("n_features", "psi"),
        pairs="problems",
        who="procedure",
        name=name,
        step=("what", "procedure", "n_features", "psi"),
        n_steps=n_sizes * (len(ORDERS) + n_methods),
        **facts,
    )


def _faster(
    fast: str,
    slow: str,
    says: str,
    what: str = GRADIENT,
    *,
    least: float = 1.0,
    **at: Any,
) -> Claim:
    """Claim that a procedure takes less time; `least`: by this factor at least."""
    return Claim(
        says,
        "drawn",
        Ahead(
            fast,
            of=slow,
            by="-seconds",
            at={"what": what, **at},
            ratio=True,
            margin=math.log(least),
            unit="CPU seconds",
        ),
    )


_WHOLE, _BLOCKS = "CAFH as published", "ACAFH as published"
_BY_BLOCKS = [
    _faster(
        _BLOCKS,
        _WHOLE,
        "By blocks a gradient is faster than as a whole, at every size.",
    ),
    _faster(
        _BLOCKS,
        "CAFH with brackets",
        "Blocks are what makes it faster: more than a pair of brackets do.",
    ),
]
# A fifth of the time is worth having.
_WORTH = 1.25


@_timed(
    "6",
    len(N_FEATURES),
    len(trained_as()),
    title="Fig. 6: training time against features, generated data",
    published=(
        "Training time grows with the number of features for p = 1/2 and p = 2/3. That "
        "of ACAFH grows much more slowly than that of CAFH, because its cost grows "
        "slowly once the hypergraph is cut into connected components."
    ),
    sizes=(
        "Paper: m from 1000 to 6000, ψ = 1e-4, 10,000 rows. Here: m from 200 to 1000, "
        "ψ = 5e-4 (about as many links a feature), 1000 rows."
    ),
    describe=at_largest,
    axes=_axes("n_features", ("seconds",)),
)
def figure_6(
    n_features: Sequence[int] = N_FEATURES,
    *,
    psi: float = PSI,
    n_samples: int = 1000,
    repeats: int = 3,
    random_state: int = 0,
) -> Iterator[TimeRow]:
    """Return Figure 6: time against the number of features, generated data.

    The paper has 1000 to 6000 features, ψ = 1e-4 and 10,000 training rows. One
    gradient as published takes minutes and 3 GB at 6000 features.

    Parameters
    ----------
    n_features : sequence of int
        Numbers of columns.
    psi : float, default=5e-4
        How likely a feature needs another's component.
    n_samples : int, default=1000
        Training rows.
    """
    check_sizes("n_features", n_features, 2, _LARGEST)
    check_sizes("psi", [psi], 0.0, 1.0)
    _check(n_samples, repeats)

    def rows() -> Iterator[TimeRow]:
        for m in n_features:
            data = make_gaussian(psi, m, n_samples, random_state=random_state)
            yield from gradient_rows(data.hypergraph, psi, repeats, random_state)
            yield from _trainings(data, psi, repeats)

    return rows()


figure_6.claims = _BY_BLOCKS


@_timed(
    "7",
    len(COPIES),
    len(trained_as()) + 2,
    title="Fig. 7: training time against features, traffic repeated",
    published=(
        "Every method but DAG trains in less than 1500 s. ACAFH grows much more slowly "
        "than CAFH. L1 and reweighted L1 grow linearly but steeply, and take longer "
        "than ACAFH; neural network, forest, Greedy Miser and CSTC take slightly less."
    ),
    sizes=(
        "Paper: 54 features of one recording 20 to 100 times (m to 5400, K to 3000). "
        "Here: 1 to 20 times (m to 1080, K to 600), 600 simulated windows."
    ),
    describe=at_largest,
    axes=_axes("n_features", ("seconds",), "psi"),
)
def figure_7(
    copies: Sequence[int] = COPIES,
    *,
    n_samples: int = 600,
    rivals: Sequence[str] = (),
    repeats: int = 1,
    random_state: int = 0,
) -> Iterator[TimeRow]:
    """Return Figure 7: time against the number of features, traffic repeated.

    The paper repeats the 54 features of a recording 20 to 100 times.

    Parameters
    ----------
    copies : sequence of int
        How often the 54 features stand in the table.
    n_samples : int, default=600
        Training rows.
    """
    check_sizes("copies", copies, 1, _LARGEST / 54)
    check_rivals(rivals)
    _check(n_samples, repeats)

    def rows() -> Iterator[TimeRow]:
        data = make_signals(n_samples)
        more = (all_methods()[name] for name in rivals)
        methods = {
            **trained_as(),
            "Reweighted L1": ReweightedL1Classifier(),
            "L1": L1Classifier(),
            **{method.title: method() for method in more},
        }
        for times in copies:
            hypergraph = repeated(data.hypergraph, times)
            X = np.tile(data.X, (1, times))
            yield from gradient_rows(hypergraph, np.nan, repeats, random_state)
            yield from training_rows(methods, X, data.y, hypergraph, np.nan, repeats)

    return rows()


figure_7.claims = [
    *_BY_BLOCKS,
    *(
        _faster(
            "ACAFH p=1/2 (ours)",
            rival,
            f"Training {rival} takes longer than ACAFH.",
            TRAINING,
        )
        for rival in L1_METHODS
    ),
]


@_timed(
    "10",
    len(PSIS),
    len(trained_as()),
    title="Fig. 10: training time and blocks against sharing",
    published=(
        "Above ψ = 1e-3 there is hardly more than one connected component, and CAFH "
        "and ACAFH take about the same time. Below, the number of components K grows "
        "quickly and ACAFH takes much less time than CAFH."
    ),
    sizes=(
        "Paper: m = 5000, 10,000 rows, ψ from 1e-1 to 1e-5. Here: m = 600, 1000 rows, "
        "the same ψ; what counts is m times ψ, so the blocks fall apart at larger ψ."
    ),
    describe=at_each_psi,
    axes=_axes("psi", ("seconds", "n_blocks"), log_x=True),
    also=figure_blocks,
)
def figure_10(
    psis: Sequence[float] = PSIS,
    *,
    n_features: int = 600,
    n_samples: int = 1000,
    repeats: int = 3,
    random_state: int = 0,
) -> Iterator[TimeRow]:
    """Return Figure 10: time and number of blocks against the sharing ψ.

    The paper has 5000 features, 10,000 training rows and ψ from 1e-1 to 1e-5.

    Parameters
    ----------
    psis : sequence of float
        How likely a feature needs another's component, in [0, 1].
    n_features : int, default=600
        Columns.
    n_samples : int, default=1000
        Training rows.
    """
    check_sizes("psis", psis, 0.0, 1.0)
    check_sizes("n_features", [n_features], 2, _LARGEST)
    _check(n_samples, repeats)

    def rows() -> Iterator[TimeRow]:
        def drawn(psi: float) -> Dataset:
            return make_gaussian(psi, n_features, n_samples, random_state=random_state)

        # All gradients first: they take a second, and trainings most of a minute.
        for psi in psis:
            hypergraph = drawn(psi).hypergraph
            yield from gradient_rows(hypergraph, psi, repeats, random_state)
        for psi in psis:
            yield from _trainings(drawn(psi), psi, repeats)

    return rows()


figure_10.claims = [
    _faster(
        _WHOLE,
        _BLOCKS,
        "Then blocks save no time worth having (a fifth).",
        least=1 / _WORTH,
        sharing=much_shared,
    ),
    _faster(_BLOCKS, _WHOLE, "Then blocks save time.", sharing=little_shared),
]
