"""One rule of what keeps within a budget, and everybody who asks keeps to it.

Features at .1, .2 and .4 cost .7000000000000001 together; a budget of .7 buys them.
"""

import ast
from decimal import Decimal
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import (
    ComponentPrices,
    Dataset,
    FeatureHypergraph,
    Frontier,
    FrontierPoint,
    all_methods,
)
from solvers.bayes import BayesianClassifier, score_affordable_subsets, trim
from solvers.certify import certified_frontier, checker, near_optimal
from solvers.costs.budgets import ROUNDING, room_of
from solvers.datasets.base import within_limits
from solvers.frontier.bands import Band, compare_bands, step_scores
from solvers.frontier.budgeted import best_within_budget
from solvers.methods.dag.states import prefix_within
from solvers.papers.cascades.figure import Series, at_cost, within_cost
from solvers.papers.cascades.rows import CascadeRows, compare_with_prefix
from tests.bayes.worlds import naive_network, named
from tests.each import each

PRICES, BUDGET = (0.1, 0.2, 0.4), 0.7
DECIMALS = [Decimal(text) for text in ("0.1", "0.2", "0.4", "0.3")]
SUMS = sorted({sum(some) for n in range(1, 5) for some in combinations(DECIMALS, n)})
NETWORK = naive_network(np.random.default_rng(0), 4)
METHODS = all_methods()
LIMITED = {
    name: knob
    for name, method in METHODS.items()
    for knob in sorted({"budget", "time_cap"} & set(method.knobs))
}


@cache
def table():
    """Four features of which three, at the prices above, are the label's sum."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 4))
    y = X @ [1.0, 1.0, 1.0, 0.0] + 0.1 * rng.standard_normal(300) > 0
    return X, y.astype(int), FeatureHypergraph.independent([*PRICES, 5.0])


def point(cost, score):
    """A model that costs this everywhere, of money too, and scores that on all rows."""
    charged = dict.fromkeys(("mean", "p95", "max"), cost)
    scores = {split: {"f1": score} for split in ("validation", "test")}
    return FrontierPoint(
        "m",
        {},
        np.array([True]),
        1,
        1,
        charged,
        scores,
        0.1,
        validation_prices={"money": charged},
    )


def stages():
    """A cascade of three stages, of which each is right about one row more."""
    right = np.tril(np.ones((3, 3), dtype=int)).T
    certain = np.full((3, 3), 0.5)
    return CascadeRows(certain, right, np.ones(3, dtype=int), np.cumsum(PRICES), 2)


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=40),
    st.integers(0, 6),
    st.randoms(use_true_random=False),
)
def test_sums_of_decimals_in_any_order_fit_the_budget_that_says_their_sum(
    parts, places, random
):
    prices = [Decimal(part).scaleb(-places) for part in parts]
    budget = float(sum(prices))
    random.shuffle(prices)
    costs = np.array([float(price) for price in prices])
    for total in (sum(costs.tolist()), costs.sum(), costs @ np.ones(len(costs))):
        assert total <= room_of(budget)


@given(st.floats(1e-9, 1e9), st.floats(2 * ROUNDING, 1.0))
def test_what_costs_noticeably_more_does_not_fit(budget, more):
    assert budget * (1 + more) > room_of(budget)


def test_a_purse_of_nothing_pays_for_nothing_but_what_is_free():
    assert 0.0 <= room_of(0.0) < 5e-324
    assert room_of(np.inf) == np.inf


@each("name", LIMITED)
def test_every_method_buys_all_that_the_budget_pays_for(name):
    X, y, prices = table()
    assert prices.cost([0, 1, 2]) > BUDGET
    model = METHODS[name](hypergraph=prices, **{LIMITED[name]: BUDGET})
    if "accounting" in model.get_params():
        model.set_params(accounting="max")  # no row may pay for another
    acquired = model.fit(X, y).acquired_features(X).any(axis=0)
    assert acquired.tolist() == [True, True, True, False]


def test_a_frontier_buys_it_whichever_way_it_is_read():
    total = sum(PRICES)
    cheap, whole = point(0.3, 0.6), point(total, 0.9)
    traced = Frontier([cheap, whole], limits={"money": BUDGET})
    assert total > BUDGET
    assert traced.best_within(BUDGET) is whole
    assert list(traced.undominated()) == [cheap, whole]
    assert step_scores(traced, [BUDGET]).tolist() == [0.9]
    one, other = (Band(np.array([0.3, total]), np.array(s)) for s in ONE_AND_OTHER)
    assert "1.000 above" in compare_bands(one, other).sentence(BUDGET, "one", "other")


ONE_AND_OTHER = ([[0.0, 1.0]] * 2, [[0.0, 0.0]] * 2)


def test_searches_of_scikit_learn_buy_it():
    found = {"mean_test_score": [0.5, 0.9], "mean_test_cost": [0.3, sum(PRICES)]}
    assert best_within_budget(BUDGET)(found) == 1


def test_a_limit_on_a_further_price_leaves_it_on_offer():
    money = ComponentPrices("money", PRICES, "CAD")
    needs_all = np.array([[1, 1], [0, 1], [0, 1]], dtype=bool)
    prices = FeatureHypergraph(needs_all, np.ones(3), prices=(money,))
    X, y, _ = table()
    offered = Dataset("own", X[:, :2], y, prices)
    assert within_limits(offered, {"money": BUDGET}) is offered


@each("budget", SUMS)
def test_exact_searches_cut_nothing_off_that_the_budget_pays_for(budget):
    """Against all sets whose decimal sum is at most the budget's, in exact numbers."""
    sets = {
        chosen
        for size in range(5)
        for chosen in combinations(range(4), size)
        if sum(DECIMALS[j] for j in chosen) <= budget
    }
    allowed, costs = float(budget), [float(price) for price in DECIMALS]
    classifier = BayesianClassifier(NETWORK, "C", "+", named(4), 0.5)
    scored = score_affordable_subsets(classifier, allowed, costs)
    assert {tuple(np.flatnonzero(mask)) for mask in scored.masks} == sets
    best = trim(classifier, allowed, costs)
    assert best.agreement == pytest.approx(scored.agreements.max(), abs=1e-12)
    X, y, _ = table()
    prices = FeatureHypergraph.independent(costs)
    asked = {"ridge": 0.01, "budget": allowed, "within": 10.0}
    near = near_optimal(X, y, prices, **asked)
    assert near.complete
    assert {tuple(np.flatnonzero(one)) for one in near.selections} == sets


