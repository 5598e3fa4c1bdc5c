"""Figures of learned networks count and judge what they name."""

import numpy as np
import pytest

from solvers.errors import NetworkError
from solvers.papers import eca_trim as verdicts
from solvers.papers import eca_trim_learned as verdicts_learned
from solvers.papers.eca_trim_learned import TABLE_6, figure_5, figure_7, table_6


def test_counts_of_table_6_are_those_of_enumeration(monkeypatch):
    monkeypatch.setattr(verdicts_learned, "MOST_SEARCHED", 8)
    within, full, ours, *_ = table_6()
    assert within.measured == full.measured == "7 of 7 as printed"
    assert ours.outcome == "does not hold"
    assert ours.published == "14, 45"
    assert TABLE_6[-1][1] == sum(len(list(_sets(19, size))) for size in range(1, 7))


def _sets(n, size):
    from itertools import combinations

    return combinations(range(n), size)


def test_figure_5_names_its_tables_and_their_noise(monkeypatch):
    monkeypatch.setattr(verdicts_learned, "SPLITS", 1)
    claims = figure_5()
    assert len(claims) == 4
    assert all("mean of 3, two standard errors" in claim.measured for claim in claims)
    assert "pima and heart" in verdicts._OPENINGS["Fig. 5"]


def test_figure_7_without_the_extra_says_so_and_keeps_the_tan(monkeypatch):
    def missing(name):
        raise NetworkError("pgmpy is missing; install the extra networks.")

    monkeypatch.setattr(verdicts_learned, "classic_network", missing)
    monkeypatch.setattr(verdicts_learned, "THRESHOLDS", np.array([0.3, 0.6]))
    alarm, win95pts, tan = figure_7()
    assert alarm.outcome is win95pts.outcome is None
    assert "the extra networks" in alarm.measured
    assert tan.sentence.startswith("On a TAN")
    assert tan.outcome in ("holds", "within noise")


def test_figure_7_is_on_the_networks_of_the_paper(monkeypatch):
    pytest.importorskip("pgmpy")
    monkeypatch.setattr(verdicts_learned, "ROOTS", 1)
    monkeypatch.setattr(verdicts_learned, "THRESHOLDS", np.array([0.3]))
    claims = figure_7()
    assert ["alarm" in claims[0].sentence, "win95pts" in claims[1].sentence] == [
        True
    ] * 2
    assert all(claim.outcome for claim in claims)
