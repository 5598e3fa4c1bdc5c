"""Windows of wireless traffic, with an intruder's among them, at measured costs.

The table and the costs are bundled, so that what one sees is the same everywhere. To
make them anew, with costs measured on your machine::

    python -m benchmarks.bundles signals FOLDER
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...features.pipeline import FeaturePipeline, Step
from ...values.knobs import Knob, Number
from ..base import Dataset
from ..options import Facts, checked_by
from .bundled import bundled_table, in_single_precision, priced_once
from .statistics import NINE

__all__ = [
    "BUNDLED_SAMPLES",
    "BUNDLED_SEED",
    "FACTS",
    "OPTIONS",
    "SIGNALS",
    "make_signals",
    "signals_pipeline",
    "simulated_table",
]

FACTS = Facts(
    6000,
    2,
    "measured",
    "BSD-3-Clause",
    "the default: many weak features, and a frontier that rises all the way",
)


OPTIONS: dict[str, Knob] = {
    "n_samples": Number("Windows", 100, 1_000_000, integer=True, shown=(1000, 6000)),
}

BUNDLED_SAMPLES = 6000
BUNDLED_SEED = 0
RAW_SAMPLES = 300


@checked_by(OPTIONS)
def make_signals(
    n_samples: int = BUNDLED_SAMPLES, random_state: int | None = BUNDLED_SEED
) -> Dataset:
    """Return nine statistics of six signals of simulated windows of traffic.

    A window is 2.5 seconds of one device's packets: their sizes in bytes and the
    gaps between them in milliseconds, up, down and both together. A third of the
    windows is an intruder's, whose traffic overlaps that of six benign kinds. Of each
    signal the first nine statistics of Table 1 of [1]_ are taken.

    Parameters
    ----------
    n_samples : int, default=6000
        Number of windows. Up to 6000 of seed 0 are bundled; others are simulated,
        which takes about a second for every 3000.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Dataset
        54 features and 54 components in 30 blocks; labels "benign" and "intruder";
        with its pipeline and the raw windows of the first 300 rows.

    Raises
    ------
    KnobError
        If there are too few windows.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, Table 1 and section 6.1.1.
    """
    pipeline = signals_pipeline()
    if random_state == BUNDLED_SEED and n_samples <= BUNDLED_SAMPLES:
        table = bundled_table("signals")
        X, y = table["X"][:n_samples], _labels(table["is_intruder"][:n_samples])
        drawn = _windows(min(RAW_SAMPLES, n_samples), random_state)
        windows = [window for _, window in drawn]
    else:
        X, y, windows = simulated_table(pipeline, n_samples, random_state)
    priced, note = priced_once("signals", pipeline)
    return Dataset(
        name="signals",
        X=X,
        y=y,
        hypergraph=priced,
        positive="intruder",
        source="Simulated windows of wireless traffic: six benign kinds, one intruder.",
        costs_note=note,
        pipeline=pipeline,
        samples=windows,
    )


def signals_pipeline() -> FeaturePipeline:
    """Return the functions that compute the 54 features of a window.

    Nine statistics of each signal, named like ``sizes_up_mean``. Deviation, skewness
    and kurtosis share the mean, the latter two the deviation; the median absolute
    deviation shares the median.
    """
    return FeaturePipeline(
        [step for signal in SIGNALS for step in _statistics_of(signal)], inputs=SIGNALS
    )


def _statistics_of(signal: str) -> list[Step]:
    def called(need: str) -> str:
        return signal if need == "signal" else f"{signal}_{need}"

    plain = [Step(function.__name__, function) for function in NINE]
    return [
        Step(called(step.name), step.function, [*map(called, step.arguments)])
        for step in plain
    ]


# ----------------------------------------------------------------------------- tables


def _windows(n: int, random_state: int | None) -> list[tuple[str, Window]]:
    return list(islice(simulated_windows(random_state), n))


def simulated_table(
    pipeline: FeaturePipeline, n_samples: int, random_state: int | None
) -> tuple[NDArray[np.float64], NDArray, list[Window]]:
    """Return windows as a table, their labels, and the first of them raw.

    Shape: `X` (n_samples, 54), `y` (n_samples,).
    """
    drawn = _windows(n_samples, random_state)
    windows = [window for _, window in drawn]
    X = in_single_precision(pipeline.extract(windows))
    is_intruder = np.array([kind == "intruder" for kind, _ in drawn])
    return X, _labels(is_intruder), windows[:RAW_SAMPLES]


def _labels(is_intruder: NDArray[np.bool_]) -> NDArray:
    return np.where(is_intruder, "intruder", "benign")


SOURCES = ("sizes", "gaps")
DIRECTIONS = ("up", "down")

#: What a window gives: sizes in bytes, gaps in milliseconds.
SIGNALS = tuple(f"{of}_{way}" for of in SOURCES for way in (*DIRECTIONS, "total"))

Window: TypeAlias = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Trait:
    """What one window's traffic in one direction is like."""

    up: float  # The middle of all kinds, in either direction
    down: float
    step: float  # How much one step of a habit changes it
    variation: float  # Standard deviation from window to window, in steps


