"""Verdicts on the paper's figures follow from what is computed."""

import pytest

from solvers.errors import NetworkError
from solvers.papers import eca_trim as verdicts
from solvers.papers.eca_trim import FIGURES, figure_verdict


@pytest.mark.parametrize(
    ("value", "printed", "rounds"),
    [
        (0.6918, "75 %", False),
        (0.9082, "91 %", True),
        (0.905, "91 %", True),
        (0.9049, "91 %", False),
        (0.5528, "0.56", False),
        (0.5528, "0.55", True),
        (9 / 13, "0.69", True),
        (0.0, "0", True),
    ],
)
def test_a_printed_number_holds_where_ours_rounds_to_it(value, printed, rounds):
    assert verdicts._rounds_to(value, printed) is rounds


def test_quiz_is_judged_by_its_printed_tables():
    """1341/5000, 3459/5000, 4541/5000 and 3659/5000 in exact fractions."""
    found = figure_verdict("Fig. 1")
    assert [claim.measured for claim in found.claims] == [
        f"{n / 5000:.4f}" for n in (1341, 3459, 4541, 3659)
    ]
    assert [claim.outcome for claim in found.claims].count("holds") == 1
    assert found.verdict.startswith("1 of 4 printed numbers")
    assert "ECA({Q3}), T' = .15 is 0.6918, not 75 %" in found.verdict


def test_verdict_changes_with_what_is_computed(monkeypatch):
    monkeypatch.setattr(verdicts, "agreement", lambda *_: 0.75)
    said = figure_verdict("Fig. 1")
    assert [claim.outcome for claim in said.claims].count("holds") == 1
    assert "ECA({Q1, Q3}), T' = .10 is 0.7500, not 91 %" in said.verdict


def test_table_4_holds_but_for_two_roundings():
    found = figure_verdict("Table 4")
    wrong = {c.sentence: c.measured for c in found.claims if c.outcome != "holds"}
    assert wrong == {"++, positive": "0.1944", "MAA({F1, F2})": "0.5528"}
    assert found.outcome == "does not hold"


@pytest.mark.parametrize("number", ["Fig. 2", "Fig. 3"])
def test_what_holds_is_said_to_hold(number):
    assert figure_verdict(number).outcome == "holds"


def test_unknown_figure_is_refused_with_those_there_are():
    with pytest.raises(NetworkError, match=r"no 'Fig. 9'; choose from Fig. 1"):
        figure_verdict("Fig. 9")
    assert FIGURES == (
        "Fig. 1",
        "Fig. 2",
        "Fig. 3",
        "Table 4",
        "Fig. 5",
        "Table 6",
        "Fig. 7",
    )
