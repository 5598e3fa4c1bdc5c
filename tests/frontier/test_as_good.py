"""The bound holds as often as it says, and a cheaper model is found."""

import numpy as np
import pytest
from scipy.stats import multinomial
from sklearn.ensemble import RandomForestClassifier

from solvers import adopt, all_datasets, all_methods, evaluate, split_dataset
from solvers.errors import DataError, ThriftscopeError
from solvers.frontier.as_good import AccuracyLoss, accuracy_loss, cheapest_as_good
from tests.each import each


@each("confidence", [0.5, 0.8, 0.95])
@each("n_rows", [1, 9])
def test_the_bound_holds_by_counting_all_outcomes(n_rows, confidence):
    """Of every number of rows lost and gained, by the chance that it has."""
    counts = [(a, b) for a in range(n_rows + 1) for b in range(n_rows + 1 - a)]
    bounds = np.array([AccuracyLoss(n_rows, a, b, confidence).bound for a, b in counts])
    outcomes = [(a, b, n_rows - a - b) for a, b in counts]
    for lost in np.linspace(0.0, 1.0, 21):
        for gained in np.linspace(0.0, 1.0 - lost, 5):
            shares = lost, gained, max(0.0, 1.0 - lost - gained)
            chance = multinomial.pmf(outcomes, n_rows, shares)
            misses = chance[bounds < lost - gained - 1e-12].sum()
            assert misses <= 1.0 - confidence + 1e-9


@each("shares", [(0.02, 0.02), (0.1, 0.05), (0.006, 0.0)])
def test_the_bound_holds_in_draws_and_is_of_use(shares):
    rng, n_rows, n_draws = np.random.default_rng(0), 2000, 4000
    drawn = rng.multinomial(n_rows, [*shares, 1.0 - sum(shares)], n_draws)
    bounds = np.array([AccuracyLoss(n_rows, int(a), int(b)).bound for a, b, _ in drawn])
    loss = shares[0] - shares[1]
    assert (bounds >= loss).mean() >= 0.95 - 3.0 * np.sqrt(0.05 * 0.95 / n_draws)
    # Not much wider than the normal one, which holds for large samples alone.
    error = np.sqrt((sum(shares) - loss**2) / n_rows)
    assert np.median(bounds) < loss + 3.5 * error


def test_what_is_lost_and_gained_is_counted_row_by_row():
    found = accuracy_loss([1, 1, 0, 0, 2], [1, 0, 0, 1, 2], [0, 1, 0, 1, 1], 0.8)
    assert (found.n_rows, found.n_lost, found.n_gained) == (5, 2, 1)
    assert found.loss == pytest.approx(0.2)
    assert AccuracyLoss(100, 0, 40).bound == 0.0
    with pytest.raises(DataError, match="2 labels, and 2 and 1 answers"):
        accuracy_loss([1, 1], [1, 1], [1])
    with pytest.raises(ThriftscopeError, match="confidence is 1"):
        AccuracyLoss(1, 0, 0, 1.0)


@pytest.fixture(scope="module")
def cancer():
    """A forest that somebody has, and cheaper models of ours on the same split."""
    split = split_dataset(all_datasets()["breast_cancer"](), random_state=0)
    forest = RandomForestClassifier(15, random_state=0)
    forest.fit(split.X("train"), split.y("train"))
    adopted = adopt(forest, split.hypergraph)
    reference = evaluate(adopted, split, name="Forest", threshold="default")
    path = all_methods()["l1"](split.hypergraph).path(
        split.X("train"), split.y("train")
    )
    return split, reference, [evaluate(model, split) for model in path]


def test_the_cheapest_is_found_and_told(cancer):
    split, reference, points = cancer
    found = cheapest_as_good(points, reference, split, most=0.1, confidence=0.9)
    assert found.lost.bound <= 0.1
    assert found.point.validation_cost["mean"] < reference.validation_cost["mean"]
    assert found.sentence.startswith("Forest costs")
    assert "with confidence 0.9" in found.sentence
    assert cheapest_as_good(points, reference, split, most=0.0) is None
    sure = cheapest_as_good(points, reference, split, most=0.1, confidence=0.99)
    assert sure is None or sure.point.cost["mean"] >= found.point.cost["mean"]
