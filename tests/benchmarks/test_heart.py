"""The enumeration of the heart benchmark fits what scikit-learn fits."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from benchmarks.heart import BUDGETS, all_selections, enumerated, fitted, measure
from solvers.datasets import from_frame, make_heart


@pytest.fixture(scope="module")
def small():
    """Three features of a hundred rows: eight selections."""
    import pandas as pd

    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.standard_normal((100, 2)), columns=["a", "b"])
    table["c"] = rng.choice(["red", "green", "blue"], 100)
    ill = table["a"] + (table["c"] == "red") + rng.standard_normal(100) > 0
    costs = {"a": 60.0, "b": 1.0, "c": 4.0}
    return from_frame(
        table.assign(ill=ill.astype(int)), "ill", costs=costs, unit="CAD", positive=1
    )


def test_every_selection_stands_once():
    selections = all_selections(13)
    assert selections.shape == (8192, 13)
    assert len(np.unique(selections, axis=0)) == 8192
    assert not selections[0].any()


def test_weights_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((80, 5))
    y = (X[:, 0] + rng.standard_normal(80) > 0).astype(float)
    columns = rng.random((20, 5)) < 0.6
    for weights, kept in zip(fitted(X, y, columns), columns, strict=True):
        assert not weights[:-1][~kept].any()
        if kept.any():
            model = LogisticRegression(tol=1e-10).fit(X[:, kept], y)
            assert weights[:-1][kept] == pytest.approx(model.coef_[0], abs=1e-5)
            assert weights[-1] == pytest.approx(model.intercept_[0], abs=1e-5)


def test_what_it_tells_of_a_budget_is_affordable_and_best(small):
    found = measure(small, [0, 1], ["static_prefix"])
    told = found["enumeration"]
    _, tests = zip(*(enumerated(small, seed) for seed in (0, 1)), strict=True)
    mean = np.mean(tests, axis=0)
    costs = small.hypergraph.cost_rows(all_selections(3))
    for budget, best in zip(BUDGETS, told["best in hindsight"], strict=True):
        assert best["cost"] <= budget
        assert np.mean(best["f1"]) == pytest.approx(
            mean[costs <= budget].max(), abs=1e-4
        )
    assert np.shape(told["chosen on validation rows"]) == (len(BUDGETS), 2)
    assert np.shape(found["methods"]["static_prefix"]["f1"]) == (len(BUDGETS), 2)


def test_a_selection_of_tests_is_fitted_on_all_columns_that_encode_it():
    heart = make_heart()
    validation, test = enumerated(heart, 0)
    assert len(validation) == len(test) == 8192
    # Nobody tested: one answer for all, which is to call everybody ill.
    share = np.mean(heart.y == "ill")
    assert test[0] == pytest.approx(2 * share / (1 + share), abs=0.01)
    assert test[-1] > 0.7
