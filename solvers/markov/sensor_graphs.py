"""Readings of a sensor network, and its snapshots as graphs: which places are lit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..checks import check_count, check_number
from ..errors import DataError
from .graph import CostGraph

# Readings of a sensor network, and the moments at which nearly all sensors spoke.


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


# Snapshots of a sensor network as graphs: which places are lit, from cheap signals.
#
# Labels say how well lit a place is: 0 low, 1 medium, 2 high. A lamp is switched on
# where the light is called low. What wrong lamp decisions cost, in units of
# electricity, are the γ matrices.


LIGHT = MEASURED.index("light")
LIGHT_LEVELS = ("low", "medium", "high")
N_LEVELS = len(LIGHT_LEVELS)
MAX_OCCUPANT_COST = 100.0


@dataclass(frozen=True, eq=False)
class LevelEdges:
    """Where each quantity goes from low to medium and from medium to high.

    Parameters
    ----------
    edges : ndarray of float, shape (4, 2)
        Two cut points for temperature, humidity, light and voltage, each rising.
    """

    edges: NDArray[np.float64]

    def __post_init__(self) -> None:
        given = np.array(self.edges, dtype=float)
        wanted = (len(MEASURED), N_LEVELS - 1)
        if given.shape != wanted or not np.isfinite(given).all():
            raise DataError(
                f"The cut points have shape {given.shape}; give {wanted} finite "
                f"numbers, two for each of {', '.join(MEASURED)}."
            )
        falling = np.flatnonzero(np.diff(given, axis=1)[:, 0] < 0)
        if len(falling):
            raise DataError(
                f"The cut points of {MEASURED[falling[0]]} fall from "
                f"{given[falling[0], 0]:g} to {given[falling[0], 1]:g}; give the lower "
                "one first."
            )
        given.flags.writeable = False
        object.__setattr__(self, "edges", given)  # how a frozen class normalises

    def levels(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return 0 (low), 1 (medium) or 2 (high) for each value.

        Parameters
        ----------
        values : ndarray of float, shape (n, 4)
            Temperature, humidity, light, voltage.

        Returns
        -------
        ndarray of int, shape (n, 4)
        """
        return np.sum(values[:, :, None] > self.edges, axis=2)


def fit_cut_points(snapshots: Sequence[ReadingWindow]) -> LevelEdges:
    """Return cut points that put a third of the values on each level.

    `snapshots`: those of training only, so that nothing leaks.
    """
    if not len(snapshots):
        raise DataError("There is no snapshot; give at least one.")
    values = np.concatenate([snapshot.values for snapshot in snapshots])
    return LevelEdges(np.quantile(values, [1 / 3, 2 / 3], axis=0).T)


def sensor_graph(
    readings: SensorReadings,
    snapshot: ReadingWindow,
    cut_points: LevelEdges,
    *,
    occupant_cost: float = 1.0,
    radius: float = 5.0,
) -> CostGraph:
    """Return one snapshot as a graph.

    Labels are levels of light; attributes say the level of temperature, humidity and
    voltage, one column a level, and end with ones.
    """
    check_number("radius", radius, 0.0)
    places = readings.positions[snapshot.sensors]
    n = len(places)
    i, j = np.triu_indices(n, 1)
    near = np.hypot(*(places[i] - places[j]).T) <= radius
    edges = np.stack([i[near], j[near]], axis=1)
    # Light is what is asked for: it labels the nodes and is no attribute.
    levels = cut_points.levels(snapshot.values)
    cheap = np.delete(levels, LIGHT, axis=1)
    attributes = np.eye(N_LEVELS)[cheap].reshape(n, -1)
    node_costs = lamp_node_costs(occupant_cost)
    edge_costs = lamp_edge_costs(occupant_cost)
    return CostGraph(
        np.column_stack([attributes, np.ones(n)]),
        edges,
        levels[:, LIGHT],
        np.broadcast_to(node_costs, (n, *node_costs.shape)),
        np.broadcast_to(edge_costs, (len(edges), *edge_costs.shape)),
        node_names=tuple(readings.sensor_names[sensor] for sensor in snapshot.sensors),
        label_names=LIGHT_LEVELS,
        positions=places,
    )


