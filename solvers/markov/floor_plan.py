"""A made-up laboratory: 54 sensors, 122 links, and days of light, heat and haze.

It stands in for the public Intel lab data, which may not always be at hand: the same
columns, the same number of sensors and of pairs within 5 metres.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform

from ..checks import RandomState, as_generator, check_count, check_number
from .sensor_graphs import SensorReadings

N_SENSORS = 54
N_LINKS = 122
RADIUS = 5.0  # metres
# Width against depth of the ring that the sensors stand on.
ASPECT = 1.35
START = np.datetime64("2004-03-01T00:00:00", "us")


def floor_plan() -> NDArray[np.float64]:
    """Return where the sensors are, in metres, shape (54, 2).

    They stand in two staggered rows along the four walls, at a scale at which exactly
    122 pairs are within 5 metres.
    """
    rng = np.random.default_rng(54)
    along = (np.arange(N_SENSORS) + rng.uniform(-0.2, 0.2, N_SENSORS)) / N_SENSORS
    inward = np.where(np.arange(N_SENSORS) % 2, 0.1, 0.0)
    corners = np.array([[0, 0], [ASPECT, 0], [ASPECT, 1], [0, 1], [0, 0]], float)
    lengths = np.concatenate([[0], np.hypot(*np.diff(corners, axis=0).T)]).cumsum()
    walls = np.stack(
        [np.interp(along * lengths[-1], lengths, axis) for axis in corners.T], axis=1
    )
    centre = np.array([ASPECT, 1.0]) / 2
    places = walls + inward[:, None] * (centre - walls)
    distances = np.sort(pdist(places))
    scale = RADIUS / distances[N_LINKS - 1 : N_LINKS + 1].mean()
    return np.round(places * scale, 3)


def simulate_lab(
    n_days: int = 9,
    *,
    every_hours: float = 7.0,
    clarity: float = 1.0,
    random_state: RandomState = None,
) -> SensorReadings:
    """Return readings of the made-up laboratory.

    Daylight comes through windows on four sides and moves with the sun and the clouds;
    lamps burn zone by zone, more of them in working hours; screens glow at all hours.
    Heat follows light and lags behind,
    humidity falls where it is warm, voltage falls with age and rises with heat.

    Parameters
    ----------
    n_days : int, default=9
        How long.
    every_hours : float, default=7.0
        Time between readings; 7 lets every hour of the day occur.
    clarity : float, default=1.0
        How strongly heat, humidity and voltage tell of light, from 0.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    SensorReadings
        About one reading in forty is missing.
    """
    check_count("n_days", n_days, 1, 3650)
    check_number("every_hours", every_hours, 0.05, 24.0)
    check_number("clarity", clarity, 0.0, 10.0)
    rng = as_generator(random_state)
    places = floor_plan()
    hours = np.arange(0.5, 24.0 * n_days, every_hours)
    light = _light(hours, places, rng)
    values = _other_values(hours, light, places, clarity, rng)
    heard = rng.random(light.shape) > 0.025
    moments, sensors = np.nonzero(heard)
    offsets = rng.uniform(0, 30, len(moments)) * 1e6  # within half a minute
    times = START + (hours[moments] * 3.6e9 + offsets).astype("timedelta64[us]")
    order = np.argsort(times, kind="stable")
    return SensorReadings(
        times[order],
        sensors[order],
        values[moments, sensors][order],
        tuple(str(sensor + 1) for sensor in range(N_SENSORS)),
        places,
    )


def _smooth_noise(
    places: NDArray[np.float64], n_rows: int, reach: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return rows of unit noise that is alike within `reach` metres."""
    squares = squareform(pdist(places, "sqeuclidean"))
    # A Gaussian process with a squared-exponential kernel, by its Cholesky factor.
    kernel = np.exp(-squares / (2 * reach**2)) + 1e-9 * np.eye(len(places))
    return rng.standard_normal((n_rows, len(places))) @ np.linalg.cholesky(kernel).T


def _light(
    hours: NDArray[np.float64], places: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return lux, (n_moments, n_sensors)."""
    size = places.max(axis=0)
    to_walls = np.stack(
        [places[:, 0], size[0] - places[:, 0], places[:, 1], size[1] - places[:, 1]], 1
    )
    near = np.exp(-to_walls / 2.5)  # west, east, south, north
    of_day = hours % 24
    height = np.maximum(np.sin((of_day - 6) / 12 * np.pi), 0.0)
    azimuth = (of_day - 6) / 12 * np.pi  # 0 in the east, π in the west
    # How much each side of the house faces the sun, by the cosine of the angle between.
    facing = np.stack(
        [-np.cos(azimuth), np.cos(azimuth), np.sin(azimuth), -np.sin(azimuth)], 1
    )
    clouds = 1 / (1 + np.exp(-_drift(len(hours), 0.6, rng)))
    sides = height[:, None] * (0.15 + clouds[:, None] * np.maximum(facing, 0.0))
    furniture = np.exp(0.5 * rng.standard_normal(len(places)))
    daylight = 400 * (sides @ near.T) * furniture
    haze = np.exp(0.5 * _smooth_noise(places, len(hours), 4.0, rng))
    glow = 40 * np.exp(1.2 * _smooth_noise(places, len(hours), 4.0, rng))
    return daylight * haze + _lamps(of_day, places, rng) + glow


def _lamps(
    of_day: NDArray[np.float64], places: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return lux of lamps: in working hours, on or off for each of six zones."""
    centre = places.mean(axis=0)
    angles = np.arctan2(*(places - centre).T)
    zones = np.floor((angles + np.pi) / (2 * np.pi) * 6).astype(int).clip(0, 5)
    chances = np.where((of_day >= 8) & (of_day < 20), 0.6, 0.2)
    burning = rng.random((len(of_day), 6)) < chances[:, None]
    return 150.0 * burning[:, zones] * rng.uniform(0.5, 1.5, len(places))


def _drift(n: int, memory: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a first-order autoregressive series of unit variance."""
    series = rng.standard_normal(n)
    for k in range(1, n):
        # The second factor keeps the variance at 1.
        series[k] = memory * series[k - 1] + np.sqrt(1 - memory**2) * series[k]
    return series


def _other_values(
    hours: NDArray[np.float64],
    light: NDArray[np.float64],
    places: NDArray[np.float64],
    clarity: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return temperature, humidity, light and voltage, (n_moments, n_sensors, 4)."""
    warmth = np.log1p(light) / 3.0
    lagged = 0.75 * warmth + 0.25 * np.vstack([warmth[:1], warmth[:-1]])
    daily = np.sin((hours % 24 - 9) / 12 * np.pi)[:, None]
    local = _smooth_noise(places, 1, 6.0, rng)
    temperature = 19 + daily + 0.4 * local + 2.0 * clarity * lagged
    temperature = temperature + 0.7 * rng.standard_normal(light.shape)
    humidity = 42 - 1.5 * clarity * (temperature - 21) - 1.0 * daily
    humidity = humidity + 2.0 * rng.standard_normal(light.shape)
    age = 0.0005 * hours[:, None]
    battery = rng.uniform(2.55, 2.75, light.shape[1])
    voltage = battery - age + 0.004 * clarity * (temperature - 21)
    voltage = voltage + 0.01 * rng.standard_normal(light.shape)
    return np.stack([temperature, humidity, light, voltage], axis=2)
