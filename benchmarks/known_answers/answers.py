"""One line of the page: a problem, who published what, ours, and the verdict."""

from dataclasses import dataclass

import numpy as np

from solvers.papers.verdicts import beyond_noise


@dataclass(frozen=True)
class Answer:
    """Ours beside a published one, at the same budget.

    `error`: standard error of the difference, ours less theirs; 0 where nothing is
    left to chance.
    """

    problem: str
    who: str
    score: str
    budget: str
    theirs: float
    ours: float
    method: str
    error: float
    n: str  # What the error is over
    note: str = ""

    @property
    def difference(self) -> float:
        return self.ours - self.theirs

    @property
    def verdict(self) -> str:
        """Behind, within noise or ahead: two standard errors decide."""
        outcome = beyond_noise(self.difference, 2.0 * self.error)
        return {"does not hold": "behind", "holds": "ahead"}.get(outcome, outcome)

    def row(self) -> dict:
        """Return what is kept of it."""
        kept = {**vars(self), "difference": self.difference, "verdict": self.verdict}
        return {k: round(v, 4) if isinstance(v, float) else v for k, v in kept.items()}


def f1(called, positive):
    """F1 of rows that are called positive."""
    return 2.0 * np.sum(called & positive) / (np.sum(called) + np.sum(positive))


def resampled_error(score, columns, n_draws=2000, seed=0):
    """Standard error of a difference of two scores on the same rows, by bootstrap.

    `score`: takes (called, positive). `columns`: ours, theirs and the truth, (n_rows,).
    """
    ours, theirs, truth = columns
    rng, found = np.random.default_rng(seed), []
    for _ in range(n_draws):
        rows = rng.integers(len(truth), size=len(truth))
        told = (score(one[rows], truth[rows]) for one in (ours, theirs))
        found.append(float(np.subtract(*told)))
    return float(np.std(found))


def mean_and_error(values):
    """Mean over seeds, and its standard error."""
    values = np.asarray(values, dtype=float)
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
