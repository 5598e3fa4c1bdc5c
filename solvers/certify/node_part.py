"""What is still open at a node: its bundles, their components, and the budget left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..costs.budgets import room_of
from .problem import SelectionProblem

__all__ = ["NodePart", "RelaxedPoint"]


@dataclass(frozen=True, eq=False)
class RelaxedPoint:
    """A point of the relaxation."""

    shares: NDArray[np.float64]  # (n_bundles,)
    bought: NDArray[np.float64]  # (n_components,)


class NodePart:
    """The linear constraints A x + b >= 0 of a node, x = (z, u) of what is open.

    In this order: u_i - z_b for each link, z, 1 - u, and the budget that is left.
    """

    def __init__(
        self,
        problem: SelectionProblem,
        inside: NDArray[np.bool_],
        live: NDArray[np.bool_],
        budget: float,
    ) -> None:
        self.problem, self.inside, self.live = problem, inside, live
        missing = problem.needs & ~inside
        is_open = live & missing.any(axis=1)
        self.left = room_of(budget) - problem.cost(inside)
        self.paid = np.flatnonzero(live & ~is_open)  # bundles, all of them bought
        self.bundles = np.flatnonzero(is_open)
        self.components = np.flatnonzero(missing[self.bundles].any(axis=0))
        self.prices = problem.prices[self.components]
        links = missing[np.ix_(self.bundles, self.components)]
        self.link_bundle, self.link_component = np.nonzero(links)

    @property
    def columns(self) -> NDArray[np.int_]:
        """The columns that are open or paid for."""
        return np.flatnonzero(self.live[self.problem.bundle_of])

    @property
    def is_all_affordable(self) -> bool:
        """Whether everything that is open can be bought together."""
        return float(self.prices.sum()) <= self.left

    def slacks(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return A x + b, all of it above 0 inside."""
        z, u = x[: len(self.bundles)], x[len(self.bundles) :]
        room = self.left - float(self.prices @ u)
        return np.concatenate(
            [u[self.link_component] - z[self.link_bundle], z, 1 - u, [room]]
        )

    def transposed(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return A'y."""
        links, of_z, of_u, of_budget = self._split(y)
        z = of_z - self.by_bundle(links)
        return np.concatenate(
            [z, self.by_component(links) - of_u - of_budget * self.prices]
        )

    def barred(
        self, curvature: NDArray[np.float64], d: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the curvature of z plus A' diag(d) A."""
        links, of_z, of_u, of_budget = self._split(d)
        n, size = len(of_z), len(of_z) + len(of_u)
        whole = np.zeros((size, size))
        whole[:n, :n] = curvature
        whole[n:, n:] = of_budget * np.outer(self.prices, self.prices)
        diagonal = [self.by_bundle(links) + of_z, self.by_component(links) + of_u]
        whole[np.diag_indices(size)] += np.concatenate(diagonal)
        whole[self.link_bundle, n + self.link_component] = -links
        whole[n + self.link_component, self.link_bundle] = -links
        return whole

    def charges(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the multipliers of the links."""
        return self._split(y)[0]

    def by_bundle(self, of_links: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of links over each open bundle."""
        n = len(self.bundles)
        return np.asarray(np.bincount(self.link_bundle, of_links, n), np.float64)

    def by_component(self, of_links: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of links over each open component."""
        n = len(self.components)
        return np.asarray(np.bincount(self.link_component, of_links, n), np.float64)

    def whole(self, x: NDArray[np.float64]) -> RelaxedPoint:
        """Return the shares of all bundles and of all components."""
        shares = np.zeros(self.problem.n_bundles)
        shares[self.bundles], shares[self.paid] = x[: len(self.bundles)], 1.0
        bought = self.inside.astype(float)
        bought[self.components] = x[len(self.bundles) :]
        return RelaxedPoint(shares, bought)

    def _split(
        self, y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
        links, n = len(self.link_bundle), len(self.bundles)
        return y[:links], y[links : links + n], y[links + n : -1], float(y[-1])