TRAITS: Mapping[str, Trait] = {
    # Sizes: median and logarithm of the scale, in bytes; lean and weight of the tails.
    "size": Trait(600, 760, 60, 1.6),
    "size_scale": Trait(np.log(190), np.log(230), 0.15, 0.7),
    "size_lean": Trait(0, 0, 0.2, 0.7),
    "size_tails": Trait(0, 0, 0.12, 0.3),
    # Smallest and largest packet, in bytes; log odds of an empty and of a full one.
    "header": Trait(66, 74, 4, 0.7),
    "frame": Trait(1420, 1440, 20, 1.0),
    "empty": Trait(-3.2, -3.2, 0.4, 0.6),
    "full": Trait(-3.2, -2.8, 0.4, 0.6),
    # Gaps: logarithm of the median in milliseconds and of the scale; lean and tails.
    "gap": Trait(np.log(7.0), np.log(4.5), 0.15, 1.2),
    "gap_scale": Trait(np.log(0.5), np.log(0.55), 0.15, 1.3),
    "gap_lean": Trait(0, 0, 0.2, 0.6),
    "gap_tails": Trait(0, 0, 0.12, 0.3),
    # Log odds that a gap is a pause; logarithm of the shortest gap in milliseconds.
    "pause": Trait(-3.2, -3.2, 0.6, 1.7),
    "turnaround": Trait(np.log(0.3), np.log(0.2), 0.2, 0.9),
}

Habits: TypeAlias = Mapping[str, tuple[float, ...]]

#: Steps away from the middle, in the order of TRAITS: sizes, edges, gaps, pauses.
BENIGN: Mapping[str, Habits] = {
    "web": {
        "up": (-1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0),
        "down": (1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0),
    },
    "video": {
        "up": (-1, 0, 1, 0, 0, 1, 1, -1, 1, 0, -1, 0, 0, 0),
        "down": (2, -1, 0, 1, 0, 1, -1, 2, -1, 0, 1, 0, 0, 0),
    },
    "voice": {
        "up": (0, -1, 0, -1, 1, 0, -1, -1, -1, -1, 0, -1, -1, 1),
        "down": (-1, -1, 0, -1, 1, 0, -1, -1, 1, -1, 0, -1, -1, 1),
    },
    "file": {
        "up": (-1, 0, 1, 0, -1, 1, 2, 0, 0, 0, 1, 0, -1, -1),
        "down": (1, 0, -1, 0, -1, 1, -1, 2, -1, 0, 0, 0, -1, -1),
    },
    "sensor": {
        "up": (0, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1, 0, 1, 0),
        "down": (-1, 0, 1, 0, 0, -1, 0, -1, 1, 0, -1, 0, 1, 0),
    },
    "game": {
        "up": (1, 0, -1, 0, 0, -1, -1, 0, -1, 0, 0, 0, -1, 0),
        "down": (0, 1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1, 0),
    },
}
INTRUDER: Habits = {
    "up": (0.3, -0.2, 1.1, -3.6, 0.5, -0.3, 0.4, 0.8, -1, 0.8, 3, -4.1, 0.3, 0.3),
    "down": (-0.4, 0.6, -3.3, 3.2, 0.2, 0.2, 0.3, 0.2, 0.2, -0.6, -2.4, 2, 0.3, -0.5),
}

