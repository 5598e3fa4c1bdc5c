"""Snapshots as graphs: levels, links and folds, on a network of four sensors."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError, KnobError
from solvers.markov.sensor_graphs import (
    LevelEdges,
    ReadingWindow,
    SensorReadings,
    deal_snapshots,
    fit_cut_points,
    lamp_edge_costs,
    lamp_node_costs,
    sensor_folds,
    sensor_graph,
)
from tests.each import each

LEVELS = range(3)
NOW = np.datetime64("2004-03-01", "us")
PLACES = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.1], [50.0, 0.0]])
READINGS = SensorReadings(
    np.zeros(0, dtype="datetime64[us]"),
    np.zeros(0, dtype=int),
    np.zeros((0, 4)),
    ("one", "two", "three", "four"),
    PLACES,
)
CUTS = LevelEdges(np.array([[20, 25], [30, 40], [100, 200], [2.4, 2.6]], dtype=float))


def _window(light, sensors=(0, 1, 2, 3)):
    values = np.tile([22.0, 45.0, 0.0, 2.3], (len(sensors), 1))
    values[:, 2] = light
    return ReadingWindow(NOW, np.array(sensors), values)


def test_a_value_on_a_cut_point_is_on_the_lower_level():
    values = np.array([[20.0, 40.0, 100.1, 2.7], [25.1, 30.0, 200.0, 2.4]])
    assert CUTS.levels(values).tolist() == [[0, 1, 1, 2], [2, 0, 1, 0]]


def test_sensors_within_the_radius_are_linked_and_others_are_not():
    graph = sensor_graph(READINGS, _window([50, 150, 250, 50]), CUTS)
    assert graph.edges.tolist() == [[0, 1], [1, 2]]  # 5 m, and a tenth of a metre
    assert graph.truth.tolist() == [0, 1, 2, 0]
    assert graph.node_names == ("one", "two", "three", "four")
    wider = sensor_graph(READINGS, _window([50] * 4), CUTS, radius=100.0)
    assert wider.n_edges == 6


def test_sensors_that_were_silent_are_no_nodes():
    graph = sensor_graph(READINGS, _window([50, 50], sensors=(1, 3)), CUTS)
    assert graph.node_names == ("two", "four")
    assert graph.positions.tolist() == PLACES[[1, 3]].tolist()


def test_attributes_tell_levels_of_all_but_the_light():
    graph = sensor_graph(READINGS, _window([50, 150, 250, 50]), CUTS)
    medium, high, low = [0, 1, 0], [0, 0, 1], [1, 0, 0]
    assert graph.attributes.tolist() == [[*medium, *high, *low, 1]] * 4


@given(st.lists(st.floats(0, 1e4), min_size=3, max_size=40, unique=True))
@settings(max_examples=25)
def test_cut_points_put_a_third_of_the_values_on_each_level(values):
    windows = [
        ReadingWindow(NOW, np.array([0]), np.array([[v, v, v, v]])) for v in values
    ]
    levels = fit_cut_points(windows).levels(np.tile(np.array(values)[:, None], 4))
    counts = np.bincount(levels[:, 0], minlength=3)
    assert np.abs(counts - len(values) / 3).max() <= 1


@given(st.lists(st.integers(0, 99), min_size=4, max_size=20), st.integers(2, 4))
@settings(max_examples=25)
def test_folds_are_dealt_in_the_order_of_the_light(medians, n_folds):
    fold_of = deal_snapshots([_window([m] * 4) for m in medians], n_folds)
    counts = np.bincount(fold_of, minlength=n_folds)
    assert counts.max() - counts.min() <= 1
    ranked = np.array(fold_of)[np.argsort(medians, kind="stable")]
    assert ranked.tolist() == [k % n_folds for k in range(len(medians))]


def test_every_snapshot_is_tested_once_with_cut_points_of_the_others():
    windows = [_window([k, 10 * k, 20 * k, 5 * k]) for k in range(1, 7)]
    tested = []
    for train, test in sensor_folds(READINGS, windows, n_folds=3):
        assert len(train) == 4
        tested += [tuple(graph.truth) for graph in test]
    assert len(tested) == 6
    given_cuts = next(sensor_folds(READINGS, windows, n_folds=2, cut_points=CUTS))
    assert (given_cuts[1][0].attributes[0, :3] == [0, 1, 0]).all()


@each(
    ("call", "error", "sentence"),
    [
        (lambda: fit_cut_points([]), DataError, "There is no snapshot"),
        (lambda: deal_snapshots([_window([1] * 4)], 2), DataError, "1 snapshots for 2"),
        (lambda: LevelEdges(np.zeros((3, 2))), DataError, "have shape (3, 2)"),
        (
            lambda: LevelEdges(np.array([[2.0, 1.0]] + [[0.0, 1.0]] * 3)),
            DataError,
            "The cut points of temperature fall from 2 to 1",
        ),
        (
            lambda: sensor_graph(READINGS, _window([1] * 4), CUTS, radius=-1.0),
            KnobError,
            "radius",
        ),
    ],
)
def test_what_makes_no_graph_is_refused(call, error, sentence):
    with pytest.raises(error) as refusal:
        call()
    assert sentence in str(refusal.value)


@each("gamma", [0.0, 0.5, 4.0])
def test_calling_a_place_brighter_costs_the_occupant_and_darker_electricity(gamma):
    costs = lamp_node_costs(gamma)
    for predicted, true in itertools.product(LEVELS, LEVELS):
        wanted = gamma if predicted > true else float(predicted < true)
        assert costs[predicted, true] == wanted


@each("gamma", [0.5, 4.0])
def test_beside_a_place_that_is_rightly_lit_a_wrong_lamp_costs_again(gamma):
    costs = lamp_edge_costs(gamma)
    for a, b, c, d in itertools.product(LEVELS, repeat=4):
        wanted = 0.0
        for (mine, own), (other, truth) in (((a, c), (b, d)), ((b, d), (a, c))):
            if mine > 0 and own > 0:
                wanted += gamma * (other > 0 and truth == 0)
                wanted += float(other == 0 and truth > 0)
        assert costs[a, b, c, d] == wanted


def test_both_ends_of_a_link_pay_alike():
    costs = lamp_edge_costs(2.5)
    assert (costs == costs.transpose(1, 0, 3, 2)).all()
    assert np.count_nonzero(costs) == 32


@each("costs", [lamp_node_costs, lamp_edge_costs])
@each("gamma", [-0.1, 101.0, "much"])
def test_an_occupant_s_cost_out_of_range_is_refused(costs, gamma):
    with pytest.raises(KnobError, match="occupant_cost is"):
        costs(gamma)
