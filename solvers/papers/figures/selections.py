"""Figures 4 and 5: what a selection of so many features costs and gets right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...datasets.base import Dataset
from ...datasets.makers.gaussian import make_gaussian
from ...frontier.evaluation import trace_frontier
from ...frontier.frontier import FrontierPoint
from ...numerics.arrays import Floats
from ..claims import Above, Claim, Row
from ..studies import Axes, check_sizes, study
from .contenders import (
    L1_METHODS,
    OURS,
    PUBLISHED,
    check_rivals,
    contenders,
    recordings,
)

PSIS = (0.1, 0.3)
# F1 this close is as good.
CLOSE = 0.01


@dataclass(frozen=True)
class SelectionRow:
    """The best selection of one size that a method's path comes by."""

    data: str  #: Name of the data set
    method: str  #: What the method is called
    #: Acquired features, and the components that they need
    n_features: int
    n_components: int
    cost: float  #: Mean over test rows
    f1: float  #: On test rows


def _selections(
    data: Dataset, name: str, rivals: Sequence[str], random_state: int
) -> Iterator[SelectionRow]:
    for method, estimator in contenders(refit=False, rivals=rivals).items():
        best: dict[int, FrontierPoint] = {}
        for point in trace_frontier(estimator, data, random_state=random_state):
            known = best.get(point.n_features)
            if known is None or _validated(point) > _validated(known):
                best[point.n_features] = point
        for size, point in sorted(best.items()):
            yield SelectionRow(
                name,
                method,
                size,
                point.n_components,
                point.cost["mean"],
                point.scores["test"]["f1"],
            )


def _validated(point: FrontierPoint) -> float:
    return point.scores["validation"]["f1"]


# --------------------------------------------------------------------- what they say


def _said(rows: Sequence[SelectionRow]) -> list[str]:
    """Return, for each data set and ACAFH, how it stands beside both L1 methods."""
    return [
        _beside(data, name, rival, rows)
        for data in dict.fromkeys(row.data for row in rows)
        for name in (*PUBLISHED, *OURS)
        for rival in L1_METHODS
    ]


def _beside(data: str, ours: str, other: str, rows: Sequence[SelectionRow]) -> str:
    found = _at_like_sizes(data, ours, other, rows)
    if found is None:
        return f"{data}: {ours} and {other} come by no selections of like sizes."
    sizes, costs, parts, scores = found
    return (
        f"{data}: at the {len(sizes)} sizes on the path of {other}, from "
        f"{sizes[0]:g} to {sizes[-1]:g} features, {ours} costs "
        f"{np.median(costs):.3f} times as much (median; less at "
        f"{np.sum(costs < 1)}), needs {np.median(parts):.3f} times the components, "
        f"and its F1 differs by {np.mean(scores):+.3f} on average."
    )


def _like(rows: Sequence[SelectionRow]) -> list[Row]:
    """Return ACAFH beside each L1 method at the sizes on the path of the latter.

    What it saves of cost and components, as logarithms, and its lead in F1; without
    those that come by no like sizes.
    """
    found = []
    for data in dict.fromkeys(row.data for row in rows):
        for ours, rival in product(PUBLISHED, L1_METHODS):
            like = _at_like_sizes(data, ours, rival, rows)
            if like is not None:
                _, costs, parts, scores = like
                told = {
                    "cheaper": -np.log(np.median(costs)),
                    "fewer": -np.log(np.median(parts)),
                    "lead": np.mean(scores),
                }
                found.append(Row(data=data, ours=ours, rival=rival, **told))
    return found


def _at_like_sizes(
    data: str, ours: str, other: str, rows: Sequence[SelectionRow]
) -> tuple[Floats, ...] | None:
    one, two = _sorted(rows, data, ours), _sorted(rows, data, other)
    low, high = (one[0].n_features, one[-1].n_features) if one else (1, 0)
    two = [row for row in two if max(low, 1) <= row.n_features <= high]
    if not two:
        return None
    return (
        _column(two, "n_features"),
        _read_off(one, two, "cost") / _column(two, "cost"),
        _read_off(one, two, "n_components") / _column(two, "n_components"),
        _read_off(one, two, "f1") - _column(two, "f1"),
    )


def _sorted(rows: Sequence[SelectionRow], data: str, method: str) -> list[SelectionRow]:
    chosen = (row for row in rows if row.data == data and row.method == method)
    return sorted(chosen, key=lambda row: row.n_features)


