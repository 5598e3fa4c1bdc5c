"""Figures 5 and 7, Table 6, and what a person takes away."""

import numpy as np
import pytest

from explorer.pages.trimming.figures import (
    SCATTER_SHOWN,
    THRESHOLDS,
    Scatter,
    compare,
    measure_efforts,
    scatter,
)
from explorer.pages.trimming.sources import open_network
from explorer.pages.trimming.state import TrimmingState
from explorer.session.state import bundled
from solvers.bayes import ScoredSubsets, bundled_classifier, trim


def opened(source, **more):
    state = TrimmingState(dataset=bundled("breast_cancer"), source=source, **more)
    request = state.open_request()
    state.take(next(open_network(request)), request)
    return state


@pytest.fixture(scope="module")
def wine():
    return opened("wine", n_columns=6)


@pytest.fixture(scope="module")
def scored(wine):
    *_, (share, found) = scatter(wine.question(), wine.opened.learned)
    assert share == 1.0
    return found


def test_every_affordable_set_is_scored(wine, scored):
    assert len(scored.accuracies) == 1 + 6 + 15
    best = scored.subsets.agreements[scored.subsets.best]
    found = trim(wine.question().classifier(), wine.budget)
    assert best == pytest.approx(found.agreement)


def test_no_set_beats_the_front_in_both(scored):
    agreements, accuracies = scored.subsets.agreements, scored.accuracies
    for row in np.flatnonzero(scored.front):
        better = (agreements >= agreements[row]) & (accuracies >= accuracies[row])
        alike = (agreements == agreements[row]) & (accuracies == accuracies[row])
        assert (better == alike).all()


def test_the_best_sets_are_judged_on_test_rows(wine, scored):
    classifier, learned = wine.question().classifier(), wine.opened.learned
    names = list(scored.names(scored.most_accurate))
    said = classifier.decide(learned.test_codes, names)
    _, square = scored.tested
    assert square.accuracy == pytest.approx((said == learned.test_labels).mean())


def test_accuracy_without_rows_is_expected_under_the_network():
    """Brute force over the eight answer sheets of the quiz, for the set {Q1, Q2}."""
    state = opened("quiz")
    *_, (_, found) = scatter(state.question(), None)
    row = next(i for i in range(7) if found.names(i) == ("Q1", "Q2"))
    quiz = bundled_classifier("quiz")
    positive, total = quiz.masses.of((0, 1))
    right = np.where(positive >= 0.07 * total, positive, total - positive).sum()
    assert found.accuracies[row] == pytest.approx(right)


def test_swapping_the_positive_state_swaps_the_labels():
    state = opened("wine", n_columns=4)
    state.positive = "not class_0"
    *_, (_, found) = scatter(state.question(), state.opened.learned)
    assert found.accuracies.max() > 0.8


def test_a_cloud_is_thinned_but_keeps_its_front_and_its_best():
    n = 3 * SCATTER_SHOWN
    random = np.random.default_rng(0)
    masks = np.zeros((n, 1), dtype=bool)
    subsets = ScoredSubsets(("a",), masks, random.random(n), np.ones(n))
    accuracies = random.random(n)
    front = subsets.pareto(accuracies)
    found = Scatter(subsets, accuracies, "", front)
    drawn = found.drawn()
    assert len(drawn) <= SCATTER_SHOWN + front.sum() + 2
    assert set(np.flatnonzero(front)) | {subsets.best, found.most_accurate} <= set(
        drawn
    )


def test_trimming_is_never_below_its_rivals(wine):
    found = [comparison for _, comparison in compare(wine.question())]
    assert [one.threshold for one in found] == pytest.approx(THRESHOLDS.tolist())
    for one in found:
        rivals = (one.same_decision, one.information)
        assert all(one.trimmed.agreement >= r.agreement - 1e-12 for r in rivals)


def test_every_exact_search_finds_the_same_agreement(wine):
    efforts = [effort for _, effort in measure_efforts(wine.question())]
    assert len(efforts) == 4 * len(THRESHOLDS)
    for threshold in THRESHOLDS:
        found = {e.method: e.agreement for e in efforts if e.threshold == threshold}
        exact = [value for name, value in found.items() if "FS-SDD" not in name]
        assert exact == pytest.approx([exact[0]] * 3)


def test_exhaustive_search_evaluates_every_affordable_set(wine):
    efforts = [effort for _, effort in measure_efforts(wine.question())]
    counts = {e.evaluations for e in efforts if e.method == "Exhaustive"}
    assert counts == {22}


def found(question):
    return trim(question.classifier(), question.budget, question.costs)
