"""Where the published speed-up comes from, in words made of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from .gradients import ORDERS
from .timing import GRADIENT, TRAINING, TimeRow
from .words import blocks_in_words, duration, rounded

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
        return (
            f"{duration(row.seconds)} "
            f"({rounded(published.products / row.products)} times less to multiply)"
        )

    more = "brackets" if brackets.seconds < blocks.seconds else "blocks"
    return (
        f"One gradient of CAFH as published takes {duration(published.seconds)}; with "
        f"blocks alone (ACAFH as published) {saving(blocks)}, with brackets alone "
        f"{saving(brackets)}, with both {saving(both)}, sparse {saving(ours)}. Of the "
        f"first two, {more} alone save more time."
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
