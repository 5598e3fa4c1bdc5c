"""Sensor readings from files: the public lab format, and CSV.

The lab format has a line ``date time epoch moteid temperature humidity light voltage``
for each reading, and a file of lines ``moteid x y``. Lines that make no sense are
counted and left out: the public file has many.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InterchangeError, shown
from ..interchange.cells import guarded
from .readings import MEASURED, SensorReadings
from .text_tables import TextSource, lines_of, number_in, rows_of, source_name

__all__ = ["read_lab", "read_sensor_csv", "write_lab", "write_sensor_csv"]

EPOCH = datetime(1970, 1, 1)
TICK = timedelta(microseconds=1)
# Outside of these a mote fails: the public file reads 122 degrees on low batteries.
POSSIBLE = {
    "temperature": (-10.0, 60.0),
    "light": (0.0, float("inf")),
    "voltage": (1.8, 3.3),
}
CSV_COLUMNS = ("timestamp", "sensor", *MEASURED)

# Sensor name, time as text, the four values as text; None for a line without them.
Fields: TypeAlias = "tuple[str, str, tuple[str, ...]] | None"


def read_lab(readings: TextSource, locations: TextSource) -> SensorReadings:
    """Return readings in the public lab format.

    Parameters
    ----------
    readings : path or text stream
        Eight columns, by blanks or commas; a path ending in ``.gz`` is unpacked.
    locations : path or text stream
        Three columns, sensor, x and y, in metres.

    Returns
    -------
    SensorReadings
        In the order of time. `dropped` counts the lines left out: of other than eight
        fields, of unknown sensors, with no number or date, with an impossible value.

    Raises
    ------
    InterchangeError
        If a location is wrong, or no line at all can be read.
    """
    positions = _lab_locations(locations)
    fields = (_lab_fields(line) for line in lines_of(readings) if line.strip())
    return _collect(fields, positions, source_name(readings))


def read_sensor_csv(readings: TextSource, sensors: TextSource) -> SensorReadings:
    """Return readings from CSV files.

    Parameters
    ----------
    readings : path or text stream
        Columns timestamp, sensor, temperature, humidity, light, voltage.
    sensors : path or text stream
        Columns sensor, x, y; in metres.

    Returns
    -------
    SensorReadings
        As from `read_lab`.

    Raises
    ------
    InterchangeError
        If a column is missing, a location is wrong, or no row at all can be read.
    """
    name = source_name(sensors)
    positions: dict[str, tuple[float, float]] = {}
    for line, row in rows_of(sensors, ("sensor", "x", "y"))[1]:
        place = (number_in(row, "x", line, name), number_in(row, "y", line, name))
        _add_position(positions, row["sensor"], place, line, name)
    rows = rows_of(readings, CSV_COLUMNS)[1]
    fields = (
        (row["sensor"], row["timestamp"], tuple(row[column] for column in MEASURED))
        for _, row in rows
    )
    return _collect(fields, positions, source_name(readings))


def write_lab(readings: SensorReadings, folder: Path) -> tuple[Path, Path]:
    """Write readings in the public lab format.

    Parameters
    ----------
    readings : SensorReadings
        What to write.
    folder : Path
        Where; ``data.txt`` and ``mote_locs.txt`` are written there.

    Returns
    -------
    data, locations : Path
    """
    data, locations = folder / "data.txt", folder / "mote_locs.txt"
    moments = np.unique(readings.times, return_inverse=True)[1]
    with open(data, "w", encoding="utf-8") as stream:
        for epoch, (stamp, name, values) in zip(moments, _lines(readings), strict=True):
            stream.write(
                f"{stamp.replace('T', ' ')} {epoch} {name} {' '.join(values)}\n"
            )
    with open(locations, "w", encoding="utf-8") as stream:
        for name, (x, y) in zip(
            readings.sensor_names, readings.positions.tolist(), strict=True
        ):
            stream.write(f"{name} {x!r} {y!r}\n")
    return data, locations


def write_sensor_csv(readings: SensorReadings, folder: Path) -> tuple[Path, Path]:
    """Write readings as CSV.

    Parameters
    ----------
    readings : SensorReadings
        What to write.
    folder : Path
        Where; ``readings.csv`` and ``sensors.csv`` are written there.

    Returns
    -------
    data, locations : Path
    """
    data, locations = folder / "readings.csv", folder / "sensors.csv"
    with open(data, "w", encoding="utf-8") as stream:
        stream.write(",".join(CSV_COLUMNS) + "\n")
        for stamp, name, values in _lines(readings):
            stream.write(f"{stamp},{guarded(name)},{','.join(values)}\n")
    with open(locations, "w", encoding="utf-8") as stream:
        stream.write("sensor,x,y\n")
        for name, (x, y) in zip(
            readings.sensor_names, readings.positions.tolist(), strict=True
        ):
            stream.write(f"{guarded(name)},{x!r},{y!r}\n")
    return data, locations


def _lines(readings: SensorReadings) -> Iterator[tuple[str, str, list[str]]]:
    stamps = np.datetime_as_string(readings.times, unit="us")
    rows = zip(stamps, readings.sensors, readings.values.tolist(), strict=True)
    for stamp, sensor, values in rows:
        yield str(stamp), readings.sensor_names[sensor], [repr(v) for v in values]


def _lab_locations(locations: TextSource) -> dict[str, tuple[float, float]]:
    name = source_name(locations)
    positions: dict[str, tuple[float, float]] = {}
    for number, line in enumerate(lines_of(locations), start=1):
        cells = line.replace(",", " ").split()
        if not cells:
            continue
        if len(cells) != 3:
            raise InterchangeError(
                f"Line {number} of {name} has {len(cells)} fields; give sensor, x "
                "and y."
            )
        row = dict(zip(("sensor", "x", "y"), cells, strict=True))
        place = tuple(number_in(row, axis, number, name) for axis in ("x", "y"))
        _add_position(positions, cells[0], (place[0], place[1]), number, name)
    return positions


def _add_position(
    positions: dict[str, tuple[float, float]],
    sensor: str,
    place: tuple[float, float],
    line: int,
    name: str,
) -> None:
    if sensor in positions:
        raise InterchangeError(
            f"Line {line} of {name} places sensor {shown(sensor)} a second time; place "
            "every sensor once."
        )
    positions[sensor] = place


def _lab_fields(line: str) -> Fields:
    cells = line.replace(",", " ").split()
    if len(cells) != 8:
        return None
    return cells[3], f"{cells[0]}T{cells[1]}", tuple(cells[4:])


def _collect(
    rows: Iterable[Fields], positions: Mapping[str, tuple[float, float]], name: str
) -> SensorReadings:
    """Return the rows that make sense, and count the others."""
    index = {sensor: k for k, sensor in enumerate(positions)}
    times, sensors, values = array("q"), array("q"), array("d")
    dropped: Counter[str] = Counter()
    for fields in rows:
        if fields is None:
            dropped["not eight fields"] += 1
        elif fields[0] not in index:
            dropped["unknown sensor"] += 1
        elif (parsed := _parsed(fields[1], fields[2])) is None:
            dropped["not a number or a date"] += 1
        elif not _is_possible(parsed[1]):
            dropped["impossible value"] += 1
        else:
            times.append(parsed[0])
            sensors.append(index[fields[0]])
            values.extend(parsed[1])
    if not times:
        raise InterchangeError(
            f"{name} has no reading that can be used ({sum(dropped.values())} lines "
            "left out); give lines of date, time, epoch, sensor and four values."
        )
    order = np.argsort(np.asarray(times), kind="stable")
    return SensorReadings(
        np.asarray(times).astype("datetime64[us]")[order],
        _whole(sensors)[order],
        np.asarray(values).reshape(-1, len(MEASURED))[order],
        tuple(positions),
        np.array(list(positions.values())),
        dict(dropped),
    )


def _whole(values: array) -> NDArray[np.intp]:
    return np.asarray(values).astype(np.intp)


def _parsed(stamp: str, cells: tuple[str, ...]) -> tuple[int, list[float]] | None:
    try:
        moment = datetime.fromisoformat(stamp)
        values = [float(cell) for cell in cells]
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # no year 0 in another place's time
        return None
    return (moment - EPOCH) // TICK, values


def _is_possible(values: list[float]) -> bool:
    by_name = dict(zip(MEASURED, values, strict=True))
    finite = all(abs(value) < float("inf") for value in values)
    return finite and all(
        low <= by_name[what] <= high for what, (low, high) in POSSIBLE.items()
    )
