"""Rows drawn from a network, parents before children."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import NetworkError, shown
from .network import BayesianNetwork

__all__ = ["checked_count", "sample"]

MAX_SAMPLES = 10_000_000


def sample(
    network: BayesianNetwork, n_samples: int, random_state: int | None = 0
) -> dict[str, NDArray[np.intp]]:
    """Return rows drawn from a network.

    Parameters
    ----------
    network : BayesianNetwork
        The distribution.
    n_samples : int
        How many rows, from 1 to ten million.
    random_state : int or None, default=0
        Seed; None for fresh randomness.

    Returns
    -------
    dict of str to ndarray of int, shape (n_samples,)
        Position of the state of each variable.

    Examples
    --------
    >>> coin = BayesianNetwork({"coin": ("head", "tail")}, {}, {"coin": [1, 0]})
    >>> sample(coin, 3)["coin"].tolist()
    [0, 0, 0]
    """
    n_rows = checked_count(n_samples)
    rng = np.random.default_rng(random_state)
    drawn: dict[str, NDArray[np.intp]] = {}
    for name in network.variables:
        rows = network.tables[name][tuple(drawn[of] for of in network.parents[name])]
        # Ancestral sampling by inverse distribution: parents are drawn before.
        levels = np.cumsum(rows, axis=-1)
        levels /= levels[..., -1:]
        # A draw is below 1, so it never reaches a last level, nor an impossible state.
        draws = rng.random((n_rows, 1))
        drawn[name] = (draws >= levels).sum(axis=-1)
    return drawn


def checked_count(n_samples: int) -> int:
    """Return a number of samples, or refuse it."""
    if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer):
        raise NetworkError(f"n_samples is {shown(n_samples)}; give a whole number.")
    if not 1 <= n_samples <= MAX_SAMPLES:
        raise NetworkError(
            f"n_samples is {n_samples}; it lies between 1 and {MAX_SAMPLES}."
        )
    return int(n_samples)
