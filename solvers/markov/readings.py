"""Readings of a sensor network, and the moments at which nearly all sensors spoke."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from .checks import check_count, check_number

__all__ = ["MEASURED", "ReadingWindow", "SensorReadings", "take_snapshots"]

# Columns of `SensorReadings.values`; light is what is predicted.
MEASURED = ("temperature", "humidity", "light", "voltage")


@dataclass(frozen=True, eq=False)
class SensorReadings:
    """What sensors measured, one row a reading, in the order of time."""

    times: NDArray[np.datetime64]  #: (n_readings,) When
    #: (n_readings,) Which sensor: its place in `sensor_names`
    sensors: NDArray[np.intp]
    #: (n_readings, 4) Temperature (degrees Celsius), relative humidity (per cent),
    #: light (lux), voltage (volts)
    values: NDArray[np.float64]
    sensor_names: tuple[str, ...]  #: Names of the sensors
    positions: NDArray[np.float64]  #: (n_sensors, 2) Where they are, in metres
    #: How many lines were left out, for each reason
    dropped: Mapping[str, int] = field(default_factory=dict)

    @property
    def n_sensors(self) -> int:
        """Number of sensors."""
        return len(self.sensor_names)

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, eq=False)
class ReadingWindow:
    """One reading of each sensor that spoke within a window of time.

    Parameters
    ----------
    time : datetime64[us]
        Start of the window.
    sensors : ndarray of int, shape (n,)
        Which sensors, in rising order, none twice.
    values : ndarray of float, shape (n, 4)
        What they measured, as in `SensorReadings`.
    """

    time: np.datetime64
    sensors: NDArray[np.intp]
    values: NDArray[np.float64]


def take_snapshots(
    readings: SensorReadings,
    *,
    min_sensors: int = 50,
    window: float = 60.0,
    max_snapshots: int | None = None,
) -> list[ReadingWindow]:
    """Return the windows of time in which enough sensors spoke.

    Parameters
    ----------
    readings : SensorReadings
        All readings.
    min_sensors : int, default=50
        How many sensors must have spoken.
    window : float, default=60.0
        Length of a window, in seconds. Of a sensor that spoke twice, the later reading
        counts.
    max_snapshots : int, optional
        At most this many, spread evenly over those there are.

    Returns
    -------
    list of ReadingWindow
        In the order of time.

    Raises
    ------
    DataError
        If no window has enough sensors.
    """
    check_count("min_sensors", min_sensors, 1)
    check_number("window", window, 1e-3)
    if max_snapshots is not None:
        check_count("max_snapshots", max_snapshots, 1)
    length = np.timedelta64(round(window * 1e6), "us")
    start = readings.times.min() if len(readings) else np.datetime64(0, "us")
    windows = (readings.times - start) // length
    last = _last_of_each(windows, readings.sensors, readings.times)
    found, first, counts = np.unique(
        windows[last], return_index=True, return_counts=True
    )
    full = np.flatnonzero(counts >= min_sensors)
    if not len(full):
        raise DataError(
            f"No window of {window:g} seconds has readings of {min_sensors} sensors; "
            f"the fullest has {counts.max(initial=0)}. Ask for fewer sensors or a "
            "longer window."
        )
    if max_snapshots is not None and len(full) > max_snapshots:
        full = full[np.linspace(0, len(full) - 1, max_snapshots).round().astype(int)]
    taken = []
    for k in full:
        rows = last[first[k] : first[k] + counts[k]]
        taken.append(
            ReadingWindow(
                start + found[k] * length, readings.sensors[rows], readings.values[rows]
            )
        )
    return taken


def _last_of_each(
    windows: NDArray[np.int64], sensors: NDArray[np.intp], times: NDArray[np.datetime64]
) -> NDArray[np.intp]:
    """Return the last row of each sensor in each window, by window, then sensor."""
    order = np.lexsort((times, sensors, windows))
    ends = np.ones(len(order), dtype=bool)
    same_window = windows[order[1:]] == windows[order[:-1]]
    ends[:-1] = ~(same_window & (sensors[order[1:]] == sensors[order[:-1]]))
    return order[ends]
