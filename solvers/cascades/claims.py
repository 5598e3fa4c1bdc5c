"""What the paper says of its figures, and whether ours bear it out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .figure import Claim, Series, share_beaten, within_cost
from .line import Linearity

__all__ = [
    "adjustability_claims",
    "keyword_claims",
    "pair_claims",
    "scene_claims",
    "selection_claims",
]

# "Almost linear": the line explains this much of the cost, and is nowhere further off.
_STRAIGHT, _NEAR = 0.95, 0.1


def scene_claims(series: Sequence[Series]) -> tuple[Claim, ...]:
    """Return what section 4.2 says of Fig. 5.

    Parameters
    ----------
    series : sequence of Series
        Of `Crossing.series`.

    Returns
    -------
    tuple of Claim
    """
    named = {one.name: one for one in series}
    tefe, full = named["TEFE"], named["SVM, all features"]
    top = float(full.y[0])
    needed = _cheapest(tefe, top - 0.04) / float(full.x[0])
    return (
        _dominates(named, "JIT", "TEFE is better than JIT for the same cost", "yes"),
        _saturates(named, "JIT", "JIT cannot use more budget", "at best 68.8 %"),
        _dominates(
            named,
            "csNB",
            "TEFE needs far less time than csNB for the same accuracy",
            "csNB: 74 % in 14.6 s, its decisions included",
        ),
        _saturates(named, "csDT", "csDT is too inaccurate", "53 %"),
        Claim(
            "TEFE gives up 4 points of accuracy, and saves time",
            "81 % instead of 85 %, in 0.76 s",
            f"{_percent(top - 0.04)} instead of {_percent(top)}, for "
            f"{_percent(needed)} of the cost",
            needed < 0.8,
        ),
        _beats_prefix(named),
    )


def keyword_claims(series: Sequence[Series]) -> tuple[Claim, ...]:
    """Return what section 4.3 says of Fig. 7.

    Parameters
    ----------
    series : sequence of Series
        Of `Crossing.series`.

    Returns
    -------
    tuple of Claim
    """
    named = {one.name: one for one in series}
    tefe, full = named["TEFE"], named["SVM, all features"]
    needed = _cheapest(tefe, float(full.y[0]) - 0.01) / float(full.x[0])
    return (
        Claim(
            "TEFE is as good as all features for less than half of the time",
            "0.08 s instead of 0.18 s",
            f"within a point for {_percent(needed)} of the cost",
            needed < 0.5,
        ),
        _dominates(
            named, "JIT", "TEFE is better than JIT for the same cost", "JIT: 69.75 %"
        ),
        _dominates(named, "csDT", "TEFE is better than csDT for the same cost", "yes"),
        _dominates(
            named, "csNB", "TEFE is superior to csNB", "csNB: 62 % in 4.84 s in all"
        ),
        _beats_prefix(named),
    )


def pair_claims(series: Sequence[Series]) -> tuple[Claim, ...]:
    """Return what section 4.4 says of Fig. 8.

    Parameters
    ----------
    series : sequence of Series
        Of `Crossing.series`.

    Returns
    -------
    tuple of Claim
    """
    named = {one.name: one for one in series}
    return (
        *(
            _dominates(
                named, name, f"TEFE is apparently superior to {name}", "as in Fig. 5"
            )
            for name in ("JIT", "csDT", "csNB")
        ),
        _beats_prefix(named),
    )


def selection_claims(series: Sequence[Series]) -> tuple[Claim, ...]:
    """Return what section 4.5 says of Fig. 9.

    Parameters
    ----------
    series : sequence of Series
        TEFE on 60, 47 and 36 features, and Relief last.

    Returns
    -------
    tuple of Claim
    """
    whole, middle, small, relief = series
    budget = 0.7 * float(whole.x[-1])
    lost = float(whole.y[-1]) - within_cost(whole, budget)
    relief_lost = float(relief.y[-1]) - within_cost(relief, budget)
    beaten = share_beaten(whole, relief)
    return (
        Claim(
            "TEFE on all 60 features is always better than Relief",
            "always",
            f"at {_percent(beaten)} of Relief's points",
            beaten == 1.0,
        ),
        Claim(
            "With 7 tenths of the time TEFE loses little, Relief a lot",
            "a little, and about 10 points",
            f"{100 * lost:.1f} and {100 * relief_lost:.1f} points",
            lost < relief_lost,
        ),
        Claim(
            "A good selection (36 features) makes TEFE better",
            "better than with 60",
            f"at best {_percent(small.y.max())} against {_percent(whole.y.max())}",
            float(small.y.max()) > float(whole.y.max()),
        ),
        Claim(
            "An inappropriate one (47 features) makes it worse",
            "worse than with 60",
            f"at best {_percent(middle.y.max())} against {_percent(whole.y.max())}",
            float(middle.y.max()) < float(whole.y.max()),
        ),
    )


def adjustability_claims(lines: dict[str, Linearity]) -> tuple[Claim, ...]:
    """Return what section 4.6 says of Fig. 10.

    Parameters
    ----------
    lines : dict of str to Linearity
        By the name of the data set.

    Returns
    -------
    tuple of Claim
    """
    return tuple(
        Claim(
            f"{name}: cost rises almost linearly with the threshold",
            "almost linear",
            f"R² {line.r2:.2f}, off by at most {_percent(line.largest_deviation)} of "
            "the full cost, up to nine tenths of the way",
            line.r2 > _STRAIGHT and line.largest_deviation < _NEAR,
        )
        for name, line in lines.items()
    )


def _dominates(
    named: dict[str, Series], rival: str, text: str, published: str
) -> Claim:
    beaten = share_beaten(named["TEFE"], named[rival])
    return Claim(
        text,
        published,
        f"at {_percent(beaten)} of {named[rival].name}'s points",
        beaten == 1.0,
    )


def _beats_prefix(named: dict[str, Series]) -> Claim:
    beaten = share_beaten(named["TEFE"], named["static prefix"])
    return Claim(
        "TEFE is better than the same machines used one for all",
        "not compared",
        f"at {_percent(beaten)} of the prefixes",
        beaten == 1.0,
    )


def _saturates(
    named: dict[str, Series], rival: str, text: str, published: str
) -> Claim:
    best, top = float(named[rival].y.max()), float(named["SVM, all features"].y[0])
    at = float(named[rival].x.max() / named["SVM, all features"].x[0])
    return Claim(
        text,
        published,
        f"at best {_percent(best)} (all features: {_percent(top)}), never for more "
        f"than {_percent(at)} of the cost",
        best < top - 0.05,
    )


def _cheapest(series: Series, score: float) -> float:
    good = series.x[series.y >= score]
    return float(good.min()) if good.size else float("inf")


def _percent(share: float | np.floating) -> str:
    return f"{100 * float(share):.0f} %"
