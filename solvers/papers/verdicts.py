"""Whether a claim holds, does not hold, or is within noise: one rule for all papers.

Two standard errors of paired differences decide. A single pair has no spread, so what
it says is "one run" and no verdict. Where there is no chance in the numbers, as in
counts and enumerations, a claim holds or does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError

Outcome: TypeAlias = Literal["holds", "does not hold", "within noise", "one run"]


@dataclass(frozen=True)
class Finding:
    """One claim of a paper, and what came out here."""

    sentence: str  #: What is claimed
    published: str  #: The numbers of the paper
    measured: str  #: Ours
    #: None where it cannot be judged here; ``measured`` says why
    outcome: Outcome | None
    where: str = ""  #: Where the paper says it


@dataclass(frozen=True)
class Verdict:
    """What paired differences say of the claim that their mean is above a margin."""

    # "within noise" where the margin lies within two standard errors of the mean
    outcome: Outcome
    mean: float  # Mean difference
    two_standard_errors: float  # Of the mean; infinite for a single pair
    n: int  # How many pairs


def paired_verdict(differences: ArrayLike, *, margin: float = 0.0) -> Verdict:
    """Return whether the mean of paired differences is above a margin.

    Shapes: `differences` (n,).
    `differences`: one for each pair (a seed, a fold), positive where it speaks for the
    claim. Pairs that share rows are not independent: average over what they share
    first.
    `margin`: what the mean is to exceed; below 0 for "no worse by more than".

    Examples
    --------
    >>> paired_verdict([2.0, 3.0, 4.0]).outcome
    'holds'
    >>> paired_verdict([-1.0, 3.0, 1.0]).outcome
    'within noise'
    >>> paired_verdict([3.0]).outcome
    'one run'
    """
    values = np.asarray(differences, dtype=float)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise DataError(
            f"The paired differences are {values.tolist()!r:.80}; give at least one, "
            "each a finite number, in one list."
        )
    n, mean = len(values), float(values.mean())
    if n == 1:
        return Verdict("one run", mean, float("inf"), n)
    two_errors = 2 * float(values.std(ddof=1)) / n**0.5
    return Verdict(beyond_noise(mean - margin, two_errors), mean, two_errors, n)


def beyond_noise(excess: float, two_errors: float) -> Outcome:
    """Return the outcome of a mean that is to be above 0."""
    return "within noise" if abs(excess) <= two_errors else outcome_of(excess > 0)


def outcome_of(holds: bool | np.bool_) -> Outcome:
    """Return the outcome of a claim in which there is no chance."""
    return "holds" if holds else "does not hold"


def all_hold(outcomes: Iterable[Outcome]) -> Outcome:
    """Return whether all parts of a claim hold; one that does not decides."""
    return max(outcomes, key=_WORST_LAST.index, default="holds")


def any_holds(outcomes: Iterable[Outcome]) -> Outcome:
    """Return whether some part of a claim holds; one that does decides."""
    return min(outcomes, key=_WORST_LAST.index, default="does not hold")


def verdict(findings: Sequence[Finding] | None) -> str:
    """Return what follows from the findings of a figure, None if not computed yet.

    Examples
    --------
    >>> verdict([Finding("It is so.", "yes", "+1 ± 0.5", "holds")])
    'It is so. Holds: +1 ± 0.5.'
    >>> verdict(None)
    'Not computed yet.'
    """
    if findings is None:
        return "Not computed yet."
    return " ".join(
        f"{one.sentence} {(one.outcome or 'not judged here').capitalize()}: "
        f"{one.measured}."
        for one in findings
    )


_WORST_LAST: tuple[Outcome, ...] = ("holds", "one run", "within noise", "does not hold")
