"""Tables of shrinking sets of features, and their bounds, for a search."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .criteria import Criterion
from .decisions import TableDecisions
from .masses import marginal, sum_axes

# A set of more joint states is bounded without a table where its table would have
# to be put together from halves; smaller ones are summed from a few kept tables.
PIECED_STATES = 2**16
KEPT_TABLES = 32

Table = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """A set of features and its bound."""

    chosen: tuple[int, ...]  # Positions of features, in search order
    # (n_rows, n_states) The criterion's table, axes in that order; None where it would
    # be too large
    table: Table | None
    bound: float  # No part of the set scores more


@dataclass
class Frames:
    """Makes frames, and counts what it evaluates."""

    criterion: Criterion  # What is maximised
    evaluations: int = 0  # Scores and bounds computed so far
    # A bound this little above the best score is as good as none
    tolerance: float = 0.0
    _kept: deque[tuple[tuple[int, ...], Table]] = field(
        default_factory=lambda: deque(maxlen=KEPT_TABLES), init=False, repr=False
    )

    def of(self, chosen: Iterable[int], near: Iterable[int] = ()) -> Frame:
        """Return the frame of a set, from nothing.

        `near`: features of which sets like this one are likely to be asked for next.
        """
        chosen = tuple(chosen)
        self.evaluations += 1
        if self._is_whole():
            table = self.criterion.table(chosen)
        elif self.criterion.masses.size(chosen) <= PIECED_STATES:
            table = self._pieced(chosen, near)
        else:
            return Frame(chosen, None, self.criterion.bound_of(chosen))
        return Frame(chosen, table, self.criterion.bound(table))

    def without(self, frame: Frame, dropped: Iterable[int]) -> Frame:
        """Return the frame of what is left when some features are dropped."""
        gone = set(dropped)
        left = tuple(j for j in frame.chosen if j not in gone)
        if frame.table is None:
            return self.of(left, near=frame.chosen)
        lengths = [self.criterion.masses.cardinalities[j] for j in frame.chosen]
        table = sum_axes(frame.table, lengths, [j in gone for j in frame.chosen])
        self.evaluations += 1
        return Frame(left, table, self.criterion.bound(table))

    def score(self, frame: Frame, n_included: int, above: float) -> float | None:
        """Return the score of the leading features, or None where it is too low.

        `above`: scores up to this are of no interest: then only the bound is computed.
        """
        included, rest = frame.chosen[:n_included], frame.chosen[n_included:]
        own = self.without(frame, rest) if rest else frame
        if self.criterion.grows:
            # Proposition 3: in naive Bayes the bound (MPA) is the score (MAA).
            return own.bound
        if own.bound <= above:
            return None
        self.evaluations += 1
        table = self.criterion.table(included) if own.table is None else own.table
        return self.criterion.score(included, table)

    def settled(self, frame: Frame, above: float) -> Frame:
        """Return the frame with its bound as tight as it takes to be up to `above`."""
        return frame  # from a table it is as tight as it gets

    def may_reach(self, chosen: tuple[int, ...], score: float) -> bool:
        """Return False where it is cheaply known that a set scores less."""
        return True

    def attained(self, frame: Frame, above: float) -> float | None:
        """Return the score of a set that attains its bound, None if up to `above`."""
        return frame.bound

    def score_of(self, chosen: Iterable[int]) -> float:
        """Return the score of a set, from nothing."""
        frame = self.of(chosen)
        found = self.score(frame, len(frame.chosen), -np.inf)
        return frame.bound if found is None else found

    def _is_whole(self) -> bool:
        """Return whether tables come from one that covers all features."""
        decisions = getattr(self.criterion, "decisions", None)
        return decisions is None or isinstance(decisions, TableDecisions)

    def _pieced(self, chosen: tuple[int, ...], near: Iterable[int]) -> Table:
        """Return a table summed from one that is kept, or from a new one to keep."""
        wanted = set(chosen)
        for features, table in self._kept:
            if wanted.issubset(features):
                return self._arranged(table, features, chosen)
        size = self.criterion.masses.size(chosen)
        features = chosen
        for j in near:
            wider = size * self.criterion.masses.cardinalities[j]
            if j not in wanted and wider <= PIECED_STATES:
                features, size = (*features, j), wider
        table = self.criterion.table(features)
        self._kept.appendleft((features, table))
        return self._arranged(table, features, chosen)

    def _arranged(
        self, table: Table, features: tuple[int, ...], chosen: tuple[int, ...]
    ) -> Table:
        """Return the table of some of the features, axes in the order that is asked."""
        lengths = [self.criterion.masses.cardinalities[j] for j in features]
        places = [features.index(j) for j in chosen]
        return np.stack([marginal(row.reshape(lengths), places) for row in table])
