"""Sensor readings from files: the public lab format, and CSV.

The lab format has a line ``date time epoch moteid temperature humidity light voltage``
for each reading, and a file of lines ``moteid x y``. Lines that make no sense are
counted and left out: the public file has many.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ..costs.interchange.csv_rows import guarded
from ..errors import InterchangeError, counted, shown
from ..values import plain_number
from .sensor_graphs import MEASURED, SensorReadings
from .text_tables import TextSource, lines_of, number_in, rows_of, source_name

EPOCH = datetime(1970, 1, 1)
TICK = timedelta(microseconds=1)
# Outside of these a mote fails: the public file reads 122 degrees on low batteries.
LARGEST = sys.float_info.max
POSSIBLE = {
    "temperature": (-10.0, 60.0),
    "humidity": (-LARGEST, LARGEST),
    "light": (0.0, LARGEST),
    "voltage": (1.8, 3.3),
}
CSV_COLUMNS = ("timestamp", "sensor", *MEASURED)
PLACE_COLUMNS = ("sensor", "x", "y")

# Sensor name, time as text, the four values as text; None for a line without them.
Fields: TypeAlias = "tuple[str, str, tuple[str, ...]] | None"


def read_lab(readings: TextSource, locations: TextSource) -> SensorReadings:
    """Return readings in the public lab format.

    Parameters
    ----------
    readings : path or text stream
        Eight columns, by blanks or commas, with decimal points; a path ending in
        ``.gz`` is unpacked.
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
    positions = _positions(_lab_places(locations), source_name(locations))
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
    places = rows_of(sensors, PLACE_COLUMNS)[1]
    positions = _positions(places, source_name(sensors))
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
    rows = zip(moments, _lines(readings), strict=True)
    _write(
        data,
        (
            f"{stamp.replace('T', ' ')} {epoch} {name} {' '.join(values)}"
            for epoch, (stamp, name, values) in rows
        ),
    )
    _write(locations, (f"{name} {x!r} {y!r}" for name, x, y in _places(readings)))
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
    _write(
        data,
        (
            f"{stamp},{guarded(name)},{','.join(values)}"
            for stamp, name, values in _lines(readings)
        ),
        CSV_COLUMNS,
    )
    places = (f"{guarded(name)},{x!r},{y!r}" for name, x, y in _places(readings))
    _write(locations, places, PLACE_COLUMNS)
    return data, locations


def _write(path: Path, lines: Iterable[str], header: Sequence[str] = ()) -> None:
    first = [",".join(header)] if header else []
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in chain(first, lines))


def _places(readings: SensorReadings) -> Iterator[tuple[str, float, float]]:
    for name, place in zip(
        readings.sensor_names, readings.positions.tolist(), strict=True
    ):
        yield name, *place


def _lines(readings: SensorReadings) -> Iterator[tuple[str, str, list[str]]]:
    stamps = np.datetime_as_string(readings.times, unit="us")
    rows = zip(stamps, readings.sensors, readings.values.tolist(), strict=True)
    for stamp, sensor, values in rows:
        yield str(stamp), readings.sensor_names[sensor], [repr(v) for v in values]


def _lab_places(locations: TextSource) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a file of locations with their line numbers."""
    for number, line in enumerate(lines_of(locations), start=1):
        cells = line.replace(",", " ").split()
        if len(cells) not in (0, len(PLACE_COLUMNS)):
            raise InterchangeError(
                f"Line {number} of {source_name(locations)} has {len(cells)} fields; "
                "give sensor, x and y."
            )
        if cells:
            yield number, dict(zip(PLACE_COLUMNS, cells, strict=True))


def _positions(
    rows: Iterable[tuple[int, dict[str, str]]], name: str
) -> dict[str, tuple[float, float]]:
    positions: dict[str, tuple[float, float]] = {}
    for line, row in rows:
        if row["sensor"] in positions:
            raise InterchangeError(
                f"Line {line} of {name} places sensor {shown(row['sensor'])} a second "
                "time; place every sensor once."
            )
        x, y = (number_in(row, axis, line, name) for axis in ("x", "y"))
        positions[row["sensor"]] = x, y
    return positions


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
        lost = f"({counted(sum(dropped.values()), 'line')} left out)"
        why = f"has no reading that can be used {lost}" if dropped else "is empty"
        raise InterchangeError(
            f"{name} {why}; give lines of date, time, epoch, sensor and four values."
        )
    order = np.argsort(np.asarray(times), kind="stable")
    return SensorReadings(
        np.asarray(times).astype("datetime64[us]")[order],
        np.asarray(sensors).astype(np.intp)[order],
        np.asarray(values).reshape(-1, len(MEASURED))[order],
        tuple(positions),
        np.array(list(positions.values())),
        dict(dropped),
    )


def _parsed(stamp: str, cells: tuple[str, ...]) -> tuple[int, list[float]] | None:
    values = [value for value in map(plain_number, cells) if value is not None]
    if len(values) < len(cells):
        return None
    try:
        moment = datetime.fromisoformat(stamp)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # no year 0 in another place's time
        return None
    return (moment - EPOCH) // TICK, values


def _is_possible(values: list[float]) -> bool:
    limits = (POSSIBLE[what] for what in MEASURED)
    return all(
        low <= value <= high for value, (low, high) in zip(values, limits, strict=True)
    )
