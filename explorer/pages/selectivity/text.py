"""The selectivity page's answers in words, for those who read and those who listen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.methods.selective_ridge.chronometry import CONTENDERS, ContenderTiming
from solvers.values.rounding import fixed, rounded

from ...widgets.text import cost_text, counted
from .streams import ALGORITHMS, MAX_PUBLISHED_ROWS, GapPoint, ScoredFit

ALGORITHM_TITLES = {"interior_point": "ours", "published": "as published"}
ENCODED = (
    "One coefficient is of a number, of one value of a category, of one part of a "
    "date, or of a value that is missing. A feature that has several is used where one "
    "of them is not zero, and ridge where one of them is ridge."
)
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(value: float) -> str:
    """Return a small number as people write it.

    Examples
    --------
    >>> power(3.14e-7)
    '3.1 × 10⁻⁷'
    """
    if value == 0:
        return "0"
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"


def summary_text(answer: ScoredFit | None, path: Sequence[ScoredFit] = ()) -> str:
    """Return what an answer selects and how often it is right.

    `path`: answers at other μ of the same question.
    """
    return " ".join(filter(None, answer_of(answer, path)))


def answer_of(
    answer: ScoredFit | None, path: Sequence[ScoredFit] = ()
) -> tuple[str, str]:
    """Return what is kept and how often it is right, and by which numbers."""
    if answer is None:
        return "", "No answer yet."
    counts, scores = answer.counts, answer.scores
    share = {name: f"{fixed(100 * score, 0)} %" for name, score in scores.items()}
    price = cost_text(answer.cost, answer.bench.data.dataset.unit)
    lead = (
        f"{answer.kept} kept, for {price}: {share['training']} on "
        f"training rows, {share['validation']} on others"
    )
    fewest = min(
        (one for one in path if one.bench is answer.bench and one.n_used),
        key=lambda one: (one.n_used, -one.scores["validation"]),
        default=None,
    )
    if fewest is not None and fewest.n_used < answer.n_used:
        alone = f"{fixed(100 * fewest.scores['validation'], 0)} %"
        gives = "gives" if fewest.n_used == 1 else "give"
        lead += f"; {counted(fewest.n_used, 'feature')} alone {gives} {alone}"
    return f"{lead}.", (
        f"μ = {rounded(answer.fit.mu):g}, {rounded(answer.share):g} of μ₀ = "
        f"{rounded(answer.bench.largest):g}: {answer.n_used} of {sum(counts.values())} "
        f"features used, "
        f"{counts['boundary']} on the boundary, {counts['ridge']} ridge. "
        f"Balanced accuracy {fixed(scores['training'], 2)} (training), "
        f"{fixed(scores['validation'], 2)} (validation)."
    )


def certificate_text(answer: ScoredFit | None) -> list[str]:
    """Return the proof of an answer, one sentence each: primal, dual, gap."""
    if answer is None:
        return ["No answer yet."]
    fit = answer.fit
    gap, relative = max(fit.duality_gap, 0.0), max(fit.relative_gap, 0.0)
    last = (
        "The answer is final."
        if answer.is_final
        else "This is the first answer; it is being refined."
    )
    return [
        f"Primal: this model's criterion, γ times penalties plus losses, is "
        f"{fit.objective:.9g}.",
        f"Dual: the {len(fit.dual_coef)} multipliers, one a row, prove that no model "
        f"of all {sum(answer.counts.values())} features has less than "
        f"{fit.objective - gap:.9g}.",
        f"Gap: at most {power(gap)} is left to gain, {power(relative)} of the "
        f"criterion, after {fit.iterations} steps since the solver was set up.",
        last,
        f"As published, eq. (20) sets whatever stands on the boundary to zero: here "
        f"that would drop {answer.counts['boundary']} of {answer.n_used} features "
        "used.",
    ]


def map_text(answer: ScoredFit | None, n_named: int = 3) -> str:
    """Return which coefficients are largest."""
    if answer is None:
        return "No coefficients yet."
    coef, names = answer.fit.coef, answer.bench.data.names
    order = np.argsort(-np.abs(coef))[:n_named]
    named = [
        f"{names[j]} {rounded(coef[j]):+g} ({answer.fit.states[j]})".replace("-", "−")
        for j in order
        if coef[j] != 0
    ]
    if not named:
        return "Every coefficient is zero: at μ₀ no feature is left."
    return "Largest coefficients: " + ", ".join(named) + "."


def largest_coefficients(path: tuple[ScoredFit, ...], n_most: int) -> np.ndarray:
    """Return the places of the coefficients that become largest anywhere on a path.

    Shape: (at most n_most,).
    """
    sizes = np.max([np.abs(answer.fit.coef) for answer in path], axis=0)
    order = np.argsort(-sizes, kind="stable")[:n_most]
    return order[sizes[order] > 0]


def gaps_text(gaps: tuple[GapPoint, ...], n_rows: int = 0) -> str:
    """Return where both algorithms have come to."""
    said = []
    for algorithm in ALGORITHMS:
        found = [point for point in gaps if point.algorithm == algorithm]
        if found:
            said.append(
                f"{ALGORITHM_TITLES[algorithm]}: relative gap "
                f"{power(found[-1].relative_gap)} after {len(found)} iterations"
            )
    if said and n_rows > MAX_PUBLISHED_ROWS:
        said.append(
            f"as published: not run on more than {MAX_PUBLISHED_ROWS} rows, of which "
            f"there are {n_rows}"
        )
    text = "; ".join(said)
    return text[:1].upper() + text[1:] + "." if said else "Not computed yet."


def counterexample_text(rows: tuple[GapPoint, ...]) -> str:
    """Return what the two algorithms make of the counterexample."""
    ours, published = (
        [row for row in rows if row.algorithm == algorithm][-1]
        for algorithm in ALGORITHMS
    )
    return (
        f"The published iteration stops by its own rule after {published.iteration} "
        f"iterations with a = {rounded(published.coef, 4):g} and criterion "
        f"{rounded(published.objective, 4):g}; its gap says that up to "
        f"{rounded(published.gap):g} is left to gain. The optimum is "
        f"a = {rounded(ours.coef, 4):g} with {rounded(ours.objective, 4):g}, proven "
        f"to {power(ours.relative_gap)}: the feature stands on the boundary, where "
        "eq. (20) of the paper knows only zero."
    )


def slope(timings: tuple[ContenderTiming, ...], contender: str) -> float | None:
    """Return the slope of log seconds on log features, over the last three sizes.

    None from fewer sizes.
    """
    found = [
        (row.n_features, row.seconds)
        for row in timings
        if row.contender == contender and row.seconds is not None
    ]
    if len(found) < 3:
        return None
    logs = np.log(found[-3:])
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])


def timings_text(timings: tuple[ContenderTiming, ...]) -> str:
    """Return how seconds grow with the number of features."""
    said = []
    for contender, title in CONTENDERS.items():
        rows = [row for row in timings if row.contender == contender]
        done = [row for row in rows if row.seconds is not None]
        if not done:
            continue
        name = title if contender != "scikit" else f"scikit-learn ({done[0].note})"
        grown = slope(timings, contender)
        text = f"{name}: {done[-1].seconds:.3f} s for {done[-1].n_features} features"
        text += "" if grown is None else f", growing like n to the {grown:.1f}"
        skipped = next((row for row in rows if row.seconds is None), None)
        said.append(text + ("" if skipped is None else f", then {skipped.note}"))
    return "; ".join(said) + "." if said else "Not timed yet."
