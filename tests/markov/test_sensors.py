"""The made-up laboratory, its snapshots and its lamp costs."""

import networkx as nx
import numpy as np
import pytest

from solvers.errors import DataError, KnobError
from solvers.markov import (
    CostSensitiveMarkovNetwork,
    LevelEdges,
    SensorReadings,
    compare,
    fit_cut_points,
    floor_plan,
    lamp_edge_costs,
    lamp_node_costs,
    sensor_folds,
    sensor_graph,
    simulate_lab,
    summarise,
    take_snapshots,
)

LOW, MEDIUM, HIGH = range(3)


@pytest.fixture(scope="module")
def lab():
    readings = simulate_lab(4, random_state=0)
    return readings, take_snapshots(readings)


def readings_of(rows, n_sensors=2):
    """Readings from (second, sensor, light) triples."""
    seconds, sensors, light = (np.array(column) for column in zip(*rows, strict=True))
    values = np.tile([20.0, 40.0, 0.0, 2.5], (len(rows), 1))
    values[:, 2] = light
    return SensorReadings(
        np.datetime64("2004-03-01", "us") + (seconds * 1e6).astype("timedelta64[us]"),
        sensors.astype(int),
        values,
        tuple(f"m{k}" for k in range(n_sensors)),
        np.arange(2.0 * n_sensors).reshape(n_sensors, 2),
    )


def test_floor_plan_has_54_sensors_and_122_links_in_one_piece():
    places = floor_plan()
    i, j = np.triu_indices(54, 1)
    near = np.hypot(*(places[i] - places[j]).T) <= 5.0
    assert places.shape == (54, 2)
    assert near.sum() == 122
    assert nx.is_connected(nx.Graph(zip(i[near], j[near], strict=True)))


def test_same_seed_same_days():
    one, two = (simulate_lab(2, random_state=7) for _ in range(2))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.times, two.times)


def test_readings_are_possible_and_in_order(lab):
    readings, _ = lab
    temperature, humidity, light, voltage = readings.values.T
    assert (np.diff(readings.times) >= np.timedelta64(0)).all()
    assert 10 < temperature.min() < temperature.max() < 40
    assert 0 < humidity.min() < humidity.max() < 100
    assert light.min() > 0
    assert 2.4 < voltage.min() < voltage.max() < 2.9


def test_light_warms_and_dries(lab):
    values = lab[0].values
    table = np.corrcoef(np.column_stack([values, np.log(values[:, 2])]).T)
    assert table[0, 4] > 0.4
    assert table[1, 4] < -0.3


def test_near_sensors_agree_more_than_far_ones(lab):
    (training, _), *_ = sensor_folds(*lab)
    agree = [g.labels[g.edges[:, 0]] == g.labels[g.edges[:, 1]] for g in training]
    by_chance = [np.sum((np.bincount(g.labels) / g.n_nodes) ** 2) for g in training]
    assert np.mean(np.concatenate(agree)) > np.mean(by_chance) + 0.1


def test_snapshots_hear_enough_sensors_once_each(lab):
    readings, snapshots = lab
    assert len(snapshots) >= 10
    for snapshot in snapshots:
        assert len(snapshot.sensors) >= 50
        assert (np.diff(snapshot.sensors) > 0).all()
    assert readings.n_sensors == 54


def test_of_two_readings_in_a_window_the_later_counts():
    readings = readings_of([(0, 0, 1.0), (10, 0, 2.0), (20, 1, 3.0), (70, 0, 9.0)])
    (snapshot,) = take_snapshots(readings, min_sensors=2)
    assert snapshot.sensors.tolist() == [0, 1]
    assert snapshot.values[:, 2].tolist() == [2.0, 3.0]


def test_snapshots_can_be_thinned(lab):
    thinned = take_snapshots(lab[0], max_snapshots=4)
    assert len(thinned) == 4
    assert thinned[0].time == lab[1][0].time
    assert thinned[-1].time == lab[1][-1].time


def test_too_few_sensors_in_every_window_is_said():
    readings = readings_of([(0, 0, 1.0), (100, 1, 1.0)])
    with pytest.raises(DataError, match="60 seconds has readings of 2 sensors; the fu"):
        take_snapshots(readings, min_sensors=2)


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


@pytest.mark.parametrize("gamma", [0.2, 1.0, 2.0])
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


@pytest.mark.parametrize(
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
