"""What came out of one claim of a paper, and the sentence that a few of them make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ..verdict import Outcome, paired_verdict

__all__ = ["Finding", "judged", "settled", "verdict"]


@dataclass(frozen=True)
class Finding:
    """One claim of a paper, and what came out here.

    Parameters
    ----------
    sentence : str
        What is claimed.
    published : str
        The numbers of the paper.
    measured : str
        Ours.
    outcome : {"holds", "does not hold", "within noise"} or None
        None where it cannot be judged here; `measured` says why.
    """

    sentence: str
    published: str
    measured: str
    outcome: Outcome | None


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
    measured = (
        f"{found.mean:+.3g} ± {found.two_standard_errors:.2g}{unit} over {found.n} "
        f"{pairs}"
    )
    return Finding(sentence, published, measured, found.outcome)


def settled(sentence: str, published: str, measured: str, holds: bool) -> Finding:
    """Judge a claim about numbers in which there is no chance."""
    return Finding(sentence, published, measured, "holds" if holds else "does not hold")


def verdict(findings: Sequence[Finding] | None) -> str:
    """Return what follows from the findings of a figure.

    Parameters
    ----------
    findings : sequence of Finding or None
        None where the figure was not computed yet.

    Returns
    -------
    str

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
        f"{finding.sentence} {_SAYS[finding.outcome]}: {finding.measured}."
        for finding in findings
    )


_SAYS: dict[Outcome | None, str] = {
    "holds": "Holds",
    "does not hold": "Does not hold",
    "within noise": "Within noise",
    None: "Not judged here",
}
