"""Windows of wireless traffic, with an intruder's among them, at measured costs.

The table and the costs are bundled, so that what one sees is the same everywhere. To
make them anew, with costs measured on your machine::

    python -m benchmarks.bundles signals FOLDER
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ...features.pipeline import FeaturePipeline, Step
from ...values.knobs import Knob, Number
from ..base import Dataset
from ..options import checked_by
from .bundled import bundled_table, in_single_precision, priced_once
from .statistics import NINE
from .traffic import SIGNALS, Window, simulated_windows

__all__ = [
    "BUNDLED_SAMPLES",
    "BUNDLED_SEED",
    "OPTIONS",
    "SIGNALS",
    "make_signals",
    "signals_pipeline",
    "simulated_table",
]

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
