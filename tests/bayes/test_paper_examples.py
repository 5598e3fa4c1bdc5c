"""The quiz of Fig. 1 and the network of Fig. 3, in exact fractions of their tables."""

from fractions import Fraction

import numpy as np
import pytest

from solvers.bayes import (
    agreement,
    bundled_classifier,
    instance_table,
    maximum_achievable_agreement,
    maximum_potential_agreement,
    same_decision_probability,
    trim,
)
from tests.each import each


@pytest.fixture(scope="module")
def quiz():
    return bundled_classifier("quiz")


@pytest.fixture(scope="module")
def fig3():
    return bundled_classifier("fig3")


def test_three_of_eight_answer_sheets_pass(quiz):
    sheets = np.array(list(np.ndindex(2, 2, 2)))
    passed = {tuple(sheet) for sheet in sheets[quiz.decide(sheets)]}
    assert passed == {(0, 0, 0), (0, 0, 1), (0, 1, 0)}


def test_probability_of_passing_is_1341_in_5000_not_32_percent(quiz):
    assert agreement(quiz, [], 0.0) == pytest.approx(float(Fraction(1341, 5000)))


@each(
    ("features", "threshold", "exact"),
    [
        (["Q3"], 0.15, Fraction(3459, 5000)),  # 75 % in the paper
        (["Q1", "Q3"], 0.10, Fraction(4541, 5000)),  # 91 % in the paper
        (["Q2", "Q3"], 0.30, Fraction(3659, 5000)),  # 68 % in the paper
    ],
)
def test_agreement_of_the_quiz_is_exact(quiz, features, threshold, exact):
    assert agreement(quiz, features, threshold) == pytest.approx(
        float(exact), abs=1e-15
    )


@each(
    ("features", "best", "low", "high"),
    [
        ([], 0.7318, Fraction(1, 10), 1),
        (["Q1"], 0.9082, Fraction(1, 64), Fraction(1, 4)),
        (["Q1", "Q2"], 0.9748, Fraction(1, 13), Fraction(1, 3)),
        (["Q1", "Q3"], 0.9082, Fraction(2, 65), Fraction(1, 5)),
        (["Q1", "Q2", "Q3"], 1.0, Fraction(1, 17), Fraction(1, 7)),
    ],
)
def test_achievable_agreement_of_the_quiz_and_its_thresholds(
    quiz, features, best, low, high
):
    found = maximum_achievable_agreement(quiz, features)
    assert found.agreement == pytest.approx(best, abs=1e-15)
    assert tuple(found.threshold_interval) == pytest.approx((float(low), float(high)))
    assert not found.threshold_interval.includes_low


@each("features", [["Q2"], ["Q3"], ["Q2", "Q3"]])
def test_without_the_telling_question_the_quiz_agrees_as_little_as_nothing(
    quiz, features
):
    found = maximum_achievable_agreement(quiz, features).agreement
    assert found == pytest.approx(0.7318)


def test_best_trimmings_of_the_quiz(quiz):
    assert trim(quiz, 1).features == ("Q1",)
    assert trim(quiz, 2).features == ("Q1", "Q2")


@each(("threshold", "last"), [(0.5, 0), (3 / 11, 1)])
def test_posterior_equal_to_the_threshold_is_positive(quiz, threshold, last):
    """Pr(c | +++) is 1/2 and Pr(c | ++-) is 3/11, which floats do not hit."""
    rows = np.array([[0, 0, 0], [0, 0, 1]])
    assert quiz.with_threshold(threshold).decide(rows)[last]


def test_same_decision_probability_of_one_answer(quiz):
    """After a wrong Q1 nobody passes, whatever follows."""
    assert same_decision_probability(quiz, {"Q1": "-"}) == pytest.approx(1.0)


def test_table_4_is_exact(fig3):
    table = instance_table(fig3, ["F1", "F2"])
    assert table.states == (("-", "+"), ("+", "+"), ("+", "-"), ("-", "-"))
    assert table.posteriors == pytest.approx([0.75, 9 / 13, 0.5, 0.0])
    assert table.positives == pytest.approx([0.0360, 0.1944, 0.3024, 0.0])
    assert table.negatives == pytest.approx([0.0440, 0.2736, 0.1296, 0.02])
    assert table.cuts.agreements == pytest.approx(
        [0.5328, 0.5528, 0.38, 0.4592, 0.4672]
    )


def test_best_cut_of_table_4_is_5528_not_the_sum_of_rounded_entries(fig3):
    best = maximum_achievable_agreement(fig3, ["F1", "F2"])
    assert best.agreement == pytest.approx(0.5528, abs=1e-15)
    assert str(best.threshold_interval) == "(0, 0.5]"
    assert maximum_potential_agreement(fig3, ["F1", "F2"]) == pytest.approx(0.64)


def test_best_trimmings_of_fig_3(fig3):
    assert (trim(fig3, 1).features, trim(fig3, 1).agreement) == (
        ("F3",),
        pytest.approx(0.556),
    )
    assert (trim(fig3, 2).features, trim(fig3, 2).agreement) == (
        ("F2", "F3"),
        pytest.approx(0.992),
    )