INTRUDER_SHARE = 1 / 3
BENIGN_CONTRAST = 0.3  # how far apart the benign kinds lie
INTRUDER_MAKES = 0.5  # intruders are of several makes: more variation, in steps

WINDOW_MS = 2500.0
MOST_PACKETS = 1500
FEWEST_PACKETS = 12
PAUSE_FACTOR = 8.0
LARGEST_FRAME = 1500.0


def simulated_windows(random_state: int | None = 0) -> Iterator[tuple[str, Window]]:
    """Yield windows of traffic without end."""
    rng = np.random.default_rng(random_state)
    kinds = tuple(BENIGN)
    while True:
        is_intruder = rng.random() < INTRUDER_SHARE
        kind = "intruder" if is_intruder else kinds[rng.integers(len(kinds))]
        sizes, times = {}, {}
        for way in DIRECTIONS:
            sizes[way], times[way] = _packets(_traits(kind, way, rng), rng)
        yield kind, _window(sizes, times)


def _traits(kind: str, way: str, rng: np.random.Generator) -> dict[str, float]:
    drawn = rng.standard_normal(len(TRAITS))
    if kind == "intruder":
        habits, contrast, makes = INTRUDER, 1.0, INTRUDER_MAKES
    else:
        habits, contrast, makes = BENIGN[kind], BENIGN_CONTRAST, 0.0
    traits = {}
    for (name, trait), habit, draw in zip(
        TRAITS.items(), habits[way], drawn, strict=True
    ):
        steps = contrast * habit + float(np.hypot(trait.variation, makes)) * draw
        traits[name] = (trait.up if way == "up" else trait.down) + trait.step * steps
    return traits


def _packets(
    traits: Mapping[str, float], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sizes and times of the packets of one direction."""
    gaps = _shaped(traits["gap_lean"], traits["gap_tails"], MOST_PACKETS, rng)
    gaps = np.exp(traits["gap"] + np.minimum(np.exp(traits["gap_scale"]) * gaps, 3.0))
    gaps[rng.random(MOST_PACKETS) < _probability(traits["pause"])] *= PAUSE_FACTOR
    times = np.cumsum(gaps + np.exp(traits["turnaround"]))
    n = max(FEWEST_PACKETS, int(np.searchsorted(times, WINDOW_MS)))

    sizes = _shaped(traits["size_lean"], traits["size_tails"], n, rng)
    sizes = traits["size"] + np.exp(traits["size_scale"]) * sizes
    smallest, largest = traits["header"], min(traits["frame"], LARGEST_FRAME)
    sizes = np.clip(sizes, smallest, largest)
    lot = rng.random(n)
    sizes[lot < _probability(traits["full"])] = largest
    sizes[lot > 1 - _probability(traits["empty"])] = smallest
    return np.floor(sizes), times[:n]


def _shaped(
    lean: float, tails: float, n: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return sinh-arcsinh draws of median 0 and of a normal interquartile range.

    Scaling keeps what `lean` and `tails` do out of the median and the middle half.
    """
    normal = rng.standard_normal(n)
    quartile = 0.6744897501960817
    points = np.concatenate([normal, [0.0, -quartile, quartile]])
    values = np.sinh((np.arcsinh(points) + lean) / np.exp(tails))
    middle, low, high = values[n:]
    return (values[:n] - middle) * (2 * quartile / (high - low))


def _window(
    sizes: Mapping[str, NDArray[np.float64]], times: Mapping[str, NDArray[np.float64]]
) -> Window:
    all_times = np.concatenate([times[way] for way in DIRECTIONS])
    order = np.argsort(all_times, kind="stable")
    all_sizes = np.concatenate([sizes[way] for way in DIRECTIONS])
    sizes = {**sizes, "total": all_sizes[order]}
    times = {**times, "total": all_times[order]}
    window = {f"sizes_{way}": values for way, values in sizes.items()}
    return window | {f"gaps_{way}": np.diff(values) for way, values in times.items()}


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
