"""The comparison in cells, each one row on one data set and seed, kept on disk.

A run may be ended at any time: what is finished stays, and the next run goes on from
there. Everything is drawn from the seed, so a cell does not depend on the others.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvers import ThriftscopeError
from solvers.evaluation import Split

from .comparison import row_of
from .contestants import ROWS, TIERS
from .worlds import drawn

__all__ = ["Cell", "finished", "plan", "run"]

# Everybody has two seeds before anybody has three.
_TOGETHER = 2


@dataclass(frozen=True)
class Cell:
    """One row of one data set's table, for one seed.

    Parameters
    ----------
    world : str
        A name of a data set.
    seed : int
        What rows are drawn and cut by.
    row : str
        A name of `ROWS`.
    """

    world: str
    seed: int
    row: str


def plan(worlds: Sequence[str], seeds: Sequence[int]) -> list[Cell]:
    """Return the cells in the order in which they are worth having.

    Parameters
    ----------
    worlds : sequence of str
        Names of data sets, the quickest first.
    seeds : sequence of int
        In order.

    Returns
    -------
    list of Cell
        Seeds by twos; of each two the rows that the claims are about, then the others.
    """
    pairs = [seeds[k : k + _TOGETHER] for k in range(0, len(seeds), _TOGETHER)]
    first = [row for tier in TIERS for row in tier]
    tiers = (*TIERS, tuple(row for row in ROWS if row not in first))
    return [
        Cell(world, seed, row)
        for pair in pairs
        for tier in tiers
        for world in worlds
        for seed in pair
        for row in tier
    ]


def finished(kept: Path) -> dict[Cell, dict[str, Any]]:
    """Return the cells that are on disk.

    Parameters
    ----------
    kept : Path
        One JSON object a line; need not be there yet.

    Returns
    -------
    dict of Cell to dict
        What each row is worth, or why it is missing.
    """
    if not kept.exists():
        return {}
    found = {}
    for line in kept.read_text("utf-8").splitlines():
        told = json.loads(line)
        cell = Cell(told.pop("world"), told.pop("seed"), told.pop("row"))
        found[cell] = told
    return found


def run(cells: Sequence[Cell], kept: Path, tiny: bool) -> Iterator[tuple[Cell, float]]:
    """Run the cells that are not there yet, and yield each with its seconds.

    Parameters
    ----------
    cells : sequence of Cell
        What is wanted, in order.
    kept : Path
        Where finished cells are added, one a line.
    tiny : bool
        A few rows and points only.

    Yields
    ------
    Cell, float
    """
    done = finished(kept)
    kept.parent.mkdir(parents=True, exist_ok=True)
    at: tuple[Any, Split | None] = (None, None)
    for cell in cells:
        if cell in done:
            continue
        key = (cell.world, cell.seed)
        if at[0] != key:
            at = (key, drawn(cell.world, cell.seed, tiny))
        started = time.perf_counter()
        told = _told(cell.row, at[1], tiny)
        seconds = time.perf_counter() - started
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**vars(cell), "took": seconds, **told}) + "\n")
        yield cell, seconds


def _told(row: str, split: Split, tiny: bool) -> dict[str, Any]:
    try:
        return row_of(row, split, tiny)
    except ThriftscopeError as error:
        return {"missing": str(error)}
