"""Fig. 1 of the selective-ridge paper: time against features."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..methods.selective_ridge.chronometry import time_against_features
from .claims import Above, Below, Claim, Row
from .studies import Axes, study

N_ROWS, SIZES = 60, (250, 500, 1000, 2000)
# A slope on logarithmic axes that is linear but for the clock.
LINEAR = 1.25


def _growth(rows: list[Row]) -> list[Row]:
    """Return of each table the powers of the features with which times grow.

    And the logarithm of the ratio of both times at the widest that both did.
    """
    seconds: dict[int, dict[str, dict[int, float]]] = {}
    for row in rows:
        of_table = seconds.setdefault(row.seed, {})
        of_table.setdefault(row.contender, {})[row.n_features] = row.seconds
    found = []
    for seed, of in seconds.items():
        widest = max(of["dual"].keys() & of["primal"].keys())
        powers = {name: _slope(of[name]) for name in ("dual", "primal")}
        ratio = np.log(of["primal"][widest] / of["dual"][widest])
        found.append(Row(seed=seed, **powers, faster=ratio))
    return found


def _slope(seconds: dict[int, float]) -> float:
    sizes, taken = np.log(list(seconds.items())).T
    return float(np.polyfit(sizes, taken, 1)[0])


AXES = Axes(
    "n_features",
    ("seconds",),
    "contender",
    {
        "seed": "Table",
        "contender": "Form",
        "n_features": "Features",
        "seconds": "Training time (s)",
    },
    logarithmic=frozenset({"n_features", "seconds"}),
)


@study(
    "Ridge Fig. 1",
    pair="seed",
    pairs="tables",
    derive=_growth,
    axes=AXES,
    quick={"tables": 2},
)
def figure_1(tables: int = 5) -> Iterator[Row]:
    """Yield the times of both forms on tables of growing width, several times."""
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((N_ROWS, SIZES[-1]))
        y = np.where(X[:, :10].sum(axis=1) + rng.standard_normal(N_ROWS) > 0, 1.0, -1.0)
        for timing in time_against_features(
            X, y, gamma=1.0, mu=0.1, loss="hinge", sizes=list(SIZES), limit=5.0
        ):
            if timing.seconds is not None:
                yield Row(
                    seed=seed,
                    contender=timing.contender,
                    n_features=timing.n_features,
                    seconds=timing.seconds,
                )


figure_1.claims = [
    Claim(
        "The dual's time grows linearly with the features.",
        "linear",
        Below("dual", LINEAR, unit="power of the features"),
    ),
    Claim(
        "The primal's grows faster than that.",
        "as the cube",
        Above("primal", LINEAR, unit="power of the features"),
    ),
    Claim(
        "The dual is the faster of both.",
        "drawn",
        Above("faster", 0.0, unit="logarithm of the ratio at the widest that both did"),
    ),
]
