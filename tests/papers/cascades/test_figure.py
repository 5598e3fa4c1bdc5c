"""Points of a curve chosen by cost, and claims about curves."""

import numpy as np

from solvers.papers.cascades import figures
from solvers.papers.cascades.figure import (
    Dominates,
    FallsShort,
    FallsTo,
    Series,
    at_cost,
    within_cost,
)
from solvers.papers.claims import Row, StudyTable
from tests.each import each


def test_the_best_score_within_a_cost_counts_what_is_cheaper():
    series = Series("a", "tefe", np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.8]))
    assert [within_cost(series, cost) for cost in (0.5, 1.0, 2.5, 9.0)] == [
        0.0,
        0.5,
        0.9,
        0.9,
    ]


def test_the_score_at_a_cost_is_chosen_by_cost_alone():
    series = Series("a", "tefe", np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.8]))
    assert [at_cost(series, cost) for cost in (0.5, 1.0, 2.5, 9.0)] == [
        0.0,
        0.5,
        0.9,
        0.8,
    ]


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


def curves(folds):
    """Rows of folds, each a problem of its own."""
    return [
        Row(problem=k, fold=k, method=one.name, curve=one)
        for k, fold in enumerate(folds)
        for one in fold
    ]


def outcomes(study, rows):
    return {found.sentence: found.outcome for found in study.judge(rows)}


@each("study", [figures.figure_5, figures.figure_7, figures.figure_8])
def test_better_than_its_rivals_turns_round(study):
    ahead, behind, level = (
        outcomes(study, curves([fold(lead, k) for k in range(5)]))
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
        crossing.append([Series("TEFE", "tefe", tefe.x, tilted), *others])
    found = outcomes(figures.figure_5, curves(crossing))
    assert found["TEFE is better than JIT for the same cost."] == "does not hold"


def test_folds_of_one_problem_are_one_pair():
    rows = [
        Row(problem="one", fold=k, method=one.name, curve=one)
        for k in range(3)
        for one in fold(0.1, k)
    ]
    claim = Dominates("TEFE", of="JIT")
    assert claim.test(StudyTable(rows, ("problem",)))[0] == "one run"
    assert claim.test(StudyTable(rows, ("fold",)))[0] == "holds"


def test_a_rival_that_is_cheaper_than_all_of_ours_cannot_be_compared():
    cheap = Series("JIT", "jit", np.array([0.1]), np.array([0.9]))
    rows = curves([[fold(0.1, k)[0], cheap] for k in range(3)])
    found = Dominates("TEFE", of="JIT").test(StudyTable(rows, ("fold",)))
    assert found[0] is None


def test_short_of_all_features_and_cheap_for_a_little_accuracy():
    table = StudyTable(curves([fold(0.0, k) for k in range(4)]), ("fold",), "folds")
    full = "SVM, all features"
    # At best .7, and all features .9.
    assert FallsShort("JIT", of=full, margin=0.1).test(table)[0] == "holds"
    assert FallsShort("JIT", of=full, margin=0.3).test(table)[0] == "does not hold"
    # .3 below .9 is .6, of the fifth of ten costs.
    assert FallsTo(0.7, "TEFE", of=full, lost=0.3).test(table)[0] == "holds"
    assert FallsTo(0.4, "TEFE", of=full, lost=0.3).test(table)[0] == "does not hold"


def test_the_worst_round_turns_round():
    def judged(*rates):
        rows = [
            Row(fold=k, round=name, right=rate + 0.01 * k)
            for k in range(3)
            for name, rate in zip(("first", "middle", "last"), rates, strict=True)
        ]
        return [found.outcome for found in figures.table_2.judge(rows)]

    assert judged(0.8, 0.9, 0.6) == ["holds", "holds"]
    assert judged(0.6, 0.5, 0.9) == ["does not hold", "does not hold"]


def test_almost_linear_turns_round():
    def judged(r2, off):
        rows = [
            Row(problem="ten kinds", fold=k, r2=r2 - 1e-3 * k, deviation=off)
            for k in range(3)
        ]
        return figures.figure_10.judge(rows)[0].outcome

    assert judged(0.99, 0.01) == "holds"
    assert judged(0.8, 0.01) == "does not hold"
    assert judged(0.99, 0.5) == "does not hold"


def test_selections_turn_round():
    def judged(small, middle):
        cost = np.linspace(1.0, 10.0, 10)
        best = {
            "TEFE, 60 features": lambda k: 0.8 + 0.001 * k,
            "TEFE, 47 features": lambda k: middle + 0.001 * k,
            "TEFE, 36 features": lambda k: small + 0.002 * k,
            "Relief + SVM": lambda k: 0.6 + 0.001 * k,
        }
        rows = [
            Row(
                fold=k,
                method=name,
                curve=Series(name, "tefe", cost, np.linspace(0.5, of(k), 10)),
                best=of(k),
                lost=0.1,
            )
            for k in range(3)
            for name, of in best.items()
        ]
        return [found.outcome for found in figures.figure_9.judge(rows)]

    assert judged(0.9, 0.7)[2:] == ["holds", "holds"]
    assert judged(0.7, 0.9)[2:] == ["does not hold", "does not hold"]
