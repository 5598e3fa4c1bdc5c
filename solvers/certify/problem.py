"""The problem behind every bound: bundles of columns and the components they need.

Columns that need the same priced components are bought together, since none makes the
objective worse; components that the same bundles need are one component.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_number, first_sentence, real_numbers, row_weights
from ..costs.budgets import room_of
from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from ..errors import DataError, HypergraphError, KnobError, shown
from ..numerics.arrays import Floats, Integers, Mask

# A column whose spread is below this share of its largest value is constant but for
# rounding.
_CONSTANT = 1e-13
# Of all weight, what a class must have so that its share can be told from none.
_LEAST_SHARE = 1e-15


@dataclass(frozen=True, eq=False)
class SelectionProblem:
    """Standardised columns, signs, and what each bundle of columns needs."""

    table: Floats  # (n_rows, n_columns), column-major
    signs: Floats  # (n_rows,), -1 or 1
    row_weights: Floats  # (n_rows,), from 0 up, adding up to 1
    ridge: float
    bundle_of: Integers  # (n_columns,)
    needs: Mask  # (n_bundles, n_components)
    prices: Floats  # (n_components,), above 0, adding up to 1
    unit: float  # what they add up to in the hypergraph's unit
    columns: Integers  # (n_columns,): the feature behind each
    members: tuple[Integers, ...]  # components of the hypergraph behind each
    hypergraph: FeatureHypergraph
    without: tuple[int, ...]

    @property
    def n_bundles(self) -> int:
        """Number of bundles."""
        return len(self.needs)

    @property
    def n_components(self) -> int:
        """Number of components that cost something."""
        return len(self.prices)

    def allows(self, bought: Mask, budget: float) -> bool:
        """Return whether a budget, in shares of the whole, pays for components."""
        return self.cost(bought) <= room_of(budget)

    def available(self, bought: Mask) -> Mask:
        """Return which bundles the bought components allow."""
        return np.asarray(~(self.needs & ~bought).any(axis=1))

    def used(self, bundles: Mask) -> Mask:
        """Return which components some bundles need."""
        return np.asarray(self.needs[bundles].any(axis=0))

    def cost(self, bought: Mask) -> float:
        """Return the price of components."""
        return float(self.prices[bought].sum())

    def features(self, bundles: Mask) -> Mask:
        """Return the features of some bundles as a mask."""
        mask = np.zeros(self.hypergraph.n_features, dtype=bool)
        mask[self.columns[bundles[self.bundle_of]]] = True
        return mask

    def bundles_within(self, features: Mask) -> Mask:
        """Return the bundles that the components of some features allow."""
        inside = features[self.columns]
        touched = np.bincount(self.bundle_of[inside], minlength=self.n_bundles) > 0
        return self.available(self.used(touched))

    def live(self, inside: Mask, outside: Mask, budget: float) -> Mask:
        """Return the bundles that can still be bought within the budget."""
        left = room_of(budget) - self.cost(inside)
        missing = (self.needs & ~inside) @ self.prices
        return ~(self.needs & outside).any(axis=1) & (missing <= left)


def make_problem(
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    ridge: float,
    without: Selection | None = None,
    sample_weight: ArrayLike | None = None,
) -> SelectionProblem:
    """Check a table, its labels and what is forbidden; group columns and components.

    Rows of weight 0 count as rows that are not there.
    """
    raw, signs, row_weights = checked_rows(X, y, hypergraph, sample_weight)
    check_number("ridge", ridge, 1e-9)
    incidence = hypergraph.incidence.toarray().astype(bool)
    banned = np.zeros(hypergraph.n_components, dtype=bool)
    if without is not None:
        banned = hypergraph.component_mask(without)
    allowed = np.flatnonzero(~incidence[banned].any(axis=0))
    priced = np.flatnonzero(
        (hypergraph.component_costs > 0.0) & incidence[:, allowed].any(axis=1)
    )
    wanted = incidence[np.ix_(priced, allowed)].T  # features by components
    rows, bundle_of = _distinct(wanted)
    kinds, kind_of = _distinct(rows.T)
    members = tuple(priced[kind_of == kind] for kind in range(len(kinds)))
    prices = np.array(
        [hypergraph.component_costs[one].sum() for one in members], dtype=float
    )
    unit = float(prices.sum()) if len(prices) else 1.0
    return SelectionProblem(
        table=np.asfortranarray(_standardised(raw, row_weights)[:, allowed]),
        signs=signs,
        row_weights=row_weights,
        ridge=float(ridge),
        bundle_of=bundle_of,
        needs=np.ascontiguousarray(kinds.T),
        prices=prices / unit,
        unit=unit,
        columns=allowed,
        members=members,
        hypergraph=hypergraph,
        without=tuple(np.flatnonzero(banned).tolist()),
    )


def _standardised(raw: Floats, row_weights: Floats) -> Floats:
    """Return columns of mean 0 and spread 1 to the last digit, constant ones all 0.

    What is proven of them is checked on columns that others make anew: where a spread
    is a small share of the values, digits that are lost on the way tell.
    """
    # Powers of two lose none, and squares of values below 1 do not overflow.
    table = np.ldexp(raw, -np.frexp(np.abs(raw).max(axis=0))[1])
    constant = _CONSTANT * np.abs(table).max(axis=0)
    for _ in range(2):  # the second pass takes away what rounding left in the mean
        table -= row_weights @ table
    spread = np.sqrt(row_weights @ table**2)
    table /= np.where(spread > constant, spread, np.inf)
    return table


def _distinct(rows: Mask) -> tuple[Mask, Integers]:
    """Return the distinct rows, and which of them each row is."""
    seen: dict[bytes, int] = {}
    index = np.array(
        [seen.setdefault(row.tobytes(), len(seen)) for row in rows], dtype=int
    )
    first = np.array(
        [int(np.argmax(index == kind)) for kind in range(len(seen))], dtype=int
    )
    return rows[first], index


def checked_rows(
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    sample_weight: ArrayLike | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Return the table, signs of labels and weights that add up to 1; or refuse."""
    if not isinstance(hypergraph, FeatureHypergraph):
        raise HypergraphError(
            f"hypergraph is a {type(hypergraph).__name__}; give a FeatureHypergraph, "
            "or FeatureHypergraph.independent(costs)."
        )
    table = real_numbers(hypergraph.aligned(X), "X")
    if table.ndim != 2 or table.shape[1] != hypergraph.n_features:
        raise DataError(
            f"X has shape {table.shape}, but the hypergraph has "
            f"{hypergraph.n_features} features; give one column for each."
        )
    if not np.isfinite(table).all():
        raise DataError("X holds NaN or infinite values; fill or drop those rows.")
    labels, classes = _labels(y)
    if len(classes) > 2:
        raise DataError(
            f"y has {len(classes)} classes, and what is proved is of two; keep two, or "
            "give one of them against all others."
        )
    if labels.shape != (len(table),) or len(classes) != 2:
        raise DataError(
            f"y has shape {labels.shape} and {len(classes)} classes; give one label "
            f"for each of the {len(table)} rows, of two classes."
        )
    signs = np.where(labels == classes[1], 1.0, -1.0)
    return table, signs, _checked_weights(sample_weight, signs)


