"""The eleven statistics of Table 1 at the prices that the paper prints.

References
----------
Li et al., "Accelerated cost-aware classification over large-scale sparse feature
dependency hypergraphs", 2019, Table 1.
"""

from __future__ import annotations

import numpy as np

from ...features.pipeline import FeaturePipeline
from ...numerics.arrays import Floats
from ...values.knobs import Choice, Knob
from ..base import Dataset
from ..options import Facts, checked_by
from .signals import SIGNALS, make_signals
from .statistics import NINE, TABLE_1, pearson_skewness, root_mean_square

__all__ = ["FACTS", "OPTIONS", "PUBLISHED_TOTALS", "make_published"]

FACTS = Facts(6000, 2, "published", "BSD-3-Clause", "the example of Table 1")

#: Microseconds to generate each feature on its own, all that it needs included.
PUBLISHED_TOTALS = {
    "mean": 0.672,
    "median": 4.365,
    "mad": 8.346,
    "deviation": 1.608,
    "skewness": 14.917,
    "kurtosis": 14.095,
    "maximum": 0.464,
    "minimum": 0.652,
    "mean_square": 1.147,
    "root_mean_square": 1.273,
    "pearson_skewness": 8.011,
}

OPTIONS: dict[str, Knob] = {
    "signal": Choice("Signal", SIGNALS, doc="Which signal of the windows to look at.")
}


@checked_by(OPTIONS)
def make_published(signal: str = "sizes_up") -> Dataset:
    """Return the eleven statistics of one signal, priced as published.

    The rows are windows of simulated traffic, the same as in `make_signals`. The paper
    prints what each feature takes on its own; a component costs this less what it
    shares: of the 1.608 us of the deviation, the mean takes 0.672.

    Parameters
    ----------
    signal : str, default="sizes_up"
        One of the six signals of a window.

    Returns
    -------
    Dataset
        11 features, 11 components, 7 of them needed by one feature only.

    Raises
    ------
    KnobError
        If there is no such signal.
    """
    pipeline = FeaturePipeline(TABLE_1, inputs=["signal"])
    windows = make_signals()
    return Dataset(
        name="published",
        X=_eleven(windows, signal),
        y=windows.y,
        hypergraph=pipeline.hypergraph(_component_costs(pipeline)),
        positive=windows.positive,
        source=f"The signal {signal!r} of simulated windows of wireless traffic.",
        costs_note="As published in Table 1 of the ACAFH paper.",
        pipeline=pipeline,
        samples=[window[signal] for window in windows.samples],
    )


def _eleven(windows: Dataset, signal: str) -> Floats:
    """Return the nine columns that there are, and the two that follow from them."""
    column = {
        function.__name__: windows.X[
            :, windows.feature_names.index(f"{signal}_{function.__name__}")
        ]
        for function in NINE
    }
    rows = zip(column["mean"], column["median"], column["deviation"], strict=True)
    column["root_mean_square"] = np.array(
        [root_mean_square(square) for square in column["mean_square"]]
    )
    column["pearson_skewness"] = np.array([pearson_skewness(*row) for row in rows])
    return np.column_stack([column[function.__name__] for function in TABLE_1])


def _component_costs(pipeline: FeaturePipeline) -> dict[str, float]:
    """Return the published totals less what is shared, so that sums are as printed."""
    costs: dict[str, float] = {}
    for name in pipeline.components:  # stand after what they need, as in the table
        others = [n for n in pipeline.trim([name]).components if n != name]
        shared = sum(costs[other] for other in others)
        costs[name] = PUBLISHED_TOTALS[name] - shared
    return costs
