"""The figures and tables of the ECA-Trim paper, computed again, with verdicts.

Nothing is settled in advance: a verdict follows from the numbers beside it. Numbers
that the paper prints hold where ours round to them; claims about learned classifiers
are judged by paired differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..bayes.agreement import agreement, instance_table, maximum_achievable_agreement
from ..bayes.readers import bundled_classifier
from ..bayes.trimming import search_trimmings
from ..errors import NetworkError, shown
from .eca_trim_learned import figure_5, figure_7, table_6
from .verdict import Finding, Outcome, all_hold, outcome_of

# What is printed, beside what its own tables give.
Printed = tuple[str, str, float]


@dataclass(frozen=True)
class FigureVerdict:
    """A figure or table of the paper, and what came out here."""

    number: str  #: As in the paper, say "Fig. 5".
    #: What the paper says, with the numbers of both sides; none where it is a sketch
    claims: tuple[Finding, ...]
    verdict: str  #: One or two sentences that follow from the claims

    @property
    def outcome(self) -> Outcome | None:
        """The worst outcome of a claim; None where nothing can be judged."""
        outcomes = [claim.outcome for claim in self.claims if claim.outcome]
        return all_hold(outcomes) if outcomes else None


def figure_verdict(number: str) -> FigureVerdict:
    """Return what a figure or table of the paper claims, and what came out here.

    Parameters
    ----------
    number : str
        One of `FIGURES`, say "Fig. 5".

    Returns
    -------
    FigureVerdict

    Raises
    ------
    NetworkError
        If the paper has no such figure.

    Examples
    --------
    >>> found = figure_verdict("Table 4")
    >>> found.outcome, found.claims[-1].measured
    ('does not hold', '0.5528')
    """
    if number not in _MAKERS:
        raise NetworkError(
            f"The paper has no {shown(number)}; choose from {', '.join(FIGURES)}."
        )
    claims = _MAKERS[number]()
    return FigureVerdict(number, tuple(claims), _sentence(number, claims))


def _printed(rows: Sequence[Printed]) -> list[Finding]:
    return [
        Finding(what, said, f"{value:.4f}", outcome_of(_rounds_to(value, said)))
        for what, said, value in rows
    ]


def _rounds_to(value: float, printed: str) -> bool:
    """Return whether a number rounds, half either way, to what is printed."""
    number = printed.removesuffix(" %")
    scale = 100 if printed.endswith("%") else 1
    last = Fraction(1, 10 ** len(number.partition(".")[2]))
    return abs(Fraction(value) * scale - Fraction(number)) <= last / 2 + Fraction(1e-9)


def _figure_1() -> list[Finding]:
    quiz = bundled_classifier("quiz")
    passed = (1 + float(quiz.decisions.signed(())[0])) / 2
    return _printed(
        [
            ("Pr(pass) at T = .07", "32 %", passed),
            ("ECA({Q3}), T' = .15", "75 %", agreement(quiz, ["Q3"], 0.15)),
            ("ECA({Q1, Q3}), T' = .10", "91 %", agreement(quiz, ["Q1", "Q3"], 0.10)),
            ("ECA({Q2, Q3}), T' = .30", "68 %", agreement(quiz, ["Q2", "Q3"], 0.30)),
        ]
    )


def _figure_2() -> list[Finding]:
    """Check on a real search that bounds bound; the printed tree is a sketch."""
    quiz = bundled_classifier("quiz")
    events = list(search_trimmings(quiz, 2))
    scores = [event.maa or 0.0 for event in events]
    fits = all(event.mpa >= (event.maa or 0.0) - 1e-12 for event in events)
    return [
        Finding(
            "No set below a node agrees more than the node's bound.",
            "invented numbers",
            f"on the quiz at B = 2: {len(events)} events, best {max(scores):.4f}",
            outcome_of(fits),
        )
    ]


def _figure_3() -> list[Finding]:
    pair = maximum_achievable_agreement(bundled_classifier("fig3"), ["F1", "F2"])
    low, high = pair.threshold_interval
    same = _rounds_to(low, "0") and _rounds_to(high, "0.50")
    return [
        Finding(
            "T* of {F1, F2} at T = .55",
            "(0, 0.50]",
            str(pair.threshold_interval),
            outcome_of(same),
        )
    ]


# Rows of Table 4: states of F1 and F2, posterior, positive and negative mass.
_TABLE_4 = (
    ("-+", "0.75", "0.04", "0.04"),
    ("++", "0.69", "0.20", "0.27"),
    ("+-", "0.50", "0.30", "0.13"),
    ("--", "0.00", "0.00", "0.02"),
)


def _table_4() -> list[Finding]:
    table = instance_table(bundled_classifier("fig3"), ["F1", "F2"])
    at = {"".join(states): i for i, states in enumerate(table.states)}
    rows: list[Printed] = []
    for states, *printed in _TABLE_4:
        i = at[states]
        found = table.posteriors[i], table.positives[i], table.negatives[i]
        names = (f"Pr(c | {states})", f"{states}, positive", f"{states}, negative")
        rows += [
            (name, said, float(value))
            for name, said, value in zip(names, printed, found, strict=True)
        ]
    return _printed([*rows, ("MAA({F1, F2})", "0.56", table.best.agreement)])


def _sentence(number: str, claims: Sequence[Finding]) -> str:
    if number in ("Fig. 1", "Table 4"):
        return _count_of_printed(claims)
    said = [
        f"{of.sentence} {(of.outcome or 'not judged').capitalize()}: {of.measured}."
        for of in claims
    ]
    return " ".join([_OPENINGS[number], *said] if number in _OPENINGS else said)


def _count_of_printed(claims: Sequence[Finding]) -> str:
    right = sum(claim.outcome == "holds" for claim in claims)
    wrong = [
        f"{claim.sentence} is {claim.measured}, not {claim.published}"
        for claim in claims
        if claim.outcome != "holds"
    ]
    counted = f"{right} of {len(claims)} printed numbers come out of the printed tables"
    return f"{counted}; {'; '.join(wrong)}." if wrong else f"{counted}."


_OPENINGS = {
    "Fig. 2": "A sketch with invented numbers.",
    "Fig. 5": "Other tables: pima and heart, which the paper uses, are not shipped.",
    "Table 6": "Other networks: those of the paper are not shipped.",
    "Fig. 7": "The TAN is another one: that of the paper (mammography) is not public.",
}
_MAKERS: Mapping[str, Callable[[], list[Finding]]] = {
    "Fig. 1": _figure_1,
    "Fig. 2": _figure_2,
    "Fig. 3": _figure_3,
    "Table 4": _table_4,
    "Fig. 5": figure_5,
    "Table 6": table_6,
    "Fig. 7": figure_7,
}
#: Every figure and table of the paper, in its order.
FIGURES = tuple(_MAKERS)
