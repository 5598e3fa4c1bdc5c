"""The hypergraph charges each component once, and is never changed in place."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from solvers import FeatureHypergraph
from solvers.errors import DataError, HypergraphError
from tests.each import each
from tests.strategies import hypergraphs


@pytest.fixture
def tiny():
    """Three features, two components: fft (3) is shared, mean (.5) is not."""
    return FeatureHypergraph(
        [[1, 1, 0], [0, 0, 1]], [3.0, 0.5], ("peak", "centroid", "mean"), ("fft", "avg")
    )


def test_shared_component_is_charged_once(tiny):
    assert tiny.cost(["peak"]) == tiny.cost(["peak", "centroid"]) == 3.0
    assert tiny.cost([0, 1, 2]) == tiny.total_cost == 3.5


def test_computed_components_are_free(tiny):
    assert tiny.cost(["peak", "mean"], computed=["fft"]) == 0.5
    assert tiny.marginal_costs().tolist() == [3.0, 3.0, 0.5]
    assert tiny.marginal_costs(computed=["fft"]).tolist() == [0.0, 0.0, 0.5]


def test_mask_indices_and_names_select_the_same(tiny):
    by_name = tiny.required_components(["mean"])
    assert by_name.tolist() == tiny.required_components([2]).tolist() == [False, True]
    assert by_name.tolist() == tiny.required_components([False, False, True]).tolist()


def test_names_count_up_by_default():
    plain = FeatureHypergraph([[1, 1]], [1.0])
    assert plain.feature_names == ("x0", "x1")
    assert plain.component_names == ("c0",)
    assert plain.component_kinds == ("generation",)


def test_independent_features_share_nothing():
    alone = FeatureHypergraph.independent([1, 2, 3], unit="ms")
    assert alone.cost([0, 2]) == 4.0
    assert len(set(alone.connected_components()[1])) == 3


def test_clones_share_the_hypergraph(tiny):
    assert clone(tiny) is tiny


def test_parts_cannot_be_written(tiny):
    with pytest.raises(ValueError, match="read-only"):
        tiny.component_costs[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        tiny.incidence.data[0] = False


@given(hypergraphs(), st.data())
def test_cost_is_the_sum_over_the_union(hypergraph, data):
    n = hypergraph.n_features
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    dense = hypergraph.incidence.toarray()
    union = {i for i in range(len(dense)) for j in np.flatnonzero(mask) if dense[i, j]}
    expected = sum(hypergraph.component_costs[i] for i in union)
    assert hypergraph.cost(mask) == pytest.approx(expected)
    assert hypergraph.cost_rows(mask[None])[0] == pytest.approx(expected)


@given(hypergraphs(), st.data())
def test_marginal_cost_is_the_increment(hypergraph, data):
    n = hypergraph.n_features
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    paid = hypergraph.required_components(mask)
    marginal = hypergraph.marginal_costs(computed=paid)
    for j in range(n):
        grown = mask.copy()
        grown[j] = True
        increment = hypergraph.cost(grown) - hypergraph.cost(mask)
        assert marginal[j] == pytest.approx(increment, abs=1e-9)


@given(hypergraphs())
def test_costs_add_up_over_blocks(hypergraph):
    component_blocks, feature_blocks = hypergraph.connected_components()
    by_block = [hypergraph.cost(feature_blocks == k) for k in np.unique(feature_blocks)]
    assert sum(by_block) == pytest.approx(hypergraph.total_cost)
    rows, columns = hypergraph.incidence.nonzero()
    assert np.array_equal(component_blocks[rows], feature_blocks[columns])


@given(hypergraphs())
def test_every_edit_can_be_undone_by_keeping_the_old(hypergraph):
    before = (hypergraph.incidence.toarray(), hypergraph.component_costs.copy())
    hypergraph.add_feature("new feature", cost=1.0)
    hypergraph.add_component("new component", 2.0, [0])
    hypergraph.set_cost(0, 7.0)
    hypergraph.remove(features=[0])
    assert np.array_equal(before[0], hypergraph.incidence.toarray())
    assert np.array_equal(before[1], hypergraph.component_costs)


def test_edits(tiny):
    grown = tiny.add_feature("energy", ["fft"])
    assert grown.cost(["energy", "peak"]) == 3.0
    assert tiny.add_feature("flat").cost(["flat"]) == 0.0
    assert tiny.add_feature("priced", ["fft"], cost=2).cost(["priced"]) == 5.0
    assert tiny.add_component("load", 1.0, ["peak", "mean"]).cost(["mean"]) == 1.5
    assert tiny.rename(features={"peak": "top"}).features == ("top", "centroid", "mean")
    assert tiny.connect("mean", "fft").cost(["mean"]) == 3.5
    assert tiny.connect("mean", "fft").disconnect("mean", "fft").equals(tiny)
    assert tiny.remove(features=["mean"]).components == ("fft", "avg")
    assert tiny.restrict(["mean", "peak"]).features == ("mean", "peak")
    assert tiny.restrict(["mean"]).components == ("avg",)


@each(
    ("parts", "sentence"),
    [
        (([[1]], [-1.0]), "Component 'c0' costs -1; a cost is a finite number"),
        (
            ([[1]], [float("nan")]),
            "Component 'c0' costs nan; a cost is a finite number",
        ),
        (
            ([[1]], [float("inf")]),
            "Component 'c0' costs inf; a cost is a finite number",
        ),
        (([[1]], [1.0, 2.0]), r"1 components, but costs of shape \(2,\)"),
        (([[1, 0]], [1.0]), "Feature 'x1' needs no component; connect it to one"),
        (([[2]], [1.0]), "The incidence holds .*2.*; write 1 where"),
        (([1], [1.0]), r"The incidence has shape \(1,\); give one row"),
        (([[1, 1]], [1.0], ("a", "a")), "Two features are called 'a'"),
        (([[1, 1]], [1.0], ("a",)), "2 features, but 1 feature names"),
        (([[1, 1]], [1.0], ("a", " ")), "A feature has an empty name"),
        (([[1]], [1.0], None, None, ("odd",)), "no component kind 'odd'"),
        (([[1]], ["dear"]), "are not numbers; give one number"),
    ],
)
def test_bad_parts_are_refused_with_a_sentence(parts, sentence):
    with pytest.raises(HypergraphError, match=sentence):
        FeatureHypergraph(*parts)


@each(
    ("selection", "sentence"),
    [
        (["paek"], "no feature 'paek'; did you mean 'peak'?"),
        ([3], "no feature 3; indices run from 0 to 2"),
        ([-1], "no feature -1"),
        ([True], r"The mask has shape \(1,\), but there are 3 features"),
        ([0.5], "a boolean mask, indices or names"),
    ],
)
def test_bad_selections_are_refused_with_a_sentence(tiny, selection, sentence):
    with pytest.raises(HypergraphError, match=sentence):
        tiny.cost(selection)


def test_last_component_of_a_feature_cannot_go(tiny):
    with pytest.raises(HypergraphError, match="'mean' needs no component"):
        tiny.disconnect("mean", "avg")
    with pytest.raises(HypergraphError, match="'peak' needs no component"):
        tiny.remove(components=["fft"])


@given(hypergraphs(), st.data())
def test_marginal_costs_of_many_rows_are_those_of_each(hypergraph, data):
    shape = (4, hypergraph.n_features)
    acquired = np.array(
        data.draw(st.lists(st.booleans(), min_size=4 * shape[1], max_size=4 * shape[1]))
    ).reshape(shape)
    computed = hypergraph.required_component_rows(acquired)
    together = hypergraph.marginal_cost_rows(computed)
    for mask, row, costs in zip(acquired, computed, together, strict=True):
        assert np.array_equal(row, hypergraph.required_components(mask))
        np.testing.assert_allclose(costs, hypergraph.marginal_costs(row), rtol=1e-12)
        assert not costs[mask].any()


@each("method", ["required_component_rows", "marginal_cost_rows"])
def test_rows_of_another_width_are_refused(method):
    hypergraph = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 0.5])
    with pytest.raises(HypergraphError, match=r"shape \(2, 4\), but needs one column"):
        getattr(hypergraph, method)(np.zeros((2, 4), dtype=bool))


def test_no_rows_cost_nothing():
    hypergraph = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 0.5])
    none = np.zeros((0, 3), dtype=bool)
    assert hypergraph.required_component_rows(none).shape == (0, 2)
    assert hypergraph.marginal_cost_rows(none[:, :2]).shape == (0, 3)
    assert hypergraph.cost_rows(none).shape == (0,)


NAMED = {"peak": 3.0, "centroid": 2.0, "mean": 0.5}


@each("costs", [NAMED, pd.Series(NAMED)], ids=["mapping", "series"])
def test_costs_with_names_are_taken_by_them(costs, tiny):
    named = FeatureHypergraph.independent(costs)
    assert named.features == named.components == ("peak", "centroid", "mean")
    turned = FeatureHypergraph.independent(costs, ["mean", "peak", "centroid"])
    assert turned.component_costs.tolist() == [0.5, 3.0, 2.0]
    assert [turned.cost(name) for name in NAMED] == [*NAMED.values()]
    with pytest.raises(DataError, match="costs has no 'rms', which the hypergraph nam"):
        FeatureHypergraph.independent(costs, ["mean", "peak", "rms"])
    parts = type(costs)({"avg": 0.5, "fft": 3.0})
    of_parts = FeatureHypergraph(tiny.incidence, parts, tiny.features, ("fft", "avg"))
    assert of_parts.equals(tiny)


def test_an_incidence_with_names_is_taken_by_them(tiny):
    frame = pd.DataFrame(
        tiny.incidence.toarray(), list(tiny.components), list(tiny.features)
    )
    turned = frame.loc[["avg", "fft"], ["mean", "peak", "centroid"]]
    costs = {"fft": 3.0, "avg": 0.5}
    whole = FeatureHypergraph(turned, costs)
    assert (whole.features, whole.components) == (
        ("mean", *tiny.features[:2]),
        ("avg", "fft"),
    )
    assert [whole.cost(name) for name in tiny.features] == [3.0, 3.0, 0.5]
    by_name = FeatureHypergraph(turned, costs, tiny.features, tiny.components)
    assert by_name.equals(tiny)
    with pytest.raises(DataError, match="incidence has no 'rms', which the hypergraph"):
        FeatureHypergraph(turned, costs, ("peak", "centroid", "rms"))
    with pytest.raises(
        DataError, match="The incidence has no 'mfcc', which the hyperg"
    ):
        FeatureHypergraph(turned, [0.5, 3.0], component_names=("avg", "mfcc"))


def test_masks_and_tables_with_names_are_taken_by_them(tiny):
    chosen = pd.Series({"mean": True, "peak": False, "centroid": False})
    assert tiny.cost(chosen) == tiny.cost("mean") == 0.5
    paid = pd.Series({"avg": False, "fft": True})
    assert tiny.marginal_costs(paid).tolist() == [0.0, 0.0, 0.5]
    acquired = pd.DataFrame({"mean": [True, False], "peak": [False, True]})
    acquired["centroid"] = False
    assert tiny.cost_rows(acquired).tolist() == [0.5, 3.0]
    computed = pd.DataFrame([[False, True]], columns=["avg", "fft"])
    assert tiny.marginal_cost_rows(computed).tolist() == [[0.0, 0.0, 0.5]]
    with pytest.raises(DataError, match="The mask has no 'centroid', which the hyperg"):
        tiny.cost(chosen.drop("centroid"))
