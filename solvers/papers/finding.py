"""What came out of one claim of a paper, and the sentence that a few of them make."""

from __future__ import annotations

from numpy.typing import ArrayLike

from ..values.rounding import rounded
from .verdict import Finding, outcome_of, paired_verdict


def judged(
    sentence: str,
    published: str,
    differences: ArrayLike,
    pairs: str,
    *,
    margin: float = 0.0,
    unit: str = "",
) -> Finding:
    """Judge a claim by paired differences that are positive where they speak for it."""
    found = paired_verdict(differences, margin=margin)
    # One pair alone has no spread, and "± inf" tells nobody so.
    spread = f" ± {rounded(found.two_standard_errors, 2):g}" if found.n > 1 else ""
    measured = f"{rounded(found.mean):+g}{spread}{unit} over {found.n} {pairs}"
    return Finding(sentence, published, measured, found.outcome)


def settled(sentence: str, published: str, measured: str, holds: bool) -> Finding:
    """Judge a claim about numbers in which there is no chance."""
    return Finding(sentence, published, measured, outcome_of(holds))
