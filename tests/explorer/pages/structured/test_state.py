"""What the structured-costs page computes, without a screen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.layout import MAX_DRAWN, disc_places, sketch_graph
from explorer.pages.structured.queries import COMPARED
from explorer.pages.structured.runs import make_classifiers
from explorer.pages.structured.state import NO_RIVAL, OPENING, SCENES, StructuredState
from explorer.session.link import read_page_link, write_page_link
from solvers.markov import compare, leave_one_out, misclassification_cost
from solvers.markov.growth import grow_graph
from tests.explorer.pages.structured.asked import QUICK, fitted, state_of


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
    assert [*COMPARED.wanted(state)][:2] == ["CSMN", "LOGREG"]
    (first,) = next(COMPARED.work(state, "CSMN")).results
    assert (first.method, first.fold) == ("CSMN", 2)


def test_the_old_run_stays_until_what_is_drawn_has_arrived():
    state = fitted()
    old = state.run
    state.param.update(seed=7, rival="LOGREG")
    state.show_tested({"CSMN": next(COMPARED.work(state, "CSMN"))})
    assert state.run is old
    state.show_tested({"LOGREG": next(COMPARED.work(state, "LOGREG"))})
    assert state.run is not old
    assert state.run.share == pytest.approx(2 / 9)


def test_methods_that_are_drawn_need_not_be_ticked():
    state = state_of(methods=["LOGREG"], method="CSMN", rival="MN")
    assert state.computed == ("CSMN", "MN", "LOGREG")


def test_only_a_method_that_was_not_compared_is_fitted():
    state = fitted()
    state.method = "LOGREG"
    assert COMPARED.missing(state) == {}
    state.param.update(method="MN", averaged=False)
    assert [*COMPARED.missing(state)] == ["MN"]
    state.param.update(method="LOGREG", label_agreement=0.6)
    assert [*COMPARED.missing(state)] == ["LOGREG", "CSMN", "CSMN w/o CSINF"]
    state.label_agreement = 0.85  # and turned back
    assert COMPARED.missing(state) == {}


def test_a_method_that_is_not_ticked_any_more_is_told_no_longer():
    state = fitted()
    before = state.run
    state.methods = ["CSMN"]
    assert COMPARED.missing(state) == {}
    assert set(state.run.summaries()) == {"CSMN"}
    assert state.run.world is before.world


def test_each_scene_opens_with_methods_that_it_offers():
    for scene in ("growth", "small", "sensors"):
        state = StructuredState()
        state.scene = scene
        assert set(OPENING[scene]["methods"]) <= set(state.choices)
        assert state.method in state.choices


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


def test_a_picked_link_is_let_go_when_the_graph_grows_anew():
    state = fitted()
    state.picked = ("edge", 3)
    state.label_agreement = 0.7
    COMPARED.answer(state)
    assert state.picked is None
    state.picked = ("node", 3)
    state.label_agreement = 0.75
    COMPARED.answer(state)
    assert state.picked == ("node", 3)


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
