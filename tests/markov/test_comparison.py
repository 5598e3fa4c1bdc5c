"""Comparisons stream and treat all alike; a graph is parted between neighbours."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError, KnobError
from solvers.markov import (
    ConstantLabelClassifier,
    NodeLogisticClassifier,
    TruthClassifier,
    compare,
    grow_graphs,
    leave_one_out,
    misclassification_cost,
    read_graph,
    split_graph,
    summarise,
    trace_curve,
    write_graph,
)
from solvers.markov.comparison import induced_graph, standard_classifiers
from solvers.markov.growth import grow_graph


@pytest.fixture(scope="module")
def grown():
    return grow_graphs(3, 60, random_state=0)


def test_every_graph_is_tested_on_once_and_never_trained_on(grown):
    for fold, (training, test) in enumerate(leave_one_out(grown)):
        assert test == [grown[fold]]
        assert grown[fold] not in training
        assert len(training) == 2


def test_four_classifiers_on_three_graphs_are_twelve_results(grown):
    results = list(compare(grown))
    assert len(results) == 12
    assert [r.method for r in results[:4]] == list(standard_classifiers())
    assert {r.fold for r in results} == {0, 1, 2}


def test_results_say_what_was_paid(grown):
    classifier = NodeLogisticClassifier()
    (result, *_) = compare(grown, {"nodes": classifier})
    called = NodeLogisticClassifier().fit(grown[1:]).predict(grown[0])
    wanted = misclassification_cost(grown[0], called)
    assert result.cost == pytest.approx(wanted)
    assert result.node_cost + result.edge_cost == pytest.approx(wanted)
    assert result.accuracy == np.mean(called == grown[0].labels)
    assert not hasattr(classifier, "node_weights_")  # it was copied


def test_truth_is_free_and_right(grown):
    for result in compare(grown, {"truth": TruthClassifier()}):
        assert result.cost == 0.0
        assert result.accuracy == 1.0


def test_results_come_one_by_one(grown):
    results = compare(grown)
    assert next(results).method == "LOGREG"
    results.close()


def test_networks_report_their_health(grown):
    by_method = {r.method: r for r in compare(grown)}
    assert by_method["MN"].health.nats_above_cold == 0.0
    assert by_method["LOGREG"].health is None


def test_summaries_are_means_with_their_spread(grown):
    results = list(compare(grown, {"ones": ConstantLabelClassifier(1)}))
    (summary,) = summarise(results)
    costs = [r.cost for r in results]
    assert summary.cost == pytest.approx(np.mean(costs))
    assert summary.standard_error == pytest.approx(np.std(costs, ddof=1) / np.sqrt(3))
    assert summary.n_results == 3
    assert np.isnan(summarise(results[:1])[0].standard_error)


def test_a_curve_has_its_first_seed_whole_before_the_second():
    points = list(
        trace_curve(
            "label_agreement",
            [0.6, 0.9],
            seeds=[3, 4],
            classifiers={"ones": ConstantLabelClassifier(1)},
            n_nodes=20,
        )
    )
    assert [(p.seed, p.value) for p in points] == [
        (3, 0.6),
        (3, 0.9),
        (4, 0.6),
        (4, 0.9),
    ]
    assert all(len(point.results) == 3 for point in points)


def test_a_curve_streams():
    points = trace_curve("extra_links", np.linspace(0, 0.4, 11), n_nodes=40)
    first = next(points)
    assert first.value == 0.0
    assert {r.method for r in first.results} == set(standard_classifiers())
    points.close()


def test_bad_curves_are_refused_before_the_first_point():
    with pytest.raises(KnobError, match="knob is 'size'; it is one of"):
        trace_curve("size", [1.0])
    with pytest.raises(KnobError, match=r"label_agreement is 1\.5"):
        trace_curve("label_agreement", [0.5, 1.5])
    with pytest.raises(KnobError, match="n_nodes is 1"):
        trace_curve("label_agreement", [0.5], n_nodes=1)
    with pytest.raises(KnobError, match="n_graphs is 1; it is 2 or more"):
        trace_curve("label_agreement", [0.5], n_graphs=1)


def test_too_little_to_compare_is_refused_before_the_first_result(grown):
    with pytest.raises(DataError, match="There are 1 graphs; cross-validation needs"):
        compare(grown[:1])
    with pytest.raises(DataError, match="There is no classifier to compare"):
        compare(grown, {})


def test_decisions_are_kept_only_when_asked_for(grown):
    (kept, *_) = compare(grown, keep_decisions=True)
    (plain, *_) = compare(grown)
    assert misclassification_cost(grown[0], kept.decisions[0].labels) == kept.cost
    assert plain.decisions == ()


@given(st.integers(0, 1000), st.integers(2, 5))
@settings(max_examples=25, deadline=None)
def test_every_node_is_in_one_part(seed, n_parts):
    graph = grow_graph(40, extra_links=0.1, random_state=seed)
    parts = split_graph(graph, n_parts)
    rows = np.concatenate([part.attributes for part in parts])
    assert sorted(rows.tolist()) == sorted(graph.attributes.tolist())
    sizes = [part.n_nodes for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_an_induced_graph_keeps_prices_names_and_links_among_its_nodes(tmp_path):
    graph = read_graph(*write_graph(grow_graph(30, random_state=0), tmp_path))
    nodes = np.arange(5, 25)
    part = induced_graph(graph, nodes)
    inside = np.isin(graph.edges, nodes).all(axis=1)
    assert np.array_equal(part.edges + 5, graph.edges[inside])
    assert np.array_equal(part.edge_costs, graph.edge_costs[inside])
    assert np.array_equal(part.node_costs, graph.node_costs[nodes])
    assert part.node_names == graph.node_names[5:25]


def test_all_nodes_induce_the_graph_itself():
    graph = grow_graph(30, random_state=0)
    whole = induced_graph(graph, np.arange(30))
    wrong = 1 - graph.truth
    assert misclassification_cost(whole, wrong) == misclassification_cost(graph, wrong)


def test_most_links_stay_inside_parts():
    graph = grow_graph(60, label_agreement=0.5, extra_links=0.0, random_state=1)
    parts = split_graph(graph)
    lost = graph.n_edges - sum(part.n_edges for part in parts)
    assert lost < graph.n_edges / 2


def test_too_few_nodes_or_parts_are_refused():
    graph = grow_graph(2, random_state=0)
    with pytest.raises(DataError, match="2 nodes for 3 parts"):
        split_graph(graph)
    with pytest.raises(KnobError, match="n_parts is 1"):
        split_graph(graph, 1)
