"""Where the published speed-up comes from, in words made of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from .gradients import ORDERS
from .timing import GRADIENT, TRAINING, TimeRow

__all__ = ["at_each_psi", "at_largest"]


def at_largest(rows: Sequence[TimeRow]) -> list[str]:
    """Return what the largest problem says, and how time grows up to it.

    Parameters
    ----------
    rows : sequence of TimeRow
        Of problems of several sizes.

    Returns
    -------
    list of str
    """
    return [
        *_compared(rows, max(row.n_features for row in rows), "n_features", "m"),
        *_growth(rows),
    ]


def at_each_psi(rows: Sequence[TimeRow]) -> list[str]:
    """Return what the problems of each ψ say.

    Parameters
    ----------
    rows : sequence of TimeRow
        Of problems of one size.

    Returns
    -------
    list of str
    """
    psis = dict.fromkeys(row.psi for row in rows)
    return [line for psi in psis for line in _compared(rows, psi, "psi", "ψ")]


def _compared(
    rows: Sequence[TimeRow], value: float, column: str, letter: str
) -> list[str]:
    """Return where the published speed-up comes from, at one size."""
    here = [row for row in rows if getattr(row, column) == value]
    gradients, trainings = _times(here, GRADIENT), _times(here, TRAINING)
    said = f"{letter} = {value:g}, {here[0].n_blocks} blocks, the largest of "
    said += f"{here[0].largest_block} features."
    if len(gradients) == len(ORDERS):
        products = {row.procedure: row.products for row in here}
        said += " " + _orders(gradients, products)
    if trainings:
        said += " Training in our implementation: " + ", ".join(
            f"{name} {_duration(seconds)}" for name, seconds in trainings.items()
        )
        said += "."
    return [said]


def _orders(gradients: dict[str, float], products: dict[str, float]) -> str:
    published, brackets, blocks, both, ours = (
        gradients[order.title] for order in ORDERS
    )
    counted = [products[order.title] for order in ORDERS]
    fewer = ", ".join(f"{counted[0] / counted[i]:,.3g}" for i in (2, 1, 3, 4))
    winner = "brackets" if brackets < blocks else "blocks"
    return (
        f"One gradient of CAFH as published takes {_duration(published)}. Blocks alone "
        f"(ACAFH as published) make it {published / blocks:.3g} times faster, brackets "
        f"alone {published / brackets:.3g} times, both {published / both:.3g} times, a "
        f"sparse H {published / ours:.3g} times: {winner} alone do more. They multiply "
        f"{fewer} times less."
    )


def _growth(rows: Sequence[TimeRow]) -> list[str]:
    """Return the power of m with which each time grows over the upper sizes."""
    said = []
    for what in dict.fromkeys(row.what for row in rows):
        powers = {
            name: _power(sorted(found, key=lambda row: row.n_features))
            for name, found in _by_procedure(rows, what)
        }
        known = {name: power for name, power in powers.items() if power is not None}
        if known:
            listed = ", ".join(f"{name} {power:.1f}" for name, power in known.items())
            said.append(
                f"Between the middle and the largest m, {what} grows as m to "
                f"the power of: {listed}."
            )
    return said


def _by_procedure(
    rows: Sequence[TimeRow], what: str
) -> Iterator[tuple[str, list[TimeRow]]]:
    def name(row: TimeRow) -> str:
        return row.procedure

    chosen = sorted((row for row in rows if row.what == what), key=name)
    for procedure, found in groupby(chosen, key=name):
        yield procedure, list(found)


def _power(found: Sequence[TimeRow]) -> float | None:
    middle, last = found[len(found) // 2], found[-1]
    if middle.n_features == last.n_features:
        return None
    longer = np.log(last.seconds / middle.seconds)
    return float(longer / np.log(last.n_features / middle.n_features))


def _times(rows: Sequence[TimeRow], what: str) -> dict[str, float]:
    return {row.procedure: row.seconds for row in rows if row.what == what}


def _duration(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.3g} s"
    if seconds >= 1e-3:
        return f"{1e3 * seconds:.3g} ms"
    return f"{1e6 * seconds:.3g} µs"
