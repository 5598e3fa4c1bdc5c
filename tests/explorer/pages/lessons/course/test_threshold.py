"""Trimming moves the threshold, and need not."""

import pytest

from explorer.pages.lessons.course import threshold
from solvers.bayes import agreement, bundled_classifier, maximum_achievable_agreement


def test_the_old_threshold_agrees_less_than_a_coin_and_the_new_one_more():
    kept = threshold.agrees(threshold.THRESHOLDS[threshold.kept_at()])
    best = maximum_achievable_agreement(threshold.original(), list(threshold.KEPT))
    assert kept == pytest.approx(0.38)
    assert best.agreement == pytest.approx(0.5528)


def test_the_quiz_trimmed_to_its_telling_question_may_keep_its_threshold():
    quiz = bundled_classifier("quiz")
    best = maximum_achievable_agreement(quiz, ["Q1"]).agreement
    assert agreement(quiz, ["Q1"], quiz.threshold) == pytest.approx(best)
