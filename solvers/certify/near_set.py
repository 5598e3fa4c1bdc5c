"""What is nearly as good as the best: the list, and what its selections share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NearOptimal"]


@dataclass(frozen=True, eq=False)
class NearOptimal:
    """Selections of components whose objective is within a tolerance of the best.

    A selection is a set of components of which each is needed by a feature that the
    set pays for, together with all features that it pays for. Components that cost
    nothing are bought by none of them; components that the same features need are
    bought together.

    Parameters
    ----------
    selections : ndarray of bool, shape (n_selections, n_components)
        Best first.
    objectives : ndarray of float, shape (n_selections,)
        Objective of the best model of each.
    costs : ndarray of float, shape (n_selections,)
        What each costs, in the unit of the hypergraph.
    best : float
        The least objective found within the budget; the least there is where
        ``complete``.
    lower : float
        No selection within the budget has a lower objective; ``best`` where
        ``complete``.
    threshold : float
        Selections up to this objective are listed.
    complete : bool
        Whether these are all; otherwise there are at least so many below the
        threshold, which may lie too high for the best that there is.
    nodes : int
        Nodes of the search.
    seconds : float
        How long it took.
    """

    selections: NDArray[np.bool_]
    objectives: NDArray[np.float64]
    costs: NDArray[np.float64]
    best: float
    lower: float
    threshold: float
    complete: bool
    nodes: int
    seconds: float

    @property
    def count(self) -> int:
        """How many are listed: all where ``complete``, else at least so many."""
        return len(self.selections)

    @property
    def count_sure(self) -> int:
        """How many are within the tolerance of the best there is, found or not."""
        sure = self.threshold - (self.best - self.lower)
        return int((self.objectives <= sure).sum())

    @property
    def in_all(self) -> NDArray[np.bool_]:
        """Components that every listed selection buys, (n_components,)."""
        return np.asarray(self.selections.all(axis=0))

    @property
    def in_none(self) -> NDArray[np.bool_]:
        """Components that no listed selection buys, (n_components,)."""
        return np.asarray(~self.selections.any(axis=0))

    def exchanges(self) -> dict[tuple[tuple[int, ...], tuple[int, ...]], int]:
        """Return what stands for what: components given up for others, and how often.

        Returns
        -------
        dict
            From (given up, taken instead) to the number of pairs of selections that
            differ by just that, for one component or one bundle of them on each side;
            the lower components are the first of the two.
        """
        kinds, which = np.unique(self.selections, axis=1, return_inverse=True)
        which = which.ravel()
        groups = [
            tuple(np.flatnonzero(which == k).tolist()) for k in range(kinds.shape[1])
        ]
        rows = {kinds[i].tobytes(): i for i in range(len(kinds))}
        found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
        for row in kinds:
            for given in np.flatnonzero(row):
                for taken in np.flatnonzero(~row):
                    other = row.copy()
                    other[[given, taken]] = False, True
                    if groups[given] < groups[taken] and other.tobytes() in rows:
                        found[groups[given], groups[taken]] += 1
        return dict(found.most_common())
