"""A snapshot hears each sensor once, the latest in its window."""

import numpy as np
import pytest

from solvers.errors import DataError
from solvers.markov import SensorReadings, take_snapshots


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
