"""What the stages say of rows: pooled, capped, in rounds, beside prefixes and lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification

from solvers import FeatureHypergraph
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.numerics.exit_curve import ExitCurve
from solvers.papers.cascades import (
    CascadeRows,
    compare_with_prefix,
    linearity,
    rounds_of,
)
from solvers.papers.cascades.rows import PrefixComparison, round_ends
from tests.each import each
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


@settings(max_examples=25, deadline=None)
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


def test_a_budget_below_the_first_stage_is_left_out():
    rows = CascadeRows(
        np.zeros((4, 2)),
        np.zeros((4, 2), int),
        np.zeros(4, int),
        np.array([5.0, 10.0]),
        2,
    )
    assert [row.share for row in compare_with_prefix(rows, rows)] == [0.6, 0.8, 1.0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_on_the_rows_of_the_choice_both_keep_within_the_budget(seed):
    rows = random_rows(seed)
    for row in compare_with_prefix(rows, rows):
        assert row.cascade_cost <= row.budget * (1 + 1e-6)
        assert row.prefix_cost <= row.budget * (1 + 1e-6)


def test_the_best_prefix_within_a_budget_is_found():
    right = np.array([[1, 0, 1], [0, 1, 1], [0, 1, 1], [0, 1, 0]])
    rows = CascadeRows(
        np.full((4, 3), -np.inf), right, np.ones(4, int), np.array([1.0, 2.0, 4.0]), 2
    )
    found = {row.share: row.prefix for row in compare_with_prefix(rows, rows)}
    assert (found[0.3], found[0.6], found[1.0]) == (0.25, 0.75, 0.75)


@each(
    ("cascade", "error", "ahead"),
    [(0.9, 0.01, "cascade"), (0.7, 0.01, "prefix"), (0.81, 0.01, "level")],
)
def test_only_a_difference_beyond_noise_is_told(cascade, error, ahead):
    row = PrefixComparison(0.1, 1.0, cascade, 0.8, 1.0, 1.0, error)
    assert row.ahead == ahead


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 8), st.floats(-1, 7))
def test_every_row_leaves_in_exactly_one_round(seed, n_stages, threshold):
    rows = random_rows(seed, n_stages=n_stages)
    rounds = rounds_of(rows, threshold)
    left = [i for found in rounds for i in (*found.right_rows, *found.wrong_rows)]
    assert sorted(left) == list(range(rows.n_rows))
    assert rounds[0].first == 1
    assert rounds[-1].last == n_stages


def test_rounds_of_the_papers_cascade_are_those_of_its_table():
    assert round_ends(28) == (11, 27, 28)


def test_a_round_names_its_stages():
    rounds = rounds_of(random_rows(0, n_stages=28), 3.0)
    assert [found.title for found in rounds] == [
        "stages 1 to 11",
        "stages 12 to 27",
        "stage 28",
    ]


def curve_of(confidences):
    n_rows, n_stages = confidences.shape
    called = np.zeros((n_rows, n_stages), int)
    return ExitCurve.from_stages(
        confidences, called, np.zeros(n_rows, int), np.arange(1.0, n_stages + 1)
    )


def test_cost_is_straight_where_confidences_are_uniform():
    even = np.linspace(0, 1, 2001)[:, np.newaxis]
    line = linearity(curve_of(np.hstack([even, even])))
    assert line.r2 > 0.9999
    assert line.largest_deviation < 1e-3
    assert line.slope == pytest.approx(1.0, rel=1e-2)


def test_cost_is_not_straight_where_confidences_have_a_long_tail():
    rng = np.random.default_rng(0)
    tail = np.exp(3 * rng.standard_normal((500, 2)))
    assert linearity(curve_of(tail)).r2 < 0.8


def test_a_cascade_of_one_stage_is_straight():
    line = linearity(curve_of(np.ones((5, 1))))
    assert (line.r2, line.largest_deviation) == (1.0, 0.0)