def _column(rows: Sequence[SelectionRow], name: str) -> Floats:
    return np.array([getattr(row, name) for row in rows], dtype=float)


def _read_off(
    line: Sequence[SelectionRow], at: Sequence[SelectionRow], name: str
) -> Floats:
    """Return a column of a line at the sizes of other rows, between its own."""
    sizes = _column(at, "n_features")
    return np.interp(sizes, _column(line, "n_features"), _column(line, name))


_AXES = Axes(
    "n_features",
    ("cost", "f1", "n_components"),
    "method",
    {
        "data": "Data",
        "method": "Method",
        "n_features": "Features",
        "n_components": "Components",
        "cost": "Cost (µs)",
        "f1": "F1 (test)",
    },
    panels=("data",),
)


@study(
    "ACAFH Fig. 4",
    pair=("data", "ours"),
    pairs="data sets and p",
    derive=_like,
    name="4",
    title="Fig. 4: cost and F1 against features, generated data",
    published=(
        "With the same number of features ACAFH mostly costs less than L1 and "
        "reweighted L1, at an F1 that is about as good."
    ),
    sizes="Paper: 100 features, 20,000 rows. Here: 100 features, 8000 rows. No refit.",
    describe=_said,
    axes=_AXES,
    step=("data", "method"),
    n_steps=len(PSIS) * len(contenders(refit=False)),
)
def figure_4(
    psis: Sequence[float] = PSIS,
    *,
    n_features: int = 100,
    n_samples: int = 8000,
    rivals: Sequence[str] = (),
    random_state: int = 0,
) -> Iterator[SelectionRow]:
    """Return Figure 4: cost and F1 against the number of features, generated data.

    The paper has 100 features, 20,000 rows, and its first and third data set.

    Parameters
    ----------
    psis : sequence of float
        How likely a feature needs another's component, in [0, 1]; one data set each.
    n_features, n_samples : int
        Columns and rows of a data set.
    """
    check_sizes("psis", psis, 0.0, 1.0)
    check_sizes("n_features", [n_features], 2, 100_000)
    check_sizes("n_samples", [n_samples], 100, 10_000_000)
    check_rivals(rivals)

    def rows() -> Iterator[SelectionRow]:
        for i, psi in enumerate(psis):
            seed = random_state + i
            data = make_gaussian(psi, n_features, n_samples, random_state=seed)
            yield from _selections(data, f"ψ = {psi:g}", rivals, seed)

    return rows()


@study(
    "ACAFH Fig. 5",
    pair=("data", "ours"),
    pairs="data sets and p",
    derive=_like,
    name="5",
    title="Fig. 5: cost, components and F1 against features, traffic",
    published=(
        "As in Fig. 4, and ACAFH needs fewer components for the same number of "
        "features: the curves of cost and of components look alike, which explains "
        "why it is cheaper."
    ),
    sizes=(
        "Paper: WLAN recordings of up to 35,143 rows. Here: 3000 simulated windows. "
        "No refit."
    ),
    describe=_said,
    axes=_AXES,
    step=("data", "method"),
    n_steps=2 * len(contenders(refit=False)),
)
def figure_5(
    *, n_samples: int = 3000, rivals: Sequence[str] = (), random_state: int = 0
) -> Iterator[SelectionRow]:
    """Return Figure 5: cost, components and F1 against the features, traffic.

    The paper has recordings of WLAN traffic, which are not public: simulated windows
    take their place.

    Parameters
    ----------
    n_samples : int, default=3000
        Windows.
    """
    check_sizes("n_samples", [n_samples], 100, 1_000_000)
    check_rivals(rivals)

    def rows() -> Iterator[SelectionRow]:
        for data in recordings(n_samples, 1):
            yield from _selections(data, data.name, rivals, random_state)

    return rows()


def _claims(rival: str) -> list[Claim]:
    at, told = {"rival": rival}, "logarithm of the ratio"
    return [
        Claim(
            f"ACAFH costs less than {rival} for as many features.",
            "mostly",
            Above("cheaper", 0.0, at, unit=told),
        ),
        Claim(
            f"It needs fewer components than {rival}.",
            "mostly",
            Above("fewer", 0.0, at, unit=told),
        ),
        Claim(
            f"Its F1 is about as good as that of {rival}.",
            "about as good",
            Above("lead", -CLOSE, at, unit="F1"),
        ),
    ]


figure_4.claims = figure_5.claims = [
    claim for rival in L1_METHODS for claim in _claims(rival)
]
