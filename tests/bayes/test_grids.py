"""Brackets from rounded log-odds contain what enumeration gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes import BayesianClassifier, bracketed, search_trimmings, trim
from solvers.bayes import classifier as classifier_module
from solvers.bayes.bracketed import LogOddsGrid
from solvers.bayes.decisions import TableDecisions
from solvers.bayes.halves import HalvesDecisions
from tests.bayes.worlds import (
    budgets_and_costs,
    classifiers,
    exhaustive,
    listed,
    naive_network,
    named,
)


def grid_of(classifier, n_cells):
    decisions = HalvesDecisions(classifier.masses, classifier.threshold)
    return LogOddsGrid(classifier.masses, decisions.cut, n_cells)


def bracket(grid, chosen):
    gone = [j for j in range(len(grid.masses.features)) if j not in set(chosen)]
    return grid.bracket(grid.product(chosen), grid.product(gone))


@given(
    classifiers(max_features=7, naive=True),
    st.sampled_from([32, 128, 1024, 2**14]),
    st.data(),
)
@settings(max_examples=80)
def test_bracket_contains_the_potential_agreement(classifier, n_cells, data):
    n = len(classifier.features)
    chosen = tuple(sorted(data.draw(st.sets(st.integers(0, n - 1)))))
    truth = TableDecisions(classifier.masses, classifier.threshold).potential(chosen)
    low, high = bracket(grid_of(classifier, n_cells), chosen)
    assert low <= truth + 1e-12
    assert high >= truth - 1e-12


@given(classifiers(max_features=6, naive=True), st.sampled_from([32, 256]))
def test_rounding_changes_decisions_no_more_often_than_is_said(classifier, n_cells):
    grid = grid_of(classifier, n_cells)
    rows, positive, total = listed(classifier)
    truth = positive >= (classifier.threshold - 1e-12) * total
    cells = sum(grid._cells[j][rows[:, j]] for j in range(len(classifier.features)))
    changed = float(total[truth != (cells >= grid._first)].sum())
    assert changed <= grid.slack + 1e-12


def test_finer_grids_make_narrower_brackets():
    network = naive_network(np.random.default_rng(4), 16)
    classifier = BayesianClassifier(network, "C", "+", named(16), 0.3)
    truth = TableDecisions(classifier.masses, 0.3).potential(range(5))
    widths = []
    for n_cells in (2**10, 2**13, 2**16):
        low, high = bracket(grid_of(classifier, n_cells), range(5))
        assert low <= truth <= high
        widths.append(high - low)
    assert widths[2] < widths[1] / 4 < widths[0] / 16
    assert widths[2] < 1e-4


@pytest.fixture
def by_brackets(monkeypatch):
    """Searches of a few features go the way of very many ones, on coarse grids."""
    monkeypatch.setattr(classifier_module, "NAIVE_TABLE_STATES", 1)
    monkeypatch.setattr(bracketed, "LEVELS", (32, 256))


@pytest.mark.usefixtures("by_brackets")
@given(classifiers(max_features=6, naive=True), st.data())
@settings(max_examples=30)
def test_search_by_brackets_finds_the_exhaustive_optimum(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    events = list(search_trimmings(classifier, budget, costs))
    truth = exhaustive(classifier, budget, costs)
    assert events[-1].best.agreement == pytest.approx(truth, abs=1e-11)
    assert events[-1].best.gap == 0.0
    assert all(event.best.bound >= truth - 1e-11 for event in events)


@pytest.mark.usefixtures("by_brackets")
@given(classifiers(max_features=7, naive=True), st.integers(1, 4))
@settings(max_examples=30)
def test_search_without_exact_bounds_ends_within_1e_4(classifier, budget):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bracketed, "EXACT_STATES", 0)
        patch.setattr(bracketed, "LEVELS", (256, 2**12))
        found = trim(classifier, budget)
    truth = exhaustive(classifier, budget, None)
    assert found.agreement <= truth + 1e-11
    assert found.agreement >= truth - 1e-4
    assert truth - 1e-11 <= found.bound <= found.agreement + 1e-4


@pytest.mark.slow
def test_forty_features_are_trimmed_within_1e_4():
    network = naive_network(np.random.default_rng(0), 40)
    classifier = BayesianClassifier(network, "C", "+", named(40), 0.3)
    found = trim(classifier, 8, exact=True)
    assert found.exact
    assert len(found.features) == 8
    assert found.gap <= 1e-4
