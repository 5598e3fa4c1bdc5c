"""Verdicts on the figures of TEFE follow from curves, and turn round with them."""

import numpy as np
import pytest

from solvers.papers.cascades import claims as tefe_claims
from solvers.papers.cascades.figure import Series
from solvers.papers.cascades.line import Linearity
from solvers.papers.cascades.rounds import ExitRound


def fold(lead, seed):
    """TEFE at accuracies above those of every rival by a lead, with a little luck."""
    rng = np.random.default_rng(seed)
    cost = np.linspace(1.0, 10.0, 10)
    base = 0.5 + 0.02 * cost
    luck = 1e-3 * rng.standard_normal()
    rivals = ("JIT", "csNB", "csDT", "static prefix")
    return (
        Series("TEFE", "tefe", cost, base + lead + luck),
        *(Series(name, "jit", cost, base) for name in rivals),
        Series("SVM, all features", "relief_svm", cost[-1:], base[-1:] + 0.2),
    )


@pytest.mark.parametrize(
    "judge",
    [tefe_claims.scene_claims, tefe_claims.keyword_claims, tefe_claims.pair_claims],
)
def test_better_than_its_rivals_turns_round(judge):
    ahead, behind, level = (
        {c.sentence: c.outcome for c in judge([[fold(lead, k)] for k in range(5)])}
        for lead in (0.1, -0.1, 0.0)
    )
    better = [text for text in ahead if "better" in text or "superior" in text]
    assert len(better) >= 2
    assert {ahead[text] for text in better} == {"holds"}
    assert {behind[text] for text in better} == {"does not hold"}
    assert {level[text] for text in better} <= {"within noise", "does not hold"}


def test_better_than_jit_is_a_claim_of_figure_5_and_can_fail():
    # Ahead where it is dear, behind where it is cheap: not "for the same cost".
    crossing = []
    for k in range(5):
        tefe, *others = fold(0.0, k)
        tilted = tefe.y + 0.05 * np.linspace(-1, 1, 10)
        crossing.append([(Series("TEFE", "tefe", tefe.x, tilted), *others)])
    found = {c.sentence: c.outcome for c in tefe_claims.scene_claims(crossing)}
    assert found["TEFE is better than JIT for the same cost"] == "does not hold"


def rounds_of(rates):
    return [
        ExitRound(1, 2, np.arange(int(100 * r)), np.arange(100 - int(100 * r)))
        for r in rates
    ]


def test_the_worst_round_turns_round():
    published = ((10, 8), (10, 9), (10, 7))

    def judged(rates):
        folds = [rounds_of(np.array(rates) + 0.01 * k) for k in range(3)]
        return [c.outcome for c in tefe_claims.round_claims(folds, published)]

    assert judged([0.8, 0.9, 0.6]) == ["holds", "holds"]
    assert judged([0.6, 0.5, 0.9]) == ["does not hold", "does not hold"]


def test_almost_linear_turns_round():
    def judged(r2, off):
        lines = [Linearity(0.0, 1.0, 1.0, r2 - 1e-3 * k, off) for k in range(3)]
        (claim,) = tefe_claims.adjustability_claims({"ten kinds": lines})
        return claim.outcome

    assert judged(0.99, 0.01) == "holds"
    assert judged(0.8, 0.01) == "does not hold"
    assert judged(0.99, 0.5) == "does not hold"


def test_selections_turn_round():
    def judged(small, middle):
        cost = np.linspace(1.0, 10.0, 10)

        def series(best, k):
            return Series("TEFE", "tefe", cost, np.linspace(0.5, best + 0.001 * k, 10))

        folds = [
            (series(0.8, k), series(middle, k), series(small, 2 * k), series(0.6, k))
            for k in range(3)
        ]
        return [c.outcome for c in tefe_claims.selection_claims(folds)]

    assert judged(0.9, 0.7)[2:] == ["holds", "holds"]
    assert judged(0.7, 0.9)[2:] == ["does not hold", "does not hold"]
