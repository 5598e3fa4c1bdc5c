"""What components charge, beside differences, grids and the hypergraph itself."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from explorer.pages.frontier.choices import FrontierChoices
from explorer.pages.frontier.controls import PENALTY_TITLES
from solvers import FeatureHypergraph
from solvers.errors import KnobError
from solvers.methods.acafh import ACAFHClassifier, penalties
from solvers.methods.acafh.penalties import (
    Lp,
    Mcp,
    Scad,
    SharedPenalty,
    Sharing,
    component_penalty,
)
from tests.each import each
from tests.strategies import hypergraphs

SHAPES = [Lp(0.5), Lp(0.8), Lp(1.0), Mcp(3.0), Scad(2.5)]
every_shape = each("shape", SHAPES, ids=str)
# Away from where MCP and SCAD turn, at 1, 2.5 and 3.
LOADS = np.array([0.2, 0.6, 1.3, 2.2, 2.8, 4.0])


@every_shape
def test_a_penalty_is_0_at_0_rises_and_bends_down(shape):
    values = shape.value(np.linspace(0, 6, 601))
    assert values[0] == 0
    assert (np.diff(values) >= -1e-12).all()
    assert (np.diff(values, 2) <= 1e-12).all()


@every_shape
def test_slope_and_bend_are_differences(shape):
    step = 1e-5
    rise = (shape.value(LOADS + step) - shape.value(LOADS - step)) / (2 * step)
    assert shape.slope(LOADS) == pytest.approx(rise, abs=1e-8)
    bend = (shape.slope(LOADS + step) - shape.slope(LOADS - step)) / (2 * step)
    assert shape.second_derivative(LOADS) == pytest.approx(bend, abs=1e-5)


@every_shape
@given(a=st.floats(-2, 8), t=st.floats(0.01, 4))
@settings(max_examples=25)
def test_no_load_on_a_grid_is_better_than_the_prox(shape, a, t):
    def total(m):
        return (m - a) ** 2 / 2 + t * shape.value(m)

    found = shape.prox(np.array([a]), np.array([t]))
    assert total(found)[0] <= total(np.linspace(0, 10, 20_001)).min() + 1e-9


def test_only_a_linear_penalty_lets_a_zero_go_at_a_finite_slope():
    at_zero = np.zeros(1)
    assert Lp(1.0).slope(at_zero)[0] == 1.0
    assert Lp(0.99).slope(at_zero)[0] >= 1e100
    assert Mcp(3.0).slope(at_zero)[0] == Scad(3.0).slope(at_zero)[0] == 1.0


def test_penalties_go_by_their_names():
    assert component_penalty("lp", 0.3, 4.0) == Lp(0.3)
    assert component_penalty("mcp", 0.3, 4.0) == Mcp(4.0)
    assert component_penalty("scad", 0.3, 4.0) == Scad(4.0)
    with pytest.raises(KnobError, match="penalty is 'l0'; Penalty is one of"):
        ACAFHClassifier(penalty="l0").fit([[0.0], [1.0]], [0, 1])


@given(hypergraphs(), st.integers(0, 99), st.booleans())
@settings(max_examples=25)
def test_a_shared_penalty_sums_over_the_components_of_the_hypergraph(
    hypergraph, seed, decompose
):
    weights = np.random.default_rng(seed).exponential(1.0, hypergraph.n_features)
    loads = hypergraph.incidence.toarray() @ weights
    wanted = 0.7 * hypergraph.component_costs @ np.sqrt(loads)
    shared = SharedPenalty(0.7, Lp(0.5), Sharing(hypergraph, decompose))
    assert shared.value(weights) == pytest.approx(wanted, rel=1e-9)


@given(hypergraphs(), st.integers(0, 99))
@settings(max_examples=25)
def test_a_support_costs_what_the_hypergraph_says(hypergraph, seed):
    support = np.random.default_rng(seed).random(hypergraph.n_features) < 0.5
    assert Sharing(hypergraph).cost(support) == pytest.approx(hypergraph.cost(support))


def _sharing(seed=0, n_features=5):
    rng = np.random.default_rng(seed)
    incidence = np.vstack([rng.random((4, n_features)) < 0.5, np.eye(n_features)])
    return Sharing(FeatureHypergraph(incidence, rng.uniform(0.5, 2.0, len(incidence))))


@every_shape
def test_slopes_and_bends_of_all_weights_are_differences(shape):
    shared = SharedPenalty(0.3, shape, _sharing())
    weights = np.array([0.21, 0.55, 0.37, 0.83, 0.48])
    slopes = approx_fprime(weights, shared.value, 1e-7)
    assert shared.slopes(weights) == pytest.approx(slopes, abs=1e-5)
    index = np.array([3, 1])
    bends = approx_fprime(weights, shared.slopes, 1e-7)[np.ix_(index, index)]
    assert shared.second_derivative(weights, index) == pytest.approx(bends, abs=1e-5)


def test_without_a_trade_off_nothing_is_charged_even_at_zero():
    shared = SharedPenalty(0.0, Lp(0.5), _sharing())
    assert (shared.slopes(np.zeros(5)) == 0).all()
    assert shared.second_derivative(np.ones(5), np.arange(5)) is None


def test_a_feature_s_price_is_that_of_buying_it_alone():
    incidence = np.array([[1, 1, 0], [1, 0, 1], [0, 0, 1]])
    hypergraph = FeatureHypergraph(incidence, [2.0, 3.0, 0.0])
    alone = [hypergraph.cost([j]) for j in range(3)]
    assert Sharing(hypergraph).prices == pytest.approx(alone)


def test_sparse_incidences_give_what_dense_ones_do(monkeypatch):
    dense = _sharing(3)
    monkeypatch.setattr(penalties, "_DENSE_ENTRIES", 0)
    sparse = _sharing(3)
    few, weights = np.array([4, 0]), np.arange(5.0)
    needed = dense.needed(few)
    assert sparse.needed(few).tolist() == needed.tolist()
    assert (sparse.rows_of(few) == dense.rows_of(few)).all()
    assert (sparse.rows_of(few, needed) == dense.rows_of(few, needed)).all()
    assert sparse.loads(weights) == pytest.approx(dense.loads(weights))


def test_where_nothing_has_a_price_nothing_is_charged():
    free = Sharing(FeatureHypergraph(np.eye(3), np.zeros(3)))
    assert free.cost(np.ones(3, dtype=bool)) == 0
    assert SharedPenalty(1.0, Lp(0.5), free).value(np.ones(3)) == 0
    assert free.prices.tolist() == [0, 0, 0]


def test_a_penalty_is_made_by_its_name_of_what_it_has_of_p_and_gamma(monkeypatch):
    @dataclass(frozen=True)
    class BothPenalty(Mcp):
        title = "Both"
        p: float

    monkeypatch.setitem(penalties.PENALTIES, "both", BothPenalty)
    assert component_penalty("both", 0.5, 3) == BothPenalty(3.0, 0.5)
    assert component_penalty("lp", 0.5, 3) == Lp(0.5)


def test_the_knob_and_the_menu_offer_every_penalty():
    names = list(penalties.PENALTIES)
    assert list(ACAFHClassifier.knobs["penalty"].options) == names
    assert FrontierChoices.param.penalty.objects == names
    assert list(PENALTY_TITLES.values()) == names
