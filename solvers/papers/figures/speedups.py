"""Where the published speed-up comes from, in words made of the rows."""

from __future__ import annotations

from collections.abc import Sequence

from .gradients import ORDERS
from .text import blocks_in_words, duration, rounded
from .timing import GRADIENT, TRAINING, TimeRow


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
