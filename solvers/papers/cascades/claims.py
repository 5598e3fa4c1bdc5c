"""What the paper says of its figures, and whether ours bear it out.

Verdicts come from differences that are paired by fold, or by problem where a figure has
several, and from two of their standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from ..verdict import Finding, Verdict, all_hold, paired_verdict
from .crossing import Unit
from .figure import Series, at_cost, within_cost
from .line import Linearity
from .rounds import ExitRound

# "Almost linear": the line explains this much of the cost, and is nowhere further off.
_STRAIGHT, _NEAR = 0.95, 0.1
Named: TypeAlias = dict[str, Series]


def scene_claims(units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return what section 4.2 says of Fig. 5."""
    return (
        _dominates(units, "JIT", "TEFE is better than JIT for the same cost", "yes"),
        _saturates(units, "JIT", "JIT cannot use more budget", "at best 68.8 %"),
        _dominates(
            units,
            "csNB",
            "TEFE needs far less time than csNB for the same accuracy",
            "csNB: 74 % in 14.6 s, its decisions included",
        ),
        _saturates(units, "csDT", "csDT is too inaccurate", "53 %"),
        _saves(
            units,
            "TEFE gives up 4 points of accuracy, and saves time",
            "81 % instead of 85 %, in 0.76 s",
            lost=0.04,
            within=0.8,
        ),
        _beats_prefix(units),
    )


