"""Trimming naive Bayes of many classes: brute force, and ECA-Trim of two classes."""

from itertools import product

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.bayes import BayesianClassifier, learn_naive_bayes, trim
from solvers.bayes.many_labels import ClassTables, trim_labels
from tests.each import each

NAMES = ("a", "b", "c", "d", "e")
NEEDS = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 1], [1, 0, 0, 1, 0]]


def network(seed, n_classes, n_rows=200):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    codes = (rng.random((n_rows, 5)) * 2 + 0.6 * (y[:, None] % [2, 3, 2, 4, 3])).astype(
        int
    ) % 3
    states = [("0", "1", "2")] * 5
    return learn_naive_bayes(codes, y, feature_states=states, feature_names=NAMES)


@pytest.fixture(scope="module")
def prices():
    return FeatureHypergraph(NEEDS, [2.0, 1.0, 1.5, 0.5], NAMES)


def joint(tables):
    codes = np.array(list(product(range(3), repeat=5)))
    scores = tables.scores(codes, (0, 1, 2, 3, 4))
    return codes, np.exp(scores).sum(axis=1), scores.argmax(axis=1)


@each("budget", [0.0, 1.5, 3.0, 4.0, 9.0])
@each("seed", range(3))
def test_of_two_classes_it_agrees_as_eca_trim_does(seed, budget, prices):
    learned = network(seed, 2)
    known = trim(BayesianClassifier(learned, "class", "1", NAMES), budget, prices)
    found = trim_labels(ClassTables.of(learned, "class"), NAMES, budget, prices)
    assert found.agreement == pytest.approx(known.agreement, abs=1e-9)
    assert found.gap == pytest.approx(0.0, abs=1e-9)
    assert found.cost <= budget


@each("seed", range(2))
def test_no_set_with_a_grid_of_offsets_agrees_more(seed, prices):
    tables = ClassTables.of(network(seed, 3), "class")
    codes, shares, labels = joint(tables)
    assert shares.sum() == pytest.approx(1.0)
    grid = list(product(np.linspace(-2.0, 2.0, 9), repeat=2))
    for budget in (1.5, 3.5):
        found = trim_labels(tables, NAMES, budget, prices)
        scores = tables.scores(codes, found.features) + found.offsets
        assert found.agreement == pytest.approx(shares @ (scores.argmax(1) == labels))
        best = 0.0
        for mask in product((False, True), repeat=5):
            if prices.cost(np.array(mask)) > budget:
                continue
            seen = tables.scores(codes, tuple(np.flatnonzero(mask)))
            for one, other in grid:
                said = (seen + np.array([0.0, one, other])).argmax(axis=1)
                best = max(best, float(shares @ (said == labels)))
        assert best - 0.01 <= found.agreement <= found.bound + 1e-12
        assert best <= found.bound + 1e-12


def test_with_all_features_it_is_the_full_model(prices):
    tables = ClassTables.of(network(0, 4), "class")
    found = trim_labels(tables, NAMES, np.inf, prices)
    assert found.agreement == pytest.approx(1.0)
    assert found.exact


def test_of_many_states_rows_are_drawn_and_nothing_is_proved(prices, monkeypatch):
    from solvers.bayes import many_labels

    tables = ClassTables.of(network(1, 3), "class")
    known = trim_labels(tables, NAMES, 3.5, prices)
    monkeypatch.setattr(many_labels, "_MOST_STATES", 1)
    drawn = trim_labels(tables, NAMES, 3.5, prices, n_samples=4000)
    assert not drawn.exact
    assert drawn.bound == 1.0
    assert drawn.cost <= 3.5
    codes, shares, labels = joint(tables)
    scores = tables.scores(codes, drawn.features) + drawn.offsets
    truly = float(shares @ (scores.argmax(axis=1) == labels))
    assert drawn.agreement == pytest.approx(
        truly, abs=0.03
    )  # of rows it was not fit to
    assert truly >= known.agreement - 0.05
