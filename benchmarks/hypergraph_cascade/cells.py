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

from benchmarks.machine import code_version
from solvers import ThriftscopeError
from solvers.frontier.evaluation import Split

from .comparison import row_of
from .contestants import CLAIMED, TIERS
from .worlds import drawn

__all__ = ["N_ROWS", "Cell", "finished", "plan", "run"]

# Everybody has two seeds before anybody has three.
_TOGETHER = 2
# Rows of a data set that a cell uses at most: half or a quarter of them train. Ten
# seeds of every row on every data set fit into an hour of one processor so.
N_ROWS = 2000


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


def plan(
    worlds: Sequence[str], seeds: Sequence[int], rows: Sequence[str] = CLAIMED
) -> list[Cell]:
    """Return the cells in the order in which they are worth having.

    Parameters
    ----------
    worlds : sequence of str
        Names of data sets, the quickest first.
    seeds : sequence of int
        In order.
    rows : sequence of str
        Names of `ROWS`; by default those that the claims are about.

    Returns
    -------
    list of Cell
        Seeds by twos; of each two the rows in the order of `TIERS`, then the others
        that are asked for.
    """
    pairs = [seeds[k : k + _TOGETHER] for k in range(0, len(seeds), _TOGETHER)]
    tiers = [tuple(row for row in tier if row in rows) for tier in TIERS]
    tiers.append(tuple(row for row in rows if row not in CLAIMED))
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
            at = (key, drawn(cell.world, cell.seed, tiny, N_ROWS))
        started = time.process_time()
        told = _told(cell.row, at[1], tiny)
        seconds = time.process_time() - started
        with kept.open("a", encoding="utf-8") as file:
            known = {"took": seconds, "code": code_version(), "rows": N_ROWS}
            file.write(json.dumps({**vars(cell), **known, **told}) + "\n")
        yield cell, seconds


def _told(row: str, split: Split, tiny: bool) -> dict[str, Any]:
    try:
        return row_of(row, split, tiny)
    except ThriftscopeError as error:
        return {"missing": str(error)}