def keyword_claims(units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return what section 4.3 says of Fig. 7."""
    return (
        _saves(
            units,
            "TEFE is as good as all features for less than half of the time",
            "0.08 s instead of 0.18 s",
            lost=0.01,
            within=0.5,
        ),
        _dominates(
            units, "JIT", "TEFE is better than JIT for the same cost", "JIT: 69.75 %"
        ),
        _dominates(units, "csDT", "TEFE is better than csDT for the same cost", "yes"),
        _dominates(
            units, "csNB", "TEFE is superior to csNB", "csNB: 62 % in 4.84 s in all"
        ),
        _beats_prefix(units),
    )


def pair_claims(units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return what section 4.4 says of Fig. 8."""
    return (
        *(
            _dominates(
                units, name, f"TEFE is apparently superior to {name}", "as in Fig. 5"
            )
            for name in ("JIT", "csDT", "csNB")
        ),
        _beats_prefix(units),
    )


def round_claims(
    folds: Sequence[Sequence[ExitRound]], published: Sequence[tuple[int, int]]
) -> tuple[Finding, ...]:
    """Return what section 4.2 says of Table 2: where rows leave, and how many rightly.

    `published`: rows that leave in each round, and how many of them rightly.
    """
    rates = np.array(
        [[found.n_right / max(found.n_rows, 1) for found in rounds] for rounds in folds]
    )
    printed = ", ".join(_percent(right / rows) for rows, right in published)
    ours = ", ".join(map(_percent, rates.mean(axis=0)))
    first, middle, last = rates.T
    said = f"right by round: {ours}"
    return (
        _claim(
            "The last round is the worst",
            printed,
            said,
            paired_verdict(np.minimum(first, middle) - last),
        ),
        _claim(
            "The middle one is the best",
            printed,
            said,
            paired_verdict(middle - np.maximum(first, last)),
        ),
    )


def selection_claims(folds: Sequence[Sequence[Series]]) -> tuple[Finding, ...]:
    """Return what section 4.5 says of Fig. 9.

    `folds`: TEFE on 60, 47 and 36 features, and Relief last, fold by fold.
    """
    whole, middle, small, relief = zip(*folds, strict=True)
    named = [[{"TEFE": w, "Relief": r}] for w, r in zip(whole, relief, strict=True)]
    lost = [_lost(series) for series in whole]
    relief_lost = [_lost(series) for series in relief]
    best = {
        size: np.array([float(series.y.max()) for series in found])
        for size, found in ((60, whole), (47, middle), (36, small))
    }
    return (
        _leads(named, "Relief", "TEFE on all 60 features is always better", "always"),
        _claim(
            "With 7 tenths of the time TEFE loses little, Relief a lot",
            "a little, and about 10 points",
            f"{100 * np.mean(lost):.1f} and {100 * np.mean(relief_lost):.1f} points",
            paired_verdict(np.subtract(relief_lost, lost)),
        ),
        _claim(
            "A good selection (36 features) makes TEFE better",
            "better than with 60",
            f"at best {_percent(best[36].mean())} against {_percent(best[60].mean())}",
            paired_verdict(best[36] - best[60]),
        ),
        _claim(
            "An inappropriate one (47 features) makes it worse",
            "worse than with 60",
            f"at best {_percent(best[47].mean())} against {_percent(best[60].mean())}",
            paired_verdict(best[60] - best[47]),
        ),
    )


def adjustability_claims(
    lines: Mapping[str, Sequence[Linearity]],
) -> tuple[Finding, ...]:
    """Return what section 4.6 says of Fig. 10."""
    return tuple(
        _claim(
            f"{name}: cost rises almost linearly with the threshold",
            "almost linear",
            f"R² {np.mean([line.r2 for line in found]):.2f}, off by at most "
            f"{_percent(np.mean([line.largest_deviation for line in found]))} of the "
            "full cost, up to nine tenths of the way",
            paired_verdict([line.r2 - _STRAIGHT for line in found]),
            paired_verdict([_NEAR - line.largest_deviation for line in found]),
        )
        for name, found in lines.items()
    )


# ----------------------------------------------------------------------- kinds of claim


def _dominates(units: Sequence[Unit], rival: str, text: str, published: str) -> Finding:
    return _leads(_named(units), rival, text, published)


def _leads(
    units: Sequence[Sequence[Named]], rival: str, text: str, published: str
) -> Finding:
    """Judge "better for the same cost" at cheap, middling and high costs apart.

    Costs are those of the rival's points. What is cheaper than our first stage cannot
    be compared: nothing of ours answers there.
    """
    series = [named for unit in units for named in unit]
    first = max(float(named["TEFE"].x.min()) for named in series)
    costs = np.unique(np.concatenate([named[rival].x for named in series]))
    thirds = np.array_split(costs[costs >= first], 3)
    verdicts = [
        paired_verdict(_differences(units, partial(_lead, rival=rival, costs=at)))
        for at in thirds
        if at.size
    ]
    if not verdicts:
        return Finding(text, published, "nothing to compare", "within noise")
    points = ", ".join(
        f"{100 * found.mean:+.1f} ± {100 * found.two_standard_errors:.1f}"
        for found in verdicts
    )
    ours = f"points ahead at cheap, middling and high costs: {points}"
    return _claim(text, published, ours, *verdicts)


def _lead(named: Named, *, rival: str, costs: np.ndarray) -> float:
    # Chosen by cost alone: the best of many thresholds on test rows is lucky.
    ours = [at_cost(named["TEFE"], cost) for cost in costs]
    theirs = [at_cost(named[rival], cost) for cost in costs]
    return float(np.mean(np.subtract(ours, theirs)))


def _beats_prefix(units: Sequence[Unit]) -> Finding:
    text = "TEFE is better than the same machines used one for all"
    return _dominates(units, "static prefix", text, "not compared")


def _saturates(units: Sequence[Unit], rival: str, text: str, published: str) -> Finding:
    """Judge that a rival stays more than five points below all features."""
    named = _named(units)
    short = _differences(
        named, lambda one: float(one["SVM, all features"].y[0] - one[rival].y.max())
    )
    found = paired_verdict(short, margin=0.05)
    best = np.mean(_differences(named, lambda one: float(one[rival].y.max())))
    at = np.mean(
        _differences(
            named, lambda one: float(one[rival].x.max() / one["SVM, all features"].x[0])
        )
    )
    ours = (
        f"at best {_percent(best)}, {100 * found.mean:.1f} ± "
        f"{100 * found.two_standard_errors:.1f} points below all features, never for "
        f"more than {_percent(at)} of the cost"
    )
    return _claim(text, published, ours, found)


def _saves(
    units: Sequence[Unit], text: str, published: str, *, lost: float, within: float
) -> Finding:
    """Judge that little accuracy is lost for a share of the cost of all features."""

    def needed(named: Named) -> float:
        full = named["SVM, all features"]
        score = float(full.y[0]) - lost
        good = named["TEFE"].x[named["TEFE"].y >= score]
        return float(good.min(initial=full.x[0]) / full.x[0])

    shares = _differences(_named(units), needed)
    ours = f"{100 * lost:.0f} points lost for {_percent(np.mean(shares))} of the cost"
    return _claim(
        text, published, ours, paired_verdict([within - share for share in shares])
    )


# --------------------------------------------------------------------------- the basics


def _named(units: Sequence[Unit]) -> list[list[Named]]:
    return [[{one.name: one for one in fold} for fold in unit] for unit in units]


def _differences(
    units: Sequence[Sequence[Named]], difference: Callable[[Named], float]
) -> list[float]:
    """Return one number a unit: the mean over its folds, which share rows."""
    return [float(np.mean([difference(fold) for fold in unit])) for unit in units]


def _claim(text: str, published: str, ours: str, *verdicts: Verdict) -> Finding:
    """Return a claim whose parts must all hold; one that does not decides."""
    outcomes = (found.outcome for found in verdicts)
    return Finding(text, published, ours, all_hold(outcomes))


def _lost(series: Series) -> float:
    """Return the accuracy that 7 tenths of the cost lose."""
    return float(series.y[-1]) - within_cost(series, 0.7 * float(series.x[-1]))


def _percent(share: float | np.floating) -> str:
    return f"{100 * float(share):.0f} %"
