"""What comes out of the paper's figures follows from what is computed."""

from itertools import combinations

import pytest

from solvers.errors import NetworkError
from solvers.papers import eca_trim
from solvers.papers.claims import Row
from tests.each import each


def by_sentence(study, *sizes):
    return {found.sentence: found for found in study.judge(study(*sizes))}


def test_quiz_is_judged_by_its_printed_tables():
    """1341/5000, 3459/5000, 4541/5000 and 3659/5000 in exact fractions."""
    found = list(by_sentence(eca_trim.figure_1).values())
    assert [one.measured for one in found] == [
        f"{n / 5000:.4f}" for n in (1341, 3459, 4541, 3659)
    ]
    wrong = {one.sentence for one in found if one.outcome == "does not hold"}
    assert wrong == {
        "Pr(pass) at T = .07",
        "ECA({Q3}), T' = .15",
        "ECA({Q2, Q3}), T' = .30",
    }


def test_a_verdict_changes_with_what_is_computed(monkeypatch):
    monkeypatch.setattr(eca_trim, "agreement", lambda *_: 0.75)
    found = by_sentence(eca_trim.figure_1)
    right = {sentence for sentence, one in found.items() if one.outcome == "holds"}
    assert right == {"ECA({Q3}), T' = .15"}


def test_table_4_holds_but_for_two_roundings():
    found = by_sentence(eca_trim.table_4)
    assert len(found) == 13
    wrong = {c.sentence: c.measured for c in found.values() if c.outcome != "holds"}
    assert wrong == {"++, positive": "0.1944", "MAA({F1, F2})": "0.5528"}


@each("study", [eca_trim.figure_2, eca_trim.figure_3])
def test_what_holds_is_said_to_hold(study):
    (found,) = study.findings()
    assert found.outcome == "holds"


def test_a_set_above_its_bound_is_found_out():
    rows = [Row(event=0, slack=0.1, best=0.5), Row(event=1, slack=-0.1, best=0.6)]
    (found,) = eca_trim.figure_2.judge(rows)
    assert found.outcome == "does not hold"


def test_counts_of_table_6_are_those_of_enumeration():
    within, full, ours, *_ = eca_trim.table_6.judge(eca_trim.table_6(8))
    for found in (within, full):
        assert found.measured.startswith("7 of 7 sizes")
        assert found.outcome == "holds"
    assert ours.outcome == "does not hold"
    assert ours.measured == "0 of 2 sizes: 29, 52"
    sets = [list(combinations(range(19), size)) for size in range(1, 7)]
    assert eca_trim.TABLE_6[-1][1] == sum(map(len, sets))


@pytest.mark.slow
def test_figure_5_names_its_tables_and_their_noise():
    found = by_sentence(eca_trim.figure_5, 1)
    assert len(found) == 4
    told = "over 4 tables (breast_cancer, wine, digits, heart)"
    assert all(told in one.measured for one in found.values())


@pytest.mark.slow
def test_figure_7_without_the_extra_says_so_and_keeps_the_tan(monkeypatch):
    def missing(name):
        raise NetworkError("pgmpy is missing; install the extra networks.")

    monkeypatch.setattr(eca_trim, "classic_network", missing)
    alarm, win95pts, tan = eca_trim.figure_7.judge(eca_trim.figure_7(3, [0.3, 0.6]))
    assert alarm.outcome is win95pts.outcome is None
    assert "the extra networks" in alarm.measured
    assert tan.sentence.startswith("On a TAN")
    assert tan.outcome == "one run"


@pytest.mark.slow
def test_figure_7_is_on_the_networks_of_the_paper():
    pytest.importorskip("pgmpy")
    alarm, win95pts, _ = eca_trim.figure_7.judge(eca_trim.figure_7(2, [0.3]))
    assert "alarm" in alarm.sentence
    assert "win95pts" in win95pts.sentence
    assert {alarm.outcome, win95pts.outcome} <= {"holds", "within noise"}