def test_proofs_buy_it():
    X, y, prices = table()
    *_, proven = certified_frontier(
        X, y, prices, ridge=0.01, budgets=[BUDGET], tol=1e-6
    )
    assert proven.proven
    assert proven.features.tolist() == [True, True, True, False]
    assert checker._SLACK == ROUNDING  # it imports nothing of ours


def test_cascades_and_their_figures_buy_it():
    rows, total = stages(), float(np.cumsum(PRICES)[-1])
    assert rows.capped(BUDGET).n_stages == 3
    series = Series("s", "m", np.array([0.3, total]), np.array([0.6, 0.9]))
    assert (within_cost(series, BUDGET), at_cost(series, BUDGET)) == (0.9, 0.9)
    (row,) = compare_with_prefix(rows, rows, [BUDGET / total])
    assert row.prefix_cost == total
    everything = prefix_within(np.array([2, 1, 0]), table()[2], BUDGET)
    assert everything.tolist() == [True, True, True, False]


def test_nobody_compares_with_a_budget_but_through_its_room():
    """Checks that a budget is no negative number are no such comparison."""
    root, found = Path(__file__).parents[2], []
    files = [p for d in ("solvers", "explorer") for p in (root / d).rglob("*.py")]
    for path in files:
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "budget" in text else ():
            if isinstance(node, ast.Compare) and compares_bare(node):
                found.append(f"{path.relative_to(root)}: {ast.unparse(node)}")
    assert found == []


def compares_bare(node):
    """Whether one side is a budget or a cap, and neither its room nor a constant."""
    sides = [node.left, *node.comparators]
    if not isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return False
    if any(isinstance(s, ast.Constant) or "room_of" in ast.unparse(s) for s in sides):
        return False
    names = [getattr(s, "attr", getattr(s, "id", "")).lower() for s in sides]
    return any(name.split("_")[-1] in ("budget", "cap") for name in names)