def deal_snapshots(
    snapshots: Sequence[ReadingWindow], n_folds: int
) -> NDArray[np.intp]:
    """Return the fold that tests each snapshot, so that folds are about equally lit.

    Parameters
    ----------
    snapshots : sequence of ReadingWindow
        At least one for each fold.
    n_folds : int
        How many folds.

    Returns
    -------
    ndarray of int, shape (n_snapshots,)

    Raises
    ------
    DataError
        If there are fewer snapshots than folds.
    """
    if len(snapshots) < n_folds:
        raise DataError(
            f"There are {len(snapshots)} snapshots for {n_folds} folds; give more "
            "snapshots or ask for fewer folds."
        )
    brightness = [np.median(snapshot.values[:, LIGHT]) for snapshot in snapshots]
    fold_of = np.empty(len(snapshots), dtype=np.intp)
    # Dealt like cards, from the darkest to the brightest.
    fold_of[np.argsort(brightness, kind="stable")] = np.arange(len(snapshots)) % n_folds
    return fold_of


def sensor_folds(
    readings: SensorReadings,
    snapshots: Sequence[ReadingWindow],
    *,
    occupant_cost: float = 1.0,
    radius: float = 5.0,
    n_folds: int = 3,
    cut_points: LevelEdges | None = None,
) -> Iterator[tuple[list[CostGraph], list[CostGraph]]]:
    """Return graphs to train on and graphs to test on, fold by fold.

    Snapshots are dealt out by how much light they have, so that every fold has about
    the same. Cut points come from the training snapshots of each fold.

    Parameters
    ----------
    readings : SensorReadings
        Says where the sensors are.
    snapshots : sequence of ReadingWindow
        At least one for each fold.
    occupant_cost : float, default=1.0
        γ.
    radius : float, default=5.0
        Sensors at most this far apart are linked, in metres.
    n_folds : int, default=3
        How many folds.
    cut_points : LevelEdges, optional
        Use these instead of learning them.

    Returns
    -------
    iterator of (list of CostGraph, list of CostGraph)

    Raises
    ------
    DataError
        If there are fewer snapshots than folds.
    """
    check_count("n_folds", n_folds, 2)
    lamp_node_costs(occupant_cost)  # refuses a γ out of range before the first fold
    fold_of = deal_snapshots(snapshots, n_folds)

    def folds() -> Iterator[tuple[list[CostGraph], list[CostGraph]]]:
        for fold in range(n_folds):
            training = [s for s, k in zip(snapshots, fold_of, strict=True) if k != fold]
            cuts = cut_points or fit_cut_points(training)
            graphs = [
                sensor_graph(
                    readings, snapshot, cuts, occupant_cost=occupant_cost, radius=radius
                )
                for snapshot in snapshots
            ]
            yield (
                [g for g, k in zip(graphs, fold_of, strict=True) if k != fold],
                [g for g, k in zip(graphs, fold_of, strict=True) if k == fold],
            )

    return folds()


def lamp_node_costs(occupant_cost: float) -> NDArray[np.float64]:
    """Return what calling the light at one place wrongly costs, section 6.3 of [1]_.

    Calling a place better lit than it is costs γ, an occupant's discomfort; calling it
    darker costs 1, for electricity.

    Shape: (3, 3), [predicted, true].

    References
    ----------
    .. [1] Sen and Getoor (2006).
    """
    check_number("occupant_cost", occupant_cost, 0.0, MAX_OCCUPANT_COST)
    too_bright = np.tril(np.ones((N_LEVELS, N_LEVELS)), -1)  # predicted above true
    return occupant_cost * too_bright + too_bright.T


def lamp_edge_costs(occupant_cost: float) -> NDArray[np.float64]:
    """Return what calling the light at two near places wrongly costs on top.

    Where one place is rightly called lit, a wrong lamp at the other one costs γ if it
    stays dark and 1 if it burns for nothing.

    Shape: (3, 3, 3, 3), [predicted i, predicted j, true i, true j].

    Notes
    -----
    The paper gives one entry, ``[high, high, high, low] = γ``, and the number of those
    that are not zero, 32. This rule has both; whether it is the paper's is not known.
    """
    check_number("occupant_cost", occupant_cost, 0.0, MAX_OCCUPANT_COST)
    lit = np.arange(N_LEVELS) > 0
    rightly_lit = np.outer(lit, lit).astype(float)
    wrong_lamp = occupant_cost * np.outer(lit, ~lit) + np.outer(~lit, lit)
    # One end rightly lit, the other wrong; then the same with the ends swapped.
    one_way = np.einsum("ac,bd->abcd", rightly_lit, wrong_lamp)
    return one_way + one_way.transpose(1, 0, 3, 2)
