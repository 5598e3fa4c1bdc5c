"""What the stages say of rows, pooled, capped and cut into rounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification

from solvers import FeatureHypergraph
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.papers.cascades import CascadeRows
from tests.papers.cascades.drawn_rows import random_rows

PRICES = FeatureHypergraph.independent([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])


def table(n_classes=2, seed=1):
    return make_classification(
        160,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        flip_y=0.1,
        random_state=seed,
    )


@pytest.fixture(scope="module", params=[2, 4])
def told(request):
    X, y = table(request.param)
    model = TEFEClassifier(PRICES).fit(X[:100], y[:100])
    return model, CascadeRows.of(model, X[100:], y[100:]), X[100:], y[100:]


@pytest.mark.parametrize("threshold", [-np.inf, 0.0, 0.4, 1.0, np.inf])
def test_rows_leave_where_the_cascade_lets_them(told, threshold):
    model, rows, X, _ = told
    stages = model.set_params(threshold=threshold).exit_stages(X)
    assert rows.exits(threshold).tolist() == stages.tolist()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([-np.inf, 0.0, 2.0, 3.5, 5.0, np.inf]))
def test_the_curve_tells_cost_and_accuracy_of_the_exits(seed, threshold):
    rows = random_rows(seed)
    exits = rows.exits(threshold)
    at = rows.curve.position(threshold)
    right = rows.right[np.arange(rows.n_rows), exits]
    assert rows.curve.cost[at] == pytest.approx(rows.stage_costs[exits].mean())
    assert rows.curve.accuracy[at] == pytest.approx(right.mean())


def test_stages_used_for_all_are_the_static_prefixes(told):
    model, rows, X, y = told
    X_all, y_all = table(len(model.classes_))
    prefixes = StaticPrefixClassifier(PRICES).path(X_all[:100], y_all[:100])
    assert [prefix.score(X, y) for prefix in prefixes] == pytest.approx(
        rows.prefix_accuracy.tolist()
    )


@pytest.mark.parametrize("cap", [0.0, 1.0, 2.9, 6.0, 100.0])
def test_a_capped_cascade_is_the_one_with_that_time_cap(told, cap):
    model, rows, X, _ = told
    capped = rows.capped(cap)
    paid = max(cap, 1.0)  # the first stage always runs
    model = TEFEClassifier.set_params(model, threshold=0.5, time_cap=paid)
    assert capped.exits(0.5).tolist() == model.exit_stages(X).tolist()
    model.set_params(time_cap=None)


def test_pooled_rows_are_those_of_all_parts():
    parts = [random_rows(seed) for seed in (1, 2)]
    parts[1] = CascadeRows(
        parts[1].confidences,
        parts[1].called,
        parts[1].truth,
        parts[0].stage_costs,
        3,
    )
    pooled = CascadeRows.pooled(parts)
    assert pooled.n_rows == 60
    assert pooled.exits(2.0).tolist() == [
        *parts[0].exits(2.0).tolist(),
        *parts[1].exits(2.0).tolist(),
    ]
