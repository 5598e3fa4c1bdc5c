"""Verdicts on the growth of times follow from times, and turn round with them."""

from solvers.methods.selective_ridge.chronometry import ContenderTiming
from solvers.papers import selective_ridge


def outcomes(found):
    return [finding.outcome for finding in found]


def timings(dual, primal):
    return [
        [
            ContenderTiming(
                name, m, (1 + 0.01 * seed) * scale * (m / 100) ** power, 1e-7, ""
            )
            for m in (100, 200, 400)
            for name, power, scale in (("dual", dual, 1e-3), ("primal", primal, 2e-3))
        ]
        for seed in range(3)
    ]


def test_the_duals_growth_is_measured():
    linear = selective_ridge.figure_1(timings(1.0, 3.0))
    assert outcomes(linear) == ["holds"] * 3
    assert outcomes(selective_ridge.figure_1(timings(3.0, 1.0)))[:2] == [
        "does not hold",
        "does not hold",
    ]
