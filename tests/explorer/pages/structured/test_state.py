"""What the structured-costs page computes, without a screen."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.pages.structured.detail import edge_detail, node_detail
from explorer.pages.structured.methods import METHODS, make_classifiers
from explorer.pages.structured.runs import trace_costs
from explorer.pages.structured.scenes import (
    fit_methods,
    make_world,
    own_graph,
    own_sensors,
)
from explorer.pages.structured.state import NO_RIVAL, OPENING, SCENES, StructuredState
from explorer.plots.graph_layout import MAX_DRAWN, disc_places, sketch_graph
from explorer.session.link import read_page_link, write_page_link
from solvers.errors import DataError
from solvers.markov import (
    compare,
    grow_graph,
    leave_one_out,
    misclassification_cost,
    simulate_lab,
)

QUICK = ["LOGREG", "CSMN", "CSMN w/o CSINF"]


def state_of(scene="growth", **choices):
    state = StructuredState()
    if scene == "own":
        graph = grow_graph(90, random_state=0)
        state.use_own_graph(own_graph(graph, "mine.csv"))
    else:
        state.scene = scene
    state.param.update(**{"n_nodes": 40, "methods": QUICK, "method": "CSMN", **choices})
    return state


def fitted(scene="growth", **choices):
    state = state_of(scene, **choices)
    request = state.fit_request()
    collect = state.collector(request)
    for arrival in fit_methods(request):
        collect([arrival])
    return state


@pytest.fixture(scope="module")
def grown():
    return fitted()


# ------------------------------------------------------------- comparing


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_ends_complete_with_what_is_drawn(scene):
    state = fitted(scene)
    assert state.run.is_complete
    assert set(state.run.summaries()) == set(state.computed)
    for index in range(len(state.run.world.tests)):
        graph = state.run.graph(index)
        paid = state.run.paid("CSMN", index)
        wanted = misclassification_cost(graph, paid.labels)
        assert paid.total == pytest.approx(wanted)


def test_costs_are_those_of_the_library(grown):
    folds = leave_one_out([grown.run.graph(k) for k in range(3)])
    for result in compare(folds, make_classifiers(QUICK)):
        mine = grown.run.results[result.method, result.fold]
        assert mine.cost == pytest.approx(result.cost)


def test_what_is_drawn_arrives_first():
    state = state_of(shown=2, method="CSMN", rival="LOGREG")
    arrivals = list(fit_methods(state.fit_request()))
    assert arrivals[0].world is not None
    assert (arrivals[1].result.method, arrivals[1].fold) == ("CSMN", 2)
    assert (arrivals[2].result.method, arrivals[2].fold) == ("LOGREG", 2)


def test_the_old_run_stays_until_what_is_drawn_has_arrived(grown):
    state = fitted()
    old = state.run
    state.seed = 7
    request = state.fit_request()
    arrivals = fit_methods(request)
    collect = state.collector(request)
    collect([next(arrivals)])
    assert state.run is old
    collect([next(arrivals)])
    assert state.run is not old
    assert state.run.share == pytest.approx(1 / 9)


def test_methods_that_are_drawn_need_not_be_ticked():
    state = state_of(methods=["LOGREG"], method="CSMN", rival="MN")
    assert state.computed == ("CSMN", "MN", "LOGREG")


def test_another_method_of_the_same_run_needs_no_fit(grown):
    state = fitted()
    assert state.is_up_to_date
    state.method = "LOGREG"
    assert state.is_up_to_date
    state.method = "MN"
    assert not state.is_up_to_date
    state.method = "LOGREG"
    state.label_agreement = 0.6
    assert not state.is_up_to_date


def test_every_method_has_a_classifier():
    assert list(make_classifiers(METHODS)) == list(METHODS)


def test_each_scene_opens_with_methods_that_it_offers():
    for scene in ("growth", "small", "sensors"):
        state = StructuredState()
        state.scene = scene
        assert set(OPENING[scene]["methods"]) <= set(state.choices)
        assert state.method in state.choices


def test_only_small_graphs_are_solved_exactly():
    assert "MN (exact)" in state_of("small").choices
    assert "MN (exact)" not in state_of("growth").choices
    assert state_of("small", n_nodes=300).fit_request().growth["n_nodes"] <= 60


def test_exact_inference_on_a_forest_ends_in_a_certificate_or_a_cycle():
    state = fitted("small", method="CSMN (exact)")
    method, trace = state.run.inference("CSMN (exact)", 0)
    assert method == "CSMN (exact)"
    assert trace.exact
    assert trace.certificate in ("exact", "none")
    assert (trace.period == 1) <= (trace.certificate == "exact")


def test_snapshots_are_in_the_order_of_time_and_each_is_tested_once():
    world = make_world(state_of("sensors").fit_request())
    assert len(set(world.tests)) == len(world.tests) == len(world.titles) == 12
    names = [world.graph(k).node_names for k in range(12)]
    assert all(len(name) >= 50 for name in names)


def test_own_sensors_stand_in_for_the_made_up_ones():
    own = own_sensors(simulate_lab(3, random_state=5), "lab.txt")
    state = state_of("sensors")
    state.use_sensors(own)
    assert state.fit_request().own is own
    assert len(make_world(state.fit_request()).tests) == len(own.snapshots)


# ------------------------------------------------------------- the curve


def test_a_curve_asks_only_for_what_is_missing():
    state = state_of(n_seeds=1)
    request = state.curve_request()
    collect = state.curve_collector()
    items = trace_costs(request)
    collect([next(items), next(items)])
    assert len(state.curve_request().missing()) == len(request.missing()) - 2
    state.methods = [*QUICK, "LOGREG with edges"]
    missing = state.curve_request().missing()
    assert missing[0][2] == ("LOGREG with edges",)
    assert missing[2][2] == ("CSMN", "LOGREG", "CSMN w/o CSINF", "LOGREG with edges")


def test_a_curve_over_agreement_does_not_depend_on_the_agreement_chosen():
    state = state_of()
    key = state.curve_key()
    state.label_agreement = 0.6
    assert state.curve_key() == key
    state.attribute_strength = 0.15
    assert state.curve_key() != key


def test_more_seeds_narrow_the_bars_of_the_same_curve():
    state = state_of(n_seeds=2, methods=["LOGREG"], method="LOGREG")
    collect = state.curve_collector()
    for item in trace_costs(state.curve_request()):
        collect([item])
    assert state.curve_request() is None
    line = state.curve.line("LOGREG")
    assert [value for value, _ in line] == [round(0.5 + 0.05 * k, 2) for k in range(11)]
    assert {summary.n_results for _, summary in line} == {6}


def test_sensors_have_a_curve_over_occupant_cost_and_own_graphs_have_none():
    assert state_of("sensors").curve_knob == "occupant_cost"
    assert state_of("own").curve_request() is None


# ------------------------------------------------------------- the picture


def test_places_do_not_move_when_links_agree_more():
    one = fitted(label_agreement=0.5).run.sketch(0)
    other = fitted(label_agreement=1.0).run.sketch(0)
    assert np.array_equal(one.places, other.places)
    assert not np.array_equal(one.ends, other.ends)


@given(st.integers(0, 999), st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_discs_of_labels_do_not_overlap(seed, n_labels):
    labels = np.random.default_rng(seed).integers(0, n_labels, 80)
    places = disc_places(labels, n_labels)
    away = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    centres = [places[labels == k].mean(axis=0) for k in np.unique(labels)]
    assert (away + np.eye(80)).min() > 0
    for k, centre in zip(np.unique(labels), centres, strict=True):
        assert np.hypot(*(places[labels == k] - centre).T).max() < 1.6


def test_a_large_graph_is_drawn_in_part_and_says_so():
    graph = grow_graph(2000, random_state=0)
    sketch = sketch_graph(graph)
    assert len(sketch.nodes) == MAX_DRAWN
    assert f"first {MAX_DRAWN} of 2000 nodes" in sketch.note
    assert np.array_equal(graph.edges[sketch.edges], sketch.ends)
    assert sketch_graph(grow_graph(50, random_state=0)).note == ""


# ------------------------------------------------------------- under the lens


def test_a_node_shows_its_prices_its_marginal_and_what_it_expects(grown):
    graph, decision = grown.run.graph(0), grown.run.decision("LOGREG", 0)
    detail = node_detail(graph, decision, 4, grown.labels)
    (_, marginal), (_, expected), _ = detail.columns
    assert marginal.sum() == pytest.approx(1)
    assert expected == pytest.approx(graph.node_costs[4] @ marginal)
    assert detail.predicted == np.argmin(expected) == decision.labels[4]
    assert np.array_equal(detail.costs, graph.node_costs[4])


def test_the_linked_column_is_the_change_of_the_whole_energy(grown):
    graph, decision = grown.run.graph(1), grown.run.decision("CSMN", 1)
    node = int(graph.edges[3, 0])
    linked = node_detail(graph, decision, node, grown.labels).columns[-1][1]
    totals = []
    for label in (0, 1):
        labels = decision.labels.copy()
        labels[node] = label
        totals.append(decision.energies.total(labels))
    assert linked[1] - linked[0] == pytest.approx(totals[1] - totals[0])


def test_a_link_shows_all_pairs_and_what_is_paid(grown):
    graph, decision = grown.run.graph(0), grown.run.decision("CSMN", 0)
    detail = edge_detail(graph, decision, 2, grown.labels)
    i, j = graph.edges[2]
    called, true = decision.labels, graph.truth
    paid = graph.edge_costs[2, called[i], called[j], true[i], true[j]]
    assert detail.choices == ("0, 0", "0, 1", "1, 0", "1, 1")
    assert detail.costs[detail.predicted, detail.true] == paid
    assert f"pays {paid:.2f}" in detail.title


def test_a_picked_link_is_let_go_when_the_graph_grows_anew():
    state = fitted()
    state.picked = ("edge", 3)
    state.label_agreement = 0.7
    request = state.fit_request()
    collect = state.collector(request)
    collect(list(fit_methods(request)))
    assert state.picked is None
    state.picked = ("node", 3)
    collect(list(fit_methods(request)))
    assert state.picked == ("node", 3)


# ------------------------------------------------------------- own data, links


def test_own_graphs_without_labels_are_refused():
    graph = grow_graph(30, random_state=0).with_labels(None)
    with pytest.raises(DataError, match="have no labels"):
        own_graph(graph, "mine.csv")


def test_own_graphs_that_cannot_be_learned_from_are_refused():
    graph = grow_graph(30, random_state=0)
    labels = np.zeros(30, dtype=int)
    labels[0] = 1
    with pytest.raises(DataError, match="have one label"):
        own_graph(graph.with_labels(labels), "mine.csv")


def test_own_links_are_inside_parts_or_counted_as_lost():
    graph = grow_graph(90, random_state=0)
    own = own_graph(graph, "mine.csv")
    assert sum(part.n_edges for part in own.parts) + own.n_lost == graph.n_edges
    assert [len(place) for place in own.places] == [30, 30, 30]


def test_a_link_restores_scene_and_scalars():
    link = {"scene": "scene", "label_agreement": "rho", "rival": "rival"}
    state = state_of("small", label_agreement=0.65, rival="MN (2006)")
    other = StructuredState()
    read_page_link("?" + write_page_link(state, link)[1:], other, link)
    assert (other.scene, other.label_agreement) == ("small", 0.65)
    assert other.rival == "MN (2006)"


def test_a_hostile_link_is_left_out():
    link = {"scene": "scene", "label_agreement": "rho", "n_nodes": "nodes"}
    state = StructuredState()
    read_page_link("?scene=<b>&rho=7&nodes=1e9", state, link)
    assert (state.scene, state.label_agreement, state.n_nodes) == ("growth", 0.85, 300)
    assert state.rival == NO_RIVAL


def test_requests_are_equal_in_part_only_with_the_same_setting():
    request = state_of().fit_request()
    assert request.is_part_of(replace(request, methods=(*request.methods, "MN")))
    assert not request.is_part_of(replace(request, seed=1))
