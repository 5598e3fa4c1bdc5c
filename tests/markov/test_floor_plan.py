"""The made-up laboratory is possible, and the same for the same seed."""

import networkx as nx
import numpy as np

from solvers.markov import sensor_folds, simulate_lab
from solvers.markov.floor_plan import floor_plan


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
