"""Whatever a hypergraph is given, it is made, or refused with a sentence."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from solvers import FeatureHypergraph
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.strategies import hypergraphs

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.just(10**400),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=2),
    st.just(float),
)
ROWS = st.lists(st.lists(ODD, max_size=3), max_size=3)
DENSE = st.tuples(st.integers(0, 3), st.integers(0, 3)).flatmap(
    lambda shape: st.lists(
        st.sampled_from([0, 1, True, 2, -1, 0.5, float("nan"), 1.0]),
        min_size=shape[0] * shape[1],
        max_size=shape[0] * shape[1],
    ).map(lambda cells: np.array(cells, dtype=float).reshape(shape))
)
INCIDENCES = st.one_of(ROWS, ODD, DENSE, DENSE.map(sparse.csr_array))
COSTS = st.one_of(
    st.lists(ODD, max_size=3),
    st.lists(st.floats(), max_size=3),
    ODD,
    st.lists(st.lists(st.floats(), max_size=2), max_size=2),
)
NAMES = st.one_of(st.none(), st.lists(st.text(max_size=2), max_size=3), st.just("ab"))
KINDS = st.one_of(st.none(), st.lists(st.sampled_from(["generation", "x"]), max_size=3))
SELECTIONS = st.one_of(
    st.lists(ODD, max_size=4),
    st.lists(st.booleans(), max_size=8),
    st.lists(st.integers(-9, 9), max_size=4),
    ODD,
)


def is_made_or_refused(call):
    sentence = refusal(call)
    assert sentence is None or is_one_sentence(sentence)


@settings(max_examples=50)
@given(INCIDENCES, COSTS, NAMES, NAMES, KINDS)
def test_any_parts_make_a_hypergraph_or_are_refused(
    incidence, costs, features, components, kinds
):
    is_made_or_refused(
        lambda: FeatureHypergraph(incidence, costs, features, components, kinds)
    )


@settings(max_examples=50)
@given(COSTS, NAMES)
def test_any_costs_make_independent_features_or_are_refused(costs, names):
    is_made_or_refused(lambda: FeatureHypergraph.independent(costs, names))


@settings(max_examples=50)
@given(hypergraphs(), SELECTIONS, SELECTIONS)
def test_any_selection_has_a_cost_or_is_refused(hypergraph, features, computed):
    is_made_or_refused(lambda: hypergraph.cost(features, computed))
    is_made_or_refused(lambda: hypergraph.restrict(features))
    is_made_or_refused(lambda: hypergraph.remove(features=features))


@settings(max_examples=50)
@given(hypergraphs(), ODD, ODD, ODD)
def test_any_edit_gives_a_hypergraph_or_is_refused(hypergraph, first, second, third):
    is_made_or_refused(lambda: hypergraph.set_cost(first, second))
    is_made_or_refused(lambda: hypergraph.connect(first, second))
    is_made_or_refused(lambda: hypergraph.disconnect(first, second))
    is_made_or_refused(lambda: hypergraph.add_component(str(first), second, [third]))
