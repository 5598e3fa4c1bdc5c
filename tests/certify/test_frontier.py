"""Floors are floors: against brute force, at every moment, on awkward data too."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.certify import certified_frontier, check_certificate, near_optimal
from solvers.errors import ThriftscopeError
from tests.certify.cases import Instance, random_instance
from tests.each import each

ROUNDING = 1e-6
SHARES = (0.0, 0.25, 0.5, 0.8)


def last_of_each(stream):
    return list({one.budget: one for one in stream}.values())


def hold_bounds_at_every_moment(case, tol):
    total = case.hypergraph.total_cost
    truth = {share * total: case.best(share * total) for share in SHARES}
    last = {}
    for one in certified_frontier(
        *case.arguments, ridge=case.ridge, budgets=truth, tol=tol
    ):
        least = truth[one.budget]
        assert one.lower <= least + ROUNDING
        assert least <= one.upper + ROUNDING
        features = tuple(np.flatnonzero(one.features))
        assert case.hypergraph.cost(one.features) <= one.budget * (1 + 1e-9)
        assert case.objective(features) == pytest.approx(one.upper, abs=ROUNDING)
        before = last.get(one.budget)
        assert before is None or one.gap <= before.gap + 1e-9
        last[one.budget] = one
    for one in last.values():
        assert one.proven
        assert one.upper - truth[one.budget] <= tol * case.range + ROUNDING


@each("seed", range(3))
def test_bounds_hold_against_brute_force_at_every_moment(seed):
    hold_bounds_at_every_moment(random_instance(seed), tol=1e-3)


def test_a_search_that_is_cut_short_claims_no_more_than_it_proved():
    case = random_instance(3, n_features=9, n_components=9)
    budget = 0.4 * case.hypergraph.total_cost
    truth = case.best(budget)
    for one in certified_frontier(
        *case.arguments, ridge=case.ridge, budgets=[budget], tol=1e-6, seconds=0.0
    ):
        assert one.lower <= truth + ROUNDING
        assert one.proven == (one.gap <= 1e-6)


def test_the_relaxation_is_that_of_cvxpy():
    cp = pytest.importorskip("cvxpy")
    from solvers.certify.problem import make_problem
    from solvers.certify.tree import Node, Tools, bounded

    case = random_instance(4)
    X, y, hypergraph = case.arguments
    budget = 0.4
    problem = make_problem(X, y, hypergraph, case.ridge)
    node, none = Node.of_all(problem), np.zeros(problem.n_components, dtype=bool)
    tools = Tools.of(problem)
    for _ in range(8):
        bounded(tools, node, budget, lambda: np.inf, np.inf)
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    z, u = cp.Variable(X.shape[1]), cp.Variable(problem.n_components)
    signs = np.where(y == 1, 1.0, -1.0)
    loss = cp.sum(cp.logistic(-cp.multiply(signs, case.table @ w + b))) / len(y)
    ridge = sum(cp.quad_over_lin(w[j], z[j]) for j in range(X.shape[1]))
    live = problem.live(none, none, budget)
    rules = [u >= 0, u <= 1, z <= 1, problem.prices @ u <= budget]
    for place, column in enumerate(problem.columns):
        bundle = problem.bundle_of[place]
        if not live[bundle]:
            rules.append(w[column] == 0)
        rules += [z[column] <= u[c] for c in np.flatnonzero(problem.needs[bundle])]
    relaxed = cp.Problem(cp.Minimize(loss + case.ridge / 2 * ridge), rules)
    relaxed.solve(solver="CLARABEL")
    assert node.bound <= relaxed.value + 1e-6
    assert node.bound == pytest.approx(relaxed.value, abs=2e-4 * case.range)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10_000),
    units=st.lists(st.sampled_from([1e-6, 0.1, 1.0, 1e7]), min_size=5, max_size=5),
    price=st.sampled_from([1e-6, 1.0, 1e8]),
)
def test_units_of_columns_and_of_costs_change_nothing(seed, units, price):
    case = random_instance(seed, n_features=5, n_components=5, n=40)
    budget = 0.5 * case.hypergraph.total_cost
    truth = case.best(budget)
    scaled = FeatureHypergraph(
        case.hypergraph.incidence, case.hypergraph.component_costs * price
    )
    X = case.X * np.array(units) + np.array(units)
    (one,) = last_of_each(
        certified_frontier(
            X, case.y, scaled, ridge=case.ridge, budgets=[budget * price], tol=1e-4
        )
    )
    assert one.proven
    assert one.lower <= truth + ROUNDING
    assert truth <= one.upper + ROUNDING
    assert one.upper - one.lower <= 1e-4 * case.range + ROUNDING


def test_separable_classes_and_copied_columns_have_floors_too():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 5))
    X = np.column_stack([X, X[:, 0], np.ones(40)])
    y = (X[:, 0] > 0).astype(int)
    hypergraph = FeatureHypergraph(np.eye(7), [3.0, 1, 0, 1, 1, 2, 1])
    hold_bounds_at_every_moment(Instance(X, y, hypergraph, 1e-3), tol=1e-3)


def test_what_costs_nothing_is_always_bought():
    case = random_instance(1)
    free = FeatureHypergraph(
        case.hypergraph.incidence, np.zeros(case.hypergraph.n_components)
    )
    (one,) = last_of_each(
        certified_frontier(case.X, case.y, free, ridge=case.ridge, budgets=[0.0])
    )
    assert one.features.all()
    assert one.proven


def test_what_is_ruled_out_is_not_bought_and_its_floor_is_its_own():
    case = random_instance(2)
    total = case.hypergraph.total_cost
    every = list(certified_frontier(*case.arguments, ridge=case.ridge, budgets=[total]))
    for component in (0, 3):
        (one,) = last_of_each(
            certified_frontier(
                *case.arguments,
                ridge=case.ridge,
                budgets=[0.6 * total],
                without=[component],
                tol=1e-4,
            )
        )
        needed = case.hypergraph.required_components(one.features)
        assert not needed[component]
        truth = case.best(0.6 * total, without=(component,))
        assert one.lower - ROUNDING <= truth <= one.upper + ROUNDING
        assert one.lower >= every[-1].lower - ROUNDING
        assert (
            check_certificate(one.certificate, *case.arguments)
            >= one.certificate.lower - ROUNDING
        )


def test_known_selections_are_never_better_than_what_is_reported():
    case = random_instance(5)
    budget = 0.5 * case.hypergraph.total_cost
    known = np.zeros(case.hypergraph.n_features, dtype=bool)
    known[np.argmin(case.hypergraph.marginal_costs())] = True
    stream = certified_frontier(
        *case.arguments, ridge=case.ridge, budgets=[budget], known=[known], seconds=0
    )
    given = case.objective(tuple(np.flatnonzero(known)))
    assert all(one.upper <= given + ROUNDING for one in stream)


@each(
    ("change", "named"),
    [
        ({"ridge": 0.0}, "ridge"),
        ({"tol": -1.0}, "tol"),
        ({"seconds": float("nan")}, "seconds"),
        ({"budgets": [-1.0]}, "budget"),
        ({"budgets": []}, "budgets"),
        ({"without": ["nothing"]}, "component"),
    ],
)
def test_bad_arguments_are_refused_before_anything_runs(change, named):
    case = random_instance(0)
    with pytest.raises(ThriftscopeError, match=named):
        certified_frontier(*case.arguments, **{"ridge": 0.1, **change})


def test_a_table_that_does_not_match_is_refused():
    case = random_instance(0)
    with pytest.raises(ThriftscopeError, match="one column"):
        certified_frontier(case.X[:, 1:], case.y, case.hypergraph, ridge=0.1)
    with pytest.raises(ThriftscopeError, match="classes"):
        certified_frontier(case.X, 0 * case.y, case.hypergraph, ridge=0.1)


@each("budget", [1e-6, 2.5e-6, 3.0, 4e5])
def test_cheap_components_are_not_thrown_in_where_others_are_dear(budget):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 5))
    y = X.sum(axis=1) + rng.standard_normal(40) > 0
    hypergraph = FeatureHypergraph.independent([1e-6, 2e-6, 2e-6, 3.0, 1e6])
    room = budget * (1 + 1e-9)
    *_, found = certified_frontier(X, y, hypergraph, ridge=0.1, budgets=[budget])
    assert hypergraph.cost(found.features) <= room
    listed = near_optimal(X, y, hypergraph, ridge=0.1, budget=budget, within=0.3)
    assert 0.0 < listed.costs.max() <= room
    floor = check_certificate(found.certificate, X, y, hypergraph)
    assert found.lower - ROUNDING <= floor <= found.upper + ROUNDING
