"""In which rounds rows leave, and how many of them are right: the paper's Table 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rows import CascadeRows

# Table 2 of the paper ends its rounds after 11, 27 and all of 28 stages: colours only,
# textures, and the images that no stage was sure of.
_PAPER_STAGES, _PAPER_FIRST = 28, 11


@dataclass(frozen=True, eq=False)
class ExitRound:
    """The rows that leave at some stages."""

    #: The stages, from 1, both included
    first: int
    last: int
    #: Indices of the rows that leave right, and of those that leave wrong
    right_rows: NDArray[np.int_]
    wrong_rows: NDArray[np.int_]

    @property
    def title(self) -> str:
        """What the round is called."""
        if self.first == self.last:
            return f"stage {self.first}"
        return f"stages {self.first} to {self.last}"

    @property
    def n_right(self) -> int:
        """How many rows leave right."""
        return len(self.right_rows)

    @property
    def n_rows(self) -> int:
        """How many rows leave."""
        return self.n_right + len(self.wrong_rows)


def round_ends(n_stages: int) -> tuple[int, ...]:
    """Return after which stages the rounds of Table 2 end: 11, 27 and 28 of 28."""
    # 11 : 28, and the last stage alone, where whoever is left is answered.
    first = max(1, round(n_stages * _PAPER_FIRST / _PAPER_STAGES))
    return tuple(sorted({min(first, n_stages), max(1, n_stages - 1), n_stages}))


def rounds_of(
    rows: CascadeRows, threshold: float, ends: Sequence[int] | None = None
) -> list[ExitRound]:
    """Return who leaves in which round.

    Parameters
    ----------
    rows : CascadeRows
        What the stages say.
    threshold : float
        Confidence that is enough.
    ends : sequence of int, optional
        The last stage of each round, from 1, rising; the paper's by default.

    Returns
    -------
    list of ExitRound
    """
    ends = round_ends(rows.n_stages) if ends is None else ends
    exits = rows.exits(threshold)
    is_right = rows.right[np.arange(rows.n_rows), exits]
    found = []
    for first, last in zip((0, *ends[:-1]), ends, strict=True):
        here = (exits >= first) & (exits < last)
        found.append(
            ExitRound(
                first + 1,
                last,
                np.flatnonzero(here & is_right),
                np.flatnonzero(here & ~is_right),
            )
        )
    return found
