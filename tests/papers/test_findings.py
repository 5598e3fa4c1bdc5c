"""A verdict follows from what was computed, and turns round when that does."""

import numpy as np
import pytest

from solvers.cascades import claims as tefe_claims
from solvers.cascades.figure import Series
from solvers.cascades.line import Linearity
from solvers.cascades.rounds import ExitRound
from solvers.methods.selective_ridge.chronometry import ContenderTiming
from solvers.papers import Claim, acafh, findings, record, selective_ridge, verdict
from solvers.papers.figures import (
    BlockRow,
    BudgetChoice,
    MemoryRow,
    SelectionRow,
    TimeRow,
)
from solvers.papers.figures.contenders import L1_METHODS, OURS, PUBLISHED
from solvers.papers.recording import RECORDED, read
from solvers.papers.register import computed


def outcomes(found):
    return [finding.outcome for finding in found]


# ------------------------------------------------------------------ the sentence itself


def test_what_was_not_computed_has_no_verdict():
    assert verdict(None) == "Not computed yet."


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("holds", "It is so. Holds: 3 of 3."),
        ("does not hold", "It is so. Does not hold: 3 of 3."),
        ("within noise", "It is so. Within noise: 3 of 3."),
        (None, "It is so. Not judged here: 3 of 3."),
    ],
)
def test_every_outcome_is_a_verdict(outcome, said):
    assert verdict([Claim("It is so.", "yes", "3 of 3", outcome)]) == said


def test_what_is_recorded_is_read_back(tmp_path):
    path = tmp_path / "recorded.json"
    found = [Claim("It is so.", "yes", "+1 ± 2", "within noise")]
    record("ACAFH Fig. 2", found, "abc", path)
    record("ECA Fig. 1", [], "def", path)
    import json

    kept = json.loads(path.read_text("utf-8"))
    assert list(read(kept["ACAFH Fig. 2"])) == found
    assert kept["ACAFH Fig. 2"]["code"] == "abc"


def test_only_figures_that_can_be_computed_are_recorded():
    import json

    kept = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    assert set(kept) <= set(computed())
    for key in computed():
        assert (findings(key) is None) == (key not in kept)


# ------------------------------------------------------------------------------- ACAFH


def budgets(gap):
    """Ten data sets on which ACAFH is ahead of L1 by a gap, and a little luck."""
    rng = np.random.default_rng(0)
    levels = ("within 200", "within 250", "within 300", "20 %", "any")
    rows = []
    for data in map(str, range(10)):
        for weights in (acafh.SHRUNKEN, "refitted"):
            for level in levels:
                for name in (*PUBLISHED, *OURS, *L1_METHODS, "Forward selection"):
                    ahead = gap * (name in PUBLISHED or name in OURS)
                    f1 = 0.92 + ahead + 1e-3 * rng.standard_normal()
                    row = (data, 0.1, weights, level, 9.0, 1.0, name, f1, 8.0, 3)
                    rows.append(BudgetChoice(*row))
    return rows


@pytest.mark.parametrize("judge", [acafh.figure_2, acafh.figure_3])
def test_a_lead_is_found_and_turns_round(judge):
    (ahead, behind, level) = (judge(budgets(gap)) for gap in (0.05, -0.05, 0.0))
    leads = [k for k, found in enumerate(ahead) if "leads" in found.sentence]
    assert {ahead[k].outcome for k in leads} == {"holds"}
    assert {behind[k].outcome for k in leads} == {"does not hold"}
    # Ten draws of no lead at all: nothing is found that is not there.
    assert {level[k].outcome for k in leads} <= {"within noise", "does not hold"}


def test_above_nine_tenths_is_counted():
    above = {f.sentence: f for f in acafh.figure_2(budgets(0.0))}
    below = {f.sentence: f for f in acafh.figure_2(budgets(-0.05))}
    sentence = "Within 300 ACAFH is above .9 on every data set."
    assert (above[sentence].outcome, below[sentence].outcome) == (
        "holds",
        "does not hold",
    )
    assert above["No other method is."].outcome == "does not hold"


def selected(ratio):
    names = {**dict.fromkeys(PUBLISHED, ratio), **dict.fromkeys(L1_METHODS, 1.0)}
    return [
        SelectionRow(data, name, size, int(10 * size * factor), size * factor, 0.9)
        for data in "abc"
        for name, factor in names.items()
        for size in (2, 4, 8)
    ]


def test_cheaper_for_as_many_features_turns_round():
    cheap, dear = (acafh.selections(selected(ratio)) for ratio in (0.5, 2.0))
    assert set(outcomes(cheap)) == {"holds"}
    for one, other in zip(cheap, dear, strict=True):
        is_score = "F1" in one.sentence
        assert other.outcome == ("holds" if is_score else "does not hold")


def timed(faster, psi=np.nan, sizes=(100, 200, 400)):
    names = {"CAFH as published": 1.0, "CAFH with brackets": 0.5}
    names["ACAFH as published"] = 1.0 / faster
    return [
        TimeRow("one gradient", name, m, 10, psi, 2, m, 1.0, 1e-3 * m * share)
        for m in sizes
        for name, share in names.items()
    ]


def test_faster_by_blocks_turns_round():
    fast, slow = (acafh.times(timed(faster)) for faster in (10.0, 0.1))
    assert outcomes(fast) == ["holds", "holds"]
    assert outcomes(slow) == ["does not hold", "does not hold"]


def stored(power):
    names = {"CAFH as published": (2.0, 1.0), "ACAFH as published": (power, 0.1)}
    return [
        MemoryRow(name, m, psi, 2, m, share * (m / 100) ** exponent)
        for psi in (1e-4, 1e-5)
        for m in (100, 200, 400)
        for name, (exponent, share) in names.items()
    ]


def test_memory_is_judged_by_its_power():
    assert outcomes(acafh.memory(stored(1.0))) == ["holds"] * 3
    assert outcomes(acafh.memory(stored(2.0))) == ["holds", "holds", "does not hold"]


def test_blocks_save_time_only_where_there_are_some():
    def rows(dense, sparse):
        times = timed(dense, psi=1.0) + timed(sparse, psi=1e-4, sizes=(100, 200))
        blocks = [
            BlockRow(psi, m, f"m = {m}", *n)
            for m in (100, 200)
            for psi, n in ((1.0, (1, m)), (1e-4, (m, 1)))
        ]
        return acafh.figure_10(times, blocks)

    assert outcomes(rows(1.0, 10.0)) == ["holds"] * 4
    assert outcomes(rows(10.0, 1.0))[1] == "does not hold"
    assert outcomes(rows(10.0, 0.5))[3] == "does not hold"


# -------------------------------------------------------------------------------- ridge


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


# --------------------------------------------------------------------------------- TEFE


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
