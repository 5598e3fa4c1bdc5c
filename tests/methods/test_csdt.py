"""csDT asks a question exactly where it saves more errors than it costs."""

import numpy as np

from solvers import FeatureHypergraph
from solvers.methods.csdt import CSDTClassifier
from tests.each import each

# Of ten rows, the feature puts eight right and two wrong; guessing, five are wrong.
X = np.array([[0.0]] * 5 + [[1.0]] * 5)
Y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 0])
PRICE = FeatureHypergraph.independent([1.0])


@each(("error_cost", "asks"), [(3.3, False), (3.4, True)])
def test_a_question_is_asked_where_three_errors_cost_more_than_ten_answers(
    error_cost, asks
):
    model = CSDTClassifier(PRICE, error_cost=error_cost).fit(X, Y)
    assert model.acquired_features(X).all() == asks
    assert model.prediction_cost(X).sum() == (10.0 if asks else 0.0)


def test_of_two_questions_the_one_that_saves_more_is_asked():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    good, better = (y + s * rng.standard_normal(200) for s in (0.8, 0.4))
    table = np.column_stack([good, better])
    for prices, first in (([1.0, 1.0], 1), ([0.1, 9.0], 0)):
        model = CSDTClassifier(
            FeatureHypergraph.independent(prices), error_cost=20.0, n_bins=2
        ).fit(table, y)
        assert model.tree_.feature[0] == first


def test_a_shared_component_makes_the_second_question_cheap():
    rng = np.random.default_rng(1)
    table = rng.standard_normal((400, 2))
    y = (table[:, 0] + 0.6 * table[:, 1] > 0).astype(int)
    shared = FeatureHypergraph([[1, 1], [1, 0], [0, 1]], [5.0, 0.1, 0.1])
    alone = FeatureHypergraph.independent([5.1, 5.1])
    options = {"error_cost": 30.0, "n_bins": 4, "groups": [[0], [1]]}
    both = CSDTClassifier(shared, **options).fit(table, y).acquired_features(table)
    fewer = CSDTClassifier(alone, **options).fit(table, y).acquired_features(table)
    assert both.all(axis=1).sum() > fewer.all(axis=1).sum()


def test_where_nothing_is_said_an_error_costs_ten_times_all_features():
    usual = CSDTClassifier(PRICE).fit(X, Y)
    told = CSDTClassifier(PRICE, error_cost=10.0).fit(X, Y)
    assert (usual.decision_function(X) == told.decision_function(X)).all()
