"""The made-up laboratory, its snapshots and its lamp costs."""

import numpy as np
import pytest

from solvers.errors import DataError, KnobError
from solvers.markov import (
    CostSensitiveMarkovNetwork,
    LevelEdges,
    compare,
    sensor_folds,
    simulate_lab,
    summarise,
)
from solvers.markov.sensor_graphs import (
    fit_cut_points,
    lamp_edge_costs,
    lamp_node_costs,
    sensor_graph,
)
from tests.each import each

LOW, MEDIUM, HIGH = range(3)


def test_cut_points_make_thirds(lab):
    cuts = fit_cut_points(lab[1])
    levels = cuts.levels(np.concatenate([s.values for s in lab[1]]))
    for column in levels.T:
        assert np.allclose(np.bincount(column) / len(column), 1 / 3, atol=0.01)


def test_node_costs_follow_the_paper():
    costs = lamp_node_costs(0.3)
    assert costs[HIGH, LOW] == 0.3
    assert costs[LOW, MEDIUM] == 1.0
    assert np.count_nonzero(costs) == 6


@each("gamma", [0.2, 1.0, 2.0])
def test_edge_costs_have_32_entries_and_that_of_the_paper(gamma):
    costs = lamp_edge_costs(gamma)
    assert np.count_nonzero(costs) == 32
    assert costs[HIGH, HIGH, HIGH, LOW] == gamma
    assert costs[HIGH, LOW, HIGH, HIGH] == 1.0
    assert np.array_equal(costs, costs.transpose(1, 0, 3, 2))


def test_a_snapshot_is_a_graph_of_near_sensors(lab):
    readings, snapshots = lab
    graph = sensor_graph(readings, snapshots[0], fit_cut_points(snapshots))
    spans = graph.positions[graph.edges[:, 0]] - graph.positions[graph.edges[:, 1]]
    assert (np.hypot(*spans.T) <= 5.0).all()
    assert graph.label_names == ("low", "medium", "high")
    assert graph.attributes.shape[1] == 10
    assert (graph.attributes[:, :9].reshape(-1, 3, 3).sum(axis=2) == 1).all()
    assert graph.node_names[0] in readings.sensor_names


def test_folds_share_no_snapshot_and_have_about_the_same_light(lab):
    folds = list(sensor_folds(*lab))
    sizes = [len(test) for _, test in folds]
    assert sum(sizes) == len(lab[1])
    assert max(sizes) - min(sizes) <= 1
    means = [np.mean([g.labels.mean() for g in test]) for _, test in folds]
    assert max(means) - min(means) < 0.5


def test_cut_points_come_from_training_snapshots_only(lab):
    readings, snapshots = lab
    (training, test), *_ = sensor_folds(readings, snapshots)
    heard = {graph.node_names: graph for graph in [*training, *test]}
    names = [tuple(readings.sensor_names[k] for k in s.sensors) for s in snapshots]
    trained = [s for s, n in zip(snapshots, names, strict=True) if heard[n] in training]
    cuts = fit_cut_points(trained)
    for snapshot, name in zip(snapshots, names, strict=True):
        graph = sensor_graph(readings, snapshot, cuts)
        assert np.array_equal(graph.labels, heard[name].labels)


def test_cut_points_can_be_given(lab):
    given = LevelEdges([[15, 20], [30, 40], [10, 100], [2.5, 2.6]])
    (training, _), *_ = sensor_folds(*lab, cut_points=given)
    (learned, _), *_ = sensor_folds(*lab)
    assert not np.array_equal(training[0].labels, learned[0].labels)


def test_classifiers_run_on_sensors(lab):
    few = lab[1][::4]
    folds = sensor_folds(lab[0], few, occupant_cost=0.5)
    (summary,) = summarise(compare(folds, {"CSMN": CostSensitiveMarkovNetwork()}))
    assert summary.n_results == 3
    assert 0 < summary.cost < 60


@each(
    ("cuts", "sentence"),
    [
        ([[1, 2]], r"The cut points have shape \(1, 2\); give \(4, 2\)"),
        ([[1, 2], [2, 1], [1, 2], [1, 2]], "cut points of humidity fall from 2 to 1"),
        ([[1, 2], [1, 2], [1, 2], [1, np.nan]], "finite numbers"),
    ],
)
def test_bad_cut_points_are_refused_with_a_sentence(cuts, sentence):
    with pytest.raises(DataError, match=sentence):
        LevelEdges(cuts)


def test_bad_arguments_are_refused_before_the_first_fold(lab):
    with pytest.raises(KnobError, match="occupant_cost is -1; it is between"):
        sensor_folds(*lab, occupant_cost=-1.0)
    with pytest.raises(DataError, match="There are 2 snapshots for 3 folds"):
        sensor_folds(lab[0], lab[1][:2])
    with pytest.raises(KnobError, match="n_days is 0"):
        simulate_lab(0)