def _labels(y: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return labels and their classes; no label may be missing."""
    try:
        labels = np.asarray(y)
        classes = np.unique(labels)
        if (classes != classes).any():
            raise ValueError("one is NaN")
    except (TypeError, ValueError) as error:
        raise DataError(
            f"y holds labels that make no classes ({first_sentence(error)}); give "
            "each row one of two labels of the same type."
        ) from error
    return labels, classes


def _checked_weights(sample_weight: ArrayLike | None, signs: Floats) -> Floats:
    """Return weights of rows that add up to 1, or refuse them."""
    weights = row_weights(sample_weight, len(signs))
    weights = weights / (weights.max(initial=0.0) or 1.0)  # a sum may overflow
    weights = weights / (weights.sum() or 1.0)
    if min(weights[signs > 0].sum(), weights[signs < 0].sum()) <= _LEAST_SHARE:
        raise DataError(
            "sample_weight is 0 for all rows of a class, or next to nothing; give some "
            "row of each class a weight above 0."
        )
    return weights


def checked_known(
    known: Iterable[Selection], hypergraph: FeatureHypergraph
) -> list[Mask]:
    """Return selections of features as masks."""
    if isinstance(known, str) or not np.iterable(known):
        raise KnobError(
            f"known is {shown(known)}; give a list of selections of features, () for "
            "none."
        )
    return [hypergraph.feature_mask(one) for one in known]


def checked_budget(budgets: Iterable[float]) -> list[float]:
    """Return budgets in rising order, each once."""
    if isinstance(budgets, str | bytes) or not np.iterable(budgets):
        raise KnobError(
            f"budgets is {shown(budgets)}; give a list of numbers, or None for a dozen."
        )
    found = sorted({check_number("A budget", one, 0.0) for one in budgets})
    if not found:
        raise KnobError("budgets is empty; give at least one, or None for a dozen.")
    return found
