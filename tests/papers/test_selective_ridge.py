"""Verdicts on the growth of times follow from times, and turn round with them."""

from solvers.papers.claims import Row
from solvers.papers.selective_ridge import figure_1


def outcomes(dual, primal):
    rows = [
        Row(
            seed=seed,
            contender=name,
            n_features=m,
            seconds=(1 + 0.01 * seed) * scale * (m / 100) ** power,
        )
        for seed in range(3)
        for m in (100, 200, 400)
        for name, power, scale in (("dual", dual, 1e-3), ("primal", primal, 2e-3))
    ]
    return [found.outcome for found in figure_1.judge(rows)]


def test_the_duals_growth_is_measured():
    assert {*outcomes(1.0, 3.0)} == {"holds"}
    assert outcomes(3.0, 1.0)[:2] == ["does not hold", "does not hold"]
