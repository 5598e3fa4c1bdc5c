"""What came out of one claim of a paper, and the sentence that a few of them make."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from ..values.rounding import rounded
from .verdict import Claim, Outcome, outcome_of, paired_verdict


def judged(
    sentence: str,
    published: str,
    differences: ArrayLike,
    pairs: str,
    *,
    margin: float = 0.0,
    unit: str = "",
) -> Claim:
    """Judge a claim by paired differences that are positive where they speak for it."""
    found = paired_verdict(differences, margin=margin)
    # One pair alone has no spread, and "± inf" tells nobody so.
    spread = f" ± {rounded(found.two_standard_errors, 2):g}" if found.n > 1 else ""
    measured = f"{rounded(found.mean):+g}{spread}{unit} over {found.n} {pairs}"
    return Claim(sentence, published, measured, found.outcome)


def settled(sentence: str, published: str, measured: str, holds: bool) -> Claim:
    """Judge a claim about numbers in which there is no chance."""
    return Claim(sentence, published, measured, outcome_of(holds))


def verdict(findings: Sequence[Claim] | None) -> str:
    """Return what follows from the findings of a figure.

    Parameters
    ----------
    findings : sequence of Claim or None
        None where the figure was not computed yet.

    Returns
    -------
    str

    Examples
    --------
    >>> verdict([Claim("It is so.", "yes", "+1 ± 0.5", "holds")])
    'It is so. Holds: +1 ± 0.5.'
    >>> verdict(None)
    'Not computed yet.'
    """
    if findings is None:
        return "Not computed yet."
    return " ".join(
        f"{finding.sentence} {_SAYS[finding.outcome]}: {finding.measured}."
        for finding in findings
    )


_SAYS: dict[Outcome | None, str] = {
    "holds": "Holds",
    "does not hold": "Does not hold",
    "within noise": "Within noise",
    None: "Not judged here",
}
