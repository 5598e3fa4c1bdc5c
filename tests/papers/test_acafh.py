"""Verdicts on the figures of ACAFH follow from rows, and turn round when those do."""

import numpy as np

from solvers.papers import figures
from solvers.papers.figures import (
    BlockRow,
    BudgetChoice,
    MemoryRow,
    SelectionRow,
    TimeRow,
)
from solvers.papers.figures.budgets import SHRUNKEN
from solvers.papers.figures.contenders import L1_METHODS, OURS, PUBLISHED
from tests.each import each


def outcomes(found):
    return [finding.outcome for finding in found]


def budgets(gap):
    """Ten data sets on which ACAFH is ahead of L1 by a gap, and a little luck."""
    rng = np.random.default_rng(0)
    levels = ("within 200", "within 250", "within 300", "20 %", "any")
    rows = []
    for data in map(str, range(10)):
        for weights in (SHRUNKEN, "refitted"):
            for level in levels:
                for name in (*PUBLISHED, *OURS, *L1_METHODS, "Forward selection"):
                    ahead = gap * (name in PUBLISHED or name in OURS)
                    f1 = 0.92 + ahead + 1e-3 * rng.standard_normal()
                    row = (data, 0.1, weights, level, 9.0, 1.0, name, f1, 8.0, 3)
                    rows.append(BudgetChoice(*row))
    return rows


@each("judge", [figures.figure_2.judge, figures.figure_3.judge])
def test_a_lead_is_found_and_turns_round(judge):
    (ahead, behind, level) = (judge(budgets(gap)) for gap in (0.05, -0.05, 0.0))
    leads = [k for k, found in enumerate(ahead) if "leads" in found.sentence]
    assert {ahead[k].outcome for k in leads} == {"holds"}
    assert {behind[k].outcome for k in leads} == {"does not hold"}
    # Ten draws of no lead at all: nothing is found that is not there.
    assert {level[k].outcome for k in leads} <= {"within noise", "does not hold"}


def test_above_nine_tenths_is_counted():
    above = {f.sentence: f for f in figures.figure_2.judge(budgets(0.0))}
    below = {f.sentence: f for f in figures.figure_2.judge(budgets(-0.05))}
    sentence = "Within 300 ACAFH is above .9 on every data set."
    assert (above[sentence].outcome, below[sentence].outcome) == (
        "holds",
        "does not hold",
    )
    assert (
        above["Within 300 no L1 method is above .9 on any data set."].outcome
        == "does not hold"
    )


def selected(ratio):
    names = {**dict.fromkeys(PUBLISHED, ratio), **dict.fromkeys(L1_METHODS, 1.0)}
    return [
        SelectionRow(data, name, size, int(10 * size * factor), size * factor, 0.9)
        for data in "abc"
        for name, factor in names.items()
        for size in (2, 4, 8)
    ]


def test_cheaper_for_as_many_features_turns_round():
    cheap, dear = (figures.figure_4.judge(selected(ratio)) for ratio in (0.5, 2.0))
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
    fast, slow = (figures.figure_6.judge(timed(faster)) for faster in (10.0, 0.1))
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
    assert outcomes(figures.figure_8.judge(stored(1.0))) == ["holds"] * 3
    assert outcomes(figures.figure_8.judge(stored(2.0))) == [
        "holds",
        "holds",
        "does not hold",
    ]


def test_blocks_save_time_only_where_there_are_some():
    def rows(dense, sparse):
        times = timed(dense, psi=1.0) + timed(sparse, psi=1e-4, sizes=(100, 200))
        blocks = [
            BlockRow(psi, m, f"m = {m}", *n)
            for m in (100, 200)
            for psi, n in ((1.0, (1, m)), (1e-4, (m, 1)))
        ]
        saved = figures.figure_10.judge(times)
        return saved, figures.figure_blocks.judge(blocks)

    saved, blocks = rows(1.0, 10.0)
    assert outcomes(saved) == outcomes(blocks) == ["holds"] * 2
    assert outcomes(rows(10.0, 1.0)[0])[0] == "does not hold"
    assert outcomes(rows(10.0, 0.5)[0])[1] == "does not hold"
