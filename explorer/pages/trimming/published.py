"""What the paper prints, beside what its own tables give."""

from __future__ import annotations

from dataclasses import dataclass

from solvers.bayes import agreement, bundled_classifier, maximum_achievable_agreement


@dataclass(frozen=True)
class PublishedRow:
    """A number of the paper and ours."""

    what: str  # What it is of
    published: str  # As printed
    computed: float  # From the printed probability tables


@dataclass(frozen=True)
class Table6Row:
    """A row of Table 6: naive Bayes, one third of the features, T = .1 to .9."""

    name: str  # The network
    n_features: int  # Its features
    seconds: tuple[str, str]  # Of FS-SDD and of ECA-Trim, as printed
    evaluations: tuple[int, int]


TABLE_6 = (
    Table6Row("bupa", 6, ("0.044", "0.026"), (21, 14)),
    Table6Row("pima", 8, ("0.056", "0.039"), (36, 45)),
    Table6Row("ident", 9, ("0.128", "0.097"), (129, 89)),
    Table6Row("anatomy", 12, ("2.252", "1.085"), (793, 283)),
    Table6Row("heart", 13, ("7.346", "2.234"), (1092, 209)),
    Table6Row("voting", 16, ("819.163", "407.571"), (6884, 3345)),
    Table6Row("hepatitis", 19, ("timeout", "4390.71"), (43795, 2208)),
)


def published_rows(name: str) -> tuple[PublishedRow, ...]:
    """Return what the paper says of one of its examples, beside what we compute."""
    if name == "fig3":
        pair = maximum_achievable_agreement(bundled_classifier("fig3"), ["F1", "F2"])
        return (PublishedRow("MAA({F1, F2}) at T = .55", "0.56", pair.agreement),)
    if name != "quiz":
        return ()
    quiz = bundled_classifier("quiz")
    passed = (1 + float(quiz.decisions.signed(())[0])) / 2
    found = [PublishedRow("Pr(pass) at T = .07", "32 %", passed)]
    for features, threshold, printed in (
        (["Q3"], 0.15, "75 %"),
        (["Q1", "Q3"], 0.10, "91 %"),
        (["Q2", "Q3"], 0.30, "68 %"),
    ):
        what = f"ECA({{{', '.join(features)}}}), T' = {threshold:.2f}".replace(
            "0.", "."
        )
        found.append(PublishedRow(what, printed, agreement(quiz, features, threshold)))
    return tuple(found)
