"""Penalties of the absolute weights, as prox-Newton takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Integers, Mask


class AbsolutePenalty(Protocol):
    """A penalty that is concave and not decreasing in the magnitudes of the weights."""

    def value(self, magnitudes: NDArray) -> float:
        """Return the penalty of all weights."""

    def slopes(self, magnitudes: NDArray) -> Floats:
        """Return its derivative in each magnitude; infinite locks a zero."""

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> Floats | None:
        """Return its second derivative in some magnitudes; None where it is linear."""


@dataclass(frozen=True, eq=False)
class WeightedL1:
    """The penalty ``sum_k weights_k |w_k|``."""

    weights: Floats  # (n_features,) 0 or more

    def value(self, magnitudes: NDArray) -> float:
        return float(self.weights @ magnitudes)

    def slopes(self, magnitudes: NDArray) -> Floats:
        return self.weights

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Restriction:
    """No penalty on a support, and nothing outside of it."""

    support: Mask  # (n_features,) The features that may be used

    def value(self, magnitudes: NDArray) -> float:
        return 0.0

    def slopes(self, magnitudes: NDArray) -> Floats:
        return np.where(self.support, 0.0, np.inf)

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> None:
        return None
