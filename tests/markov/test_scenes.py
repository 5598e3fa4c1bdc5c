"""Scenes make the graphs they tell of; methods on them are compared as elsewhere."""

import numpy as np
import pytest

from solvers.errors import DataError, ThriftscopeError
from solvers.markov import (
    ConstantLabelClassifier,
    GrownScene,
    NodeLogisticClassifier,
    OneGraphScene,
    SensorScene,
    compare,
    compare_scene,
    deal_snapshots,
    grow_graphs,
    leave_one_out,
    misclassification_cost,
    sensor_folds,
    simulate_lab,
    split_graph,
    summarise,
)
from tests.each import each
from tests.fuzz.refusal import is_one_sentence

METHODS = {"LOGREG": NodeLogisticClassifier(), "Always 0": ConstantLabelClassifier(0)}
SMALL = {"n_nodes": 40, "label_agreement": 0.7}


@pytest.fixture(scope="module")
def found():
    return compare_scene(
        GrownScene(**SMALL, seed=2),
        METHODS,
        drawn=["LOGREG"],
        shown=1,
        curve_over="extra_links",
        values=[0.1, 0.3],
        seeds=[2, 5],
    )


def costs(rows):
    return [(row.method, row.cost) for row in rows]


def test_grown_graphs_are_compared_as_by_hand(found):
    graphs = grow_graphs(3, **SMALL, random_state=2)
    rows = list(compare(leave_one_out(graphs), METHODS))
    assert costs(found.results) == costs(rows)
    at = [
        row
        for seed in (2, 5)
        for row in compare(
            grow_graphs(3, **SMALL, extra_links=0.3, random_state=seed), METHODS
        )
    ]
    assert costs(found.curve[0.3]) == costs(summarise(at))


def test_what_is_drawn_is_paid_on_the_graph_that_is_shown(found):
    (row,) = (r for r in found.results if r.method == "LOGREG" and r.fold == 1)
    graph = found.graphs.graph(1)
    paid = misclassification_cost(graph, row.decisions[0].labels)
    assert sum(found.paid["LOGREG"]) == pytest.approx(paid)
    assert f"LOGREG pays {paid:.6g} on test graph 2: " in str(found)


def test_it_prints_means_what_is_drawn_and_the_curve(found):
    lines = str(found).splitlines()
    assert lines[0] == "Mean cost of a test graph:"
    mean = found.summaries[0]
    assert lines[1].startswith(f"    LOGREG: {mean.cost:.6g} +- ")
    assert lines[-1] == (
        f"extra_links 0.3: LOGREG {found.curve[0.3][0].cost:.6g}, "
        f"Always 0 {found.curve[0.3][1].cost:.6g}"
    )


def test_a_graph_that_is_given_is_cut_into_parts_and_has_no_curve():
    (graph,) = grow_graphs(1, 60, random_state=3)
    scene = OneGraphScene(graph)
    rows = list(compare(leave_one_out(split_graph(graph, 3)), METHODS))
    assert costs(compare_scene(scene, METHODS).results) == costs(rows)
    with pytest.raises(DataError, match=r"has no extra_links=0\.3 at seed 0; vary"):
        scene.at("extra_links", 0.3, 0)


def test_every_snapshot_is_tested_on_once_in_the_order_of_time():
    readings = simulate_lab(3, random_state=1)
    scene = SensorScene(readings, occupant_cost=2.0, speaking=0.9, max_snapshots=7)
    told, snapshots = scene.measured()
    assert told is readings
    folded = scene.folded()
    assert [fold for fold, _ in folded.tests] == deal_snapshots(snapshots, 3).tolist()
    by_hand = list(sensor_folds(readings, snapshots, occupant_cost=2.0))
    for k, (fold, place) in enumerate(folded.tests):
        assert np.array_equal(
            folded.graph(k).attributes, by_hand[fold][1][place].attributes
        )
        assert folded.graph(k).n_nodes == len(snapshots[k].sensors)


def test_the_made_up_laboratory_is_that_of_the_seed():
    scene = SensorScene(seed=4, n_days=3)
    again = simulate_lab(3, random_state=7)
    told, _ = scene.at("occupant_cost", 0.5, 7).measured()
    assert np.array_equal(told.values, again.values)


def test_a_graph_beyond_the_last_is_the_last():
    folded = GrownScene(n_nodes=20).folded()
    assert folded.place(11) == folded.tests[-1]


def test_progress_is_shown_where_it_is_asked_for(capsys):
    compare_scene(GrownScene(n_nodes=20), METHODS, progress=True)
    assert "Comparing: 100%" in capsys.readouterr().err


@each(
    ("options", "sentence"),
    [
        ({"classifiers": {}}, "no classifier to compare"),
        ({"curve_over": "occupant_cost"}, "curve_over is 'occupant_cost'; it is one"),
        ({"shown": -1}, "shown is -1"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        compare_scene(GrownScene(n_nodes=20), **{"classifiers": METHODS, **options})
    assert is_one_sentence(str(refused.value))
