"""Many-channel signals with a response to some stimuli hidden in them.

Signals are smooth in time and over neighbouring channels, and the singular values of
the whole table are those that the paper reports of its electroencephalograms: a few
directions carry nearly everything. Rows of the target class add a response, one bump in
time on a patch of channels, so that the right coefficients draw as a spot on a map of
channels by time.

References
----------
Mottl et al., "Computational complexity of dependence estimation via generalized linear
models in multidimensional feature spaces", 2019, section VI.A.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.ndimage import gaussian_filter

from ...costs.hypergraph import FeatureHypergraph
from ...costs.incidence import ComponentKind
from ...errors import DataError
from ...numerics.arrays import Floats
from ...values.knobs import Knob, Number
from ..base import Dataset
from ..options import Facts, checked_by

__all__ = ["FACTS", "OPTIONS", "make_evoked", "published_spectrum", "response_map"]

FACTS = Facts(
    196,
    2,
    "invented",
    "BSD-3-Clause",
    "many more features than rows, for selective ridge",
)

OPTIONS: dict[str, Knob] = {
    "n_samples": Number("Rows", 20, 100_000, integer=True, shown=(50, 1000)),
    "n_channels": Number("Channels", 4, 100_000, integer=True, shown=(8, 256)),
    "n_times": Number("Times a channel", 10, 10_000, integer=True, shown=(20, 500)),
    "strength": Number("Strength", 0.0, 100.0, shown=(0.0, 3.0)),
}

# Eigenvalues of the inner products of 196 fragments of 66 channels by 100 times, as
# published: the 1st, 2nd, 3rd, 20th and 50th. The last is ours: the line goes on.
PUBLISHED_RANKS = np.array([1.0, 2.0, 3.0, 20.0, 50.0, 196.0])
PUBLISHED_EIGENVALUES = np.array([16369.8, 1435.2, 1076.2, 134.0, 32.2, 2.5])
PUBLISHED_SHAPE = (196, 6600)
# A fragment lasts this long.
MILLISECONDS = 1100.0
# Where the response is: at a third of the fragment, on an eighth of the channels.
RESPONSE_TIME = 1 / 3
RESPONSE_WIDTH = 1 / 20
RESPONSE_CHANNELS = 1 / 8
# How far signals are alike, over channels and over times, as shares of their number.
SMOOTHNESS = (1 / 30, 1 / 40)
# Illustrative: attaching a channel against keeping one of its values.
CHANNEL_COST = 100.0
VALUE_COST = 1.0


@checked_by(OPTIONS)
def make_evoked(
    n_samples: int = 196,
    n_channels: int = 66,
    n_times: int = 100,
    strength: float = 1.5,
    random_state: int | None = 0,
) -> Dataset:
    """Return signals of many channels, half of them with a response to a target.

    Labels 1 (target) and -1. A value costs what its channel costs, which the channel's
    values share, and a little of its own.
    `n_channels`: number of channels. Column ``c * n_times + t`` is channel c at time t.
    `strength`: height of the response against the signal around it; 0 hides it for
    good.

    Notes
    -----
    The eigenvalues of the inner products of the rows are `published_spectrum`. The
    real recordings of [12] in the paper are not public: this is generated.
    """
    size = n_samples * n_channels * n_times
    if size > 1_000_000_000:
        raise DataError(
            f"A table of {size:.1e} values does not fit in memory; take fewer rows, "
            "channels or times."
        )
    rng = np.random.default_rng(random_state)
    y = np.where(np.arange(n_samples) % 2 == 0, -1, 1)
    rng.shuffle(y)
    signals = _smooth_noise(n_samples, n_channels, n_times, rng)
    signals += strength * (y[:, None, None] > 0) * response_map(n_channels, n_times)
    X = _with_spectrum(signals.reshape(n_samples, -1))
    return Dataset(
        name="evoked",
        X=X,
        y=y,
        hypergraph=_prices(n_channels, n_times),
        positive=1,
        source="Generated with the spectrum of the recordings in Mottl et al., 2019.",
        costs_note="Illustrative: a channel is shared by all of its values.",
    )


def published_spectrum(n_samples: int, n_features: int) -> Floats:
    """Return the eigenvalues that the table's inner products are given.

    Shape: (min(n_samples, n_features),).
    Falling: the published ones joined by straight lines on log axes, and scaled with
    the size of the table.
    """
    ranks = np.arange(1.0, min(n_samples, n_features) + 1.0)
    steepness = np.diff(np.log(PUBLISHED_EIGENVALUES[-2:])) / np.diff(
        np.log(PUBLISHED_RANKS[-2:])
    )
    values = np.exp(
        np.interp(np.log(ranks), np.log(PUBLISHED_RANKS), np.log(PUBLISHED_EIGENVALUES))
    )
    beyond = np.maximum(ranks / PUBLISHED_RANKS[-1], 1.0) ** steepness
    size = n_samples * n_features / np.prod(PUBLISHED_SHAPE)
    return values * beyond * size


def response_map(n_channels: int, n_times: int) -> Floats:
    """Return where the response is, between 0 and 1.

    Shape: (n_channels, n_times).
    """
    times = (np.arange(n_times) + 0.5) / n_times
    course = np.exp(-0.5 * ((times - RESPONSE_TIME) / RESPONSE_WIDTH) ** 2)
    n_active = max(1, round(RESPONSE_CHANNELS * n_channels))
    first = (n_channels - n_active) // 2
    over_channels = np.zeros(n_channels)
    over_channels[first : first + n_active] = np.hanning(n_active + 2)[1:-1]
    return np.outer(over_channels, course)


def _smooth_noise(
    n_samples: int, n_channels: int, n_times: int, rng: np.random.Generator
) -> Floats:
    """Return noise of unit size that is alike on neighbours, row by row."""
    noise = rng.standard_normal((n_samples, n_channels, n_times))
    widths = (0.0, SMOOTHNESS[0] * n_channels, SMOOTHNESS[1] * n_times)
    noise = gaussian_filter(noise, widths, mode="reflect")
    return np.asarray(noise / noise.std())


def _with_spectrum(X: Floats) -> Floats:
    """Return a table with the same singular vectors and the published spectrum."""
    left, _, right = np.linalg.svd(X, full_matrices=False)
    return np.asarray((left * np.sqrt(published_spectrum(*X.shape))) @ right)


def _prices(n_channels: int, n_times: int) -> FeatureHypergraph:
    n_features = n_channels * n_times
    moments = np.round((np.arange(n_times) + 0.5) * MILLISECONDS / n_times, 3)
    channels = [f"ch{c:0{len(str(n_channels))}d}" for c in range(n_channels)]
    names = [f"{channel}@{time:g}ms" for channel in channels for time in moments]
    shared = sparse.kron(sparse.eye_array(n_channels), np.ones((1, n_times)))
    own = sparse.eye_array(n_features)
    kinds: list[ComponentKind] = ["generation"] * n_channels
    kinds += ["utilisation"] * n_features
    return FeatureHypergraph(
        sparse.vstack([shared, own], format="csr").astype(bool),
        np.repeat([CHANNEL_COST, VALUE_COST], [n_channels, n_features]),
        tuple(names),
        (*channels, *(f"keep {name}" for name in names)),
        tuple(kinds),
    )
