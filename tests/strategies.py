"""Random hypergraphs for property tests."""

import dataclasses

import numpy as np
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.features.pipeline import FeaturePipeline, Step


@st.composite
def hypergraphs(draw, max_features=6, max_components=7):
    """A hypergraph whose every feature needs a component; some may stand empty."""
    n_features = draw(st.integers(1, max_features))
    n_components = draw(st.integers(1, max_components))
    needs = [
        draw(st.sets(st.integers(0, n_components - 1), min_size=1))
        for _ in range(n_features)
    ]
    incidence = np.zeros((n_components, n_features), dtype=bool)
    for j, rows in enumerate(needs):
        incidence[list(rows), j] = True
    costs = draw(
        st.lists(
            st.floats(0, 100, allow_subnormal=False),
            min_size=n_components,
            max_size=n_components,
        )
    )
    return FeatureHypergraph(incidence, costs)


NAMES = st.text(min_size=1, max_size=8).filter(str.strip)


COSTS = st.floats(0, allow_nan=False, allow_infinity=False)


@st.composite
def named_hypergraphs(draw):
    """A hypergraph with any names, kinds, unit and finite costs."""
    plain = draw(hypergraphs())
    m, n = plain.n_components, plain.n_features
    kinds = st.sampled_from(["generation", "utilisation"])
    return dataclasses.replace(
        plain,
        component_costs=draw(st.lists(COSTS, min_size=m, max_size=m)),
        feature_names=draw(st.lists(NAMES, min_size=n, max_size=n, unique=True)),
        component_names=draw(st.lists(NAMES, min_size=m, max_size=m, unique=True)),
        component_kinds=draw(st.lists(kinds, min_size=m, max_size=m)),
        unit=draw(st.text(max_size=5)),
    )


@st.composite
def pipelines(draw):
    """Steps that count up from one input by needing earlier ones, and their needs."""
    n = draw(st.integers(1, 7))
    needs = [
        draw(st.lists(st.integers(0, i - 1), unique=True)) if i else []
        for i in range(n)
    ]
    calls: list[int] = []

    def step(i):
        def function(x, *before):
            calls.append(i)
            return x + i + sum(before)

        return Step(f"s{i}", function, ["x", *(f"s{k}" for k in needs[i])])

    order = draw(st.permutations(range(n)))
    pipeline = FeaturePipeline([step(i) for i in order], inputs=["x"])
    return pipeline, needs, calls


def ancestors(needs, i):
    return {i}.union(*(ancestors(needs, k) for k in needs[i]))
