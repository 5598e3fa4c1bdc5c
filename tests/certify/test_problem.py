"""Bundles and components of a problem say the same as the hypergraph."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from solvers import FeatureHypergraph
from solvers.certify.problem import (
    checked_budget,
    checked_known,
    make_problem,
)
from solvers.costs.budgets import room_of
from solvers.errors import KnobError, ThriftscopeError
from tests.certify.cases import random_instance
from tests.each import each

ROWS = np.random.default_rng(0).standard_normal((12, 4))
LABELS = np.arange(12) % 2
FOUR = FeatureHypergraph.independent(np.ones(4))


def _problem(incidence, costs, **options):
    hypergraph = FeatureHypergraph(incidence, costs)
    X = ROWS[:, : hypergraph.n_features]
    return make_problem(X, LABELS, hypergraph, 0.1, **options)


def test_columns_that_need_the_same_are_one_bundle():
    problem = _problem([[1, 1, 0], [0, 0, 1]], [1.0, 3.0])
    assert problem.bundle_of.tolist() == [0, 0, 1]
    assert problem.prices.tolist() == [0.25, 0.75]
    assert problem.unit == 4.0


def test_components_that_the_same_bundles_need_are_one():
    problem = _problem([[1, 1, 0], [1, 1, 0], [0, 0, 1]], [1.0, 2.0, 3.0])
    assert problem.n_components == 2
    assert (problem.prices * problem.unit).tolist() == [3.0, 3.0]
    assert [member.tolist() for member in problem.members] == [[0, 1], [2]]


def test_components_that_cost_nothing_or_serve_nobody_are_left_out():
    problem = _problem([[1, 0], [0, 1], [0, 0]], [2.0, 0.0, 5.0])
    assert problem.n_components == 1
    assert problem.available(np.zeros(1, dtype=bool)).tolist() == [False, True]


def test_columns_are_in_units_of_their_spread_about_their_mean():
    problem = _problem(np.eye(4), np.ones(4))
    assert problem.table.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert problem.table.std(axis=0) == pytest.approx(np.ones(4))


def test_what_needs_something_forbidden_is_no_column():
    problem = _problem([[1, 1, 0], [0, 1, 1]], [1.0, 3.0], without=["c0"])
    assert problem.columns.tolist() == [2]
    assert problem.without == (0,)


@each("seed", range(4))
def test_a_price_is_the_hypergraph_s_in_shares_of_everything(seed):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    costs = instance.hypergraph.component_costs
    for chosen, features in instance.selections().items():
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        bundles = problem.bundles_within(mask)
        assert (problem.features(bundles) == mask).all()
        spent = problem.cost(problem.used(bundles)) * problem.unit
        assert spent == pytest.approx(costs[list(chosen)].sum())


@each("seed", range(4))
def test_a_bundle_is_live_where_the_rest_of_the_budget_pays_what_it_lacks(seed):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    rng = np.random.default_rng(seed)
    inside = rng.random(problem.n_components) < 0.3
    outside = ~inside & (rng.random(problem.n_components) < 0.3)
    budget = 0.6
    live = problem.live(inside, outside, budget)
    for bundle in range(problem.n_bundles):
        needed = problem.needs[bundle]
        fits = problem.cost(needed | inside) <= room_of(budget)
        assert live[bundle] == (fits and not (needed & outside).any())


def test_budgets_come_in_rising_order_each_once():
    assert checked_budget([3, 1.0, 3.0]) == [1.0, 3.0]


@each(
    ("call", "sentence"),
    [
        (lambda: checked_budget([]), "budgets is empty; give at least one"),
        (lambda: checked_budget([-1.0]), "A budget is -1; it is 0 or more."),
        (lambda: checked_budget(3), "budgets is 3; give a list of numbers, or None"),
        (lambda: checked_budget("abc"), "budgets is 'abc'; give a list of numbers"),
        (lambda: checked_budget(["1"]), "A budget is '1'; give a number."),
        (lambda: checked_budget(b"12"), "budgets is b'12'; give a list of numbers"),
        (lambda: checked_known(3, FOUR), "known is 3; give a list of selections"),
        (lambda: checked_known(None, FOUR), "known is None; give a list of selections"),
        (lambda: checked_known("x0", FOUR), "known is 'x0'; give a list of selections"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(call, sentence):
    with pytest.raises(KnobError) as refusal:
        call()
    assert sentence in str(refusal.value)


DATES = pd.DataFrame(dict.fromkeys("abcd", pd.date_range("2020", periods=12)))


@each(
    ("changes", "sentence"),
    [
        ({"X": "a"}, "X holds what is no real number (could not convert string to"),
        ({"X": ROWS + 1j}, "X holds what is no real number (its type is complex128)"),
        ({"X": DATES}, "X holds what is no real number"),
        ({"X": DATES.to_numpy(dtype="datetime64[s]")}, "X holds what is no real"),
        ({"X": [[1, 2], [3]]}, "X holds what is no real number (setting an array"),
        ({"X": sparse.csr_array(ROWS)}, "sparse, of shape (12, 4); give X.toarray()."),
        ({"y": np.where(LABELS, np.nan, 1.0)}, "no classes (one is NaN); give each"),
        ({"y": np.arange(12) % 3}, "y has 3 classes, and what is proved is of two"),
        ({"y": np.array(["a", 1] * 6, dtype=object)}, "y holds labels that make no"),
        ({"y": np.array([None, 1] * 6)}, "y holds labels that make no classes"),
        ({"y": pd.Series([True, None] * 6, dtype="boolean")}, "make no classes"),
        ({"hypergraph": None}, "hypergraph is a NoneType; give a FeatureHypergraph"),
        ({"hypergraph": np.eye(4)}, "hypergraph is a ndarray; give a Feature"),
        ({"sample_weight": "a"}, "sample_weight holds what is no real number"),
        ({"sample_weight": [[1], [1, 2]]}, "sample_weight holds what is no real"),
        ({"sample_weight": np.ones(12) + 1j}, "sample_weight holds what is no real"),
    ],
)
def test_rows_that_make_no_sense_are_refused_in_a_sentence(changes, sentence):
    given = {"X": ROWS, "y": LABELS, "hypergraph": FOUR, "ridge": 0.1}
    with pytest.raises(ThriftscopeError) as refusal:
        make_problem(**given | changes)
    assert sentence in str(refusal.value)
    assert ". " not in str(refusal.value)


@each(
    "X",
    [
        ROWS.tolist(),
        pd.DataFrame(ROWS, columns=list("abcd")),
        pd.DataFrame(ROWS).astype(object),
        pd.DataFrame(ROWS).astype("Float64"),
    ],
)
def test_a_frame_or_a_list_is_a_table(X):
    problem = make_problem(X, pd.Series(LABELS), FOUR, 0.1)
    plain = make_problem(ROWS, LABELS, FOUR, 0.1)
    assert problem.table == pytest.approx(plain.table)


def test_columns_are_taken_by_name_in_any_order():
    named = FeatureHypergraph.independent([1, 1000, 3, 2], ["blood", "scan", "a", "b"])
    want = make_problem(ROWS, LABELS, named, 0.1)
    frame = pd.DataFrame(ROWS, columns=named.features)[["b", "scan", "blood", "a"]]
    found = make_problem(frame, LABELS, named, 0.1)
    assert found.table == pytest.approx(want.table, rel=1e-12)
    with pytest.raises(ThriftscopeError, match="X has no 'scan', which the hypergraph"):
        make_problem(frame.drop(columns="scan"), LABELS, named, 0.1)
