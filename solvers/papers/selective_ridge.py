"""Fig. 1 of the selective-ridge paper as findings: time against features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..methods.selective_ridge.chronometry import ContenderTiming, time_against_features
from .finding import judged
from .verdict import Finding

N_ROWS, SIZES = 60, (250, 500, 1000, 2000)
TABLES = 5
# A slope on logarithmic axes that is linear but for the clock.
LINEAR = 1.25


def measured() -> list[list[ContenderTiming]]:
    """Time both forms on tables of growing width, several times."""
    found = []
    for seed in range(TABLES):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((N_ROWS, SIZES[-1]))
        y = np.where(X[:, :10].sum(axis=1) + rng.standard_normal(N_ROWS) > 0, 1.0, -1.0)
        steps = time_against_features(
            X, y, gamma=1.0, mu=0.1, loss="hinge", sizes=list(SIZES), limit=5.0
        )
        found.append(list(steps))
    return found


def figure_1(tables: Sequence[Sequence[ContenderTiming]]) -> list[Finding]:
    """Return the claims of Fig. 1: the dual is linear, the primal is slower."""
    seconds = [_by_contender(timings) for timings in tables]
    dual = [_slope(found["dual"]) for found in seconds]
    primal = [_slope(found["primal"]) for found in seconds]
    widest = [_largest_ratio(found) for found in seconds]
    return [
        judged(
            "The dual's time grows linearly with the features.",
            "linear",
            [LINEAR - slope for slope in dual],
            f"tables ({LINEAR:g} less the power of the features, which is "
            f"{np.mean(dual):.2f})",
        ),
        judged(
            "The primal's grows faster than that.",
            "as the cube",
            [slope - LINEAR for slope in primal],
            f"tables (the power, {np.mean(primal):.2f}, less {LINEAR:g})",
        ),
        judged(
            "The dual is the faster of both.",
            "drawn",
            np.log(widest),
            "tables (logarithm of the ratio at the widest that both did)",
        ),
    ]


def _by_contender(timings: Sequence[ContenderTiming]) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {}
    for timing in timings:
        if timing.seconds is not None:
            found.setdefault(timing.contender, {})[timing.n_features] = timing.seconds
    return found


def _slope(seconds: Mapping[int, float]) -> float:
    """Return the power of the features with which time grows."""
    sizes, taken = np.log(list(seconds.items())).T
    return float(np.polyfit(sizes, taken, 1)[0])


def _largest_ratio(found: Mapping[str, Mapping[int, float]]) -> float:
    size = max(found["dual"].keys() & found["primal"].keys())
    return found["primal"][size] / found["dual"][size]
