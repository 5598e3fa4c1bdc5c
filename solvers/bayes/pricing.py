"""What sets of features cost: one price each, or components that they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import at_least_zero
from ..costs.alignment import named_values
from ..costs.budgets import room_of
from ..costs.hypergraph import FeatureHypergraph
from ..costs.incidence import checked_costs
from ..errors import NetworkError, shown

Costs: TypeAlias = "ArrayLike | Mapping[str, float] | FeatureHypergraph | None"


@dataclass(frozen=True, eq=False)
class SharedCosts:
    """Costs of features, and how much may be spent."""

    # (n_features, n_components) Which components each feature needs
    needs: NDArray[np.bool_]
    # (n_components,) What each component costs, once
    component_costs: NDArray[np.float64]
    budget: float  # Most that a set may cost

    def paid(self, chosen: Sequence[int]) -> NDArray[np.bool_]:
        """Return which components some features need.

        Shape: (n_components,).
        """
        return np.asarray(self.needs[list(chosen)].any(axis=0))

    def cost(self, chosen: Sequence[int]) -> float:
        """Return what some features cost together."""
        return float(self.component_costs[self.paid(chosen)].sum())

    def costs_of(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what each of many sets costs.

        Shapes: `masks` (n_sets, n_features) -> (n_sets,).
        """
        paid = (masks.astype(float) @ self.needs) > 0
        return np.asarray(paid @ self.component_costs)

    def alone(self) -> NDArray[np.float64]:
        """Return what each feature costs alone, shape (n_features,)."""
        return self.needs @ self.component_costs

    def affordable(
        self, paid: NDArray[np.bool_], candidates: Sequence[int]
    ) -> NDArray[np.bool_]:
        """Return which candidates still fit when some components are paid.

        A candidate that does not fit now never does: adding others costs no less.

        Shapes: `paid` (n_components,) -> (len(candidates),).
        """
        together = self.needs[list(candidates)] | paid
        return np.asarray(self.fits(together @ self.component_costs))

    def grown(self, chosen: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the sets with one more feature that are within the budget."""
        free = [j for j in range(len(self.needs)) if j not in chosen]
        for j in compress(free, self.affordable(self.paid(chosen), free)):
            yield tuple(sorted((*chosen, j)))

    def exchanged(self, chosen: Sequence[int], gone: int) -> list[tuple[int, ...]]:
        """Return the sets within the budget with another feature in one's place."""
        rest = [j for j in chosen if j != gone]
        return [found for found in self.grown(rest) if gone not in found]

    def fits(self, cost: ArrayLike) -> NDArray[np.bool_]:
        """Return whether costs are within the budget."""
        return np.asarray(cost) <= room_of(self.budget)


def as_prices(features: Sequence[str], costs: Costs, budget: float) -> SharedCosts:
    """Return prices from whatever a caller gives.

    `costs`: A cost for each feature, in order or by name; or a hypergraph that has
    features of these names; one each by default.
    """
    limit = at_least_zero(budget, "The budget", NetworkError)
    if isinstance(costs, FeatureHypergraph):
        chosen = [int(np.flatnonzero(costs.feature_mask(name))[0]) for name in features]
        needs = costs.incidence.tocsc()[:, chosen].toarray().T
        # Components of other features alone can never be paid for here.
        used = needs.any(axis=0)
        return SharedCosts(needs[:, used], costs.component_costs[used], limit)
    each = _checked_costs(features, costs)
    return SharedCosts(np.eye(len(features), dtype=bool), each, limit)


def _checked_costs(features: Sequence[str], costs: Costs) -> NDArray[np.float64]:
    if costs is None:
        return np.ones(len(features))
    named = costs if isinstance(costs, Mapping) else named_values(costs)
    given: Any = costs if named is None else _by_name(features, named)
    return checked_costs(given, features, "feature", NetworkError)


def _by_name(features: Sequence[str], costs: Mapping[str, float]) -> list[float]:
    missing = [name for name in features if name not in costs]
    if missing:
        raise NetworkError(
            f"{shown(missing[0])} has no cost; give one for each feature."
        )
    unknown = [name for name in costs if name not in set(features)]
    if unknown:
        raise NetworkError(
            f"There is a cost of {shown(unknown[0])}, which is not a feature; leave "
            "it out."
        )
    return [costs[name] for name in features]
