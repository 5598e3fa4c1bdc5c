"""Further prices of components: money, delay, energy, beside what is charged."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..checks import refuse_namesakes
from ..errors import HypergraphError, shown
from .alignment import aligned_values, named_values
from .incidence import as_costs

PriceRule: TypeAlias = Literal["sum", "maximum"]


@dataclass(frozen=True, eq=False)
class ComponentPrices:
    """What components cost in another coin than the one that is charged.

    Parameters
    ----------
    name : str
        What is paid: "money", "delay", "energy".
    values : array_like or mapping of float, shape (n_components,)
        What each component costs; finite, not negative. A mapping or Series names the
        components, in any order: a hypergraph puts them into its own.
    unit : str
        Unit of the values.
    rule : {"sum", "maximum"}, default="sum"
        What components cost together: all of it, as money does, or as much as the
        costliest of them, as waiting for results that are made side by side does.

    Raises
    ------
    HypergraphError
        If the name is empty, the rule unknown, or a value no finite number, 0 or more.

    Examples
    --------
    >>> delay = ComponentPrices("delay", [0.0, 2.0, 1.0], "days", "maximum")
    >>> delay.of_rows(np.array([[True, False, True], [False, True, True]])).tolist()
    [1.0, 2.0]
    """

    name: str
    values: NDArray[np.float64]
    unit: str
    rule: PriceRule = "sum"
    #: Names of the components, in the order of the values; None: a hypergraph's order
    components: tuple[str, ...] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if not str(self.name).strip():
            raise HypergraphError("A price has an empty name; name every price.")
        if self.rule not in get_args(PriceRule):
            raise HypergraphError(
                f"Price {shown(self.name)} adds up by {shown(self.rule)}; use "
                '"sum" or "maximum".'
            )
        named = named_values(self.values)
        given = self.values if named is None else list(named.values())
        values = np.atleast_1d(as_costs(given))
        wrong = values[~(np.isfinite(values) & (values >= 0))]
        if values.ndim != 1 or wrong.size:
            what = f"{wrong[0]:g}" if wrong.size else f"a table {values.shape}"
            raise HypergraphError(
                f"Price {shown(self.name)} of a component is {what}; a price is a "
                "finite number, 0 or more."
            )
        values = values + 0.0  # -0.0 is 0.0
        values.flags.writeable = False
        object.__setattr__(self, "name", str(self.name))
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "unit", str(self.unit))
        object.__setattr__(self, "components", tuple(named) if named else None)

    def of_rows(self, needs: ArrayLike) -> NDArray[np.float64]:
        """Return what rows pay for the components that they need.

        Parameters
        ----------
        needs : array_like of bool, shape (n_rows, n_components)
            Which components each row needs.

        Returns
        -------
        ndarray of float, shape (n_rows,)
            In `unit`.
        """
        table = np.asarray(needs, dtype=bool)
        if self.rule == "sum":
            return np.asarray(table @ self.values)
        return np.where(table, self.values, 0.0).max(axis=1, initial=0.0)

    def of_features(self, incidence: sparse.csr_array) -> NDArray[np.float64]:
        """Return what each feature alone pays for the components that it needs.

        Parameters
        ----------
        incidence : csr_array of bool, shape (n_components, n_features)
            Which components each feature needs.

        Returns
        -------
        ndarray of float, shape (n_features,)
            In `unit`.
        """
        if self.rule == "sum":
            return np.asarray(self.values @ incidence)
        paid = incidence.multiply(self.values[:, np.newaxis])
        return np.asarray(sparse.csr_array(paid).max(axis=0).todense()).ravel()

    def equals(self, other: ComponentPrices) -> bool:
        """Return whether two prices are the same to the last bit.

        Parameters
        ----------
        other : ComponentPrices
            The one to compare with.

        Returns
        -------
        bool
        """
        return (self.name, self.unit, self.rule) == (
            other.name,
            other.unit,
            other.rule,
        ) and bool(np.array_equal(self.values, other.values))

    def __sklearn_clone__(self) -> ComponentPrices:
        # It cannot change, so clones of an estimator may share it.
        return self


def checked_prices(
    prices: Iterable[ComponentPrices], components: Sequence[str], charged: str
) -> tuple[ComponentPrices, ...]:
    """Return further prices, each with a name of its own and a value a component.

    Values are in the order of the components from then on.
    `charged`: the name of what is charged, which no further price has.
    """
    checked = tuple(_in_order(price, components) for price in prices)
    names = [charged, *(price.name for price in checked)]
    refuse_namesakes(names, "price", HypergraphError)
    return checked


def _in_order(price: ComponentPrices, components: Sequence[str]) -> ComponentPrices:
    if not isinstance(price, ComponentPrices):
        raise HypergraphError(
            f"A further price is a {type(price).__name__}; give ComponentPrices."
        )
    if price.components is not None:
        named = dict(zip(price.components, price.values, strict=True))
        whose = f"Price {shown(price.name)}"
        values = aligned_values(named, components, whose, what="component")
        price = dataclasses.replace(price, values=values)
    if price.values.shape != (len(components),):
        raise HypergraphError(
            f"There are {len(components)} components, but price {shown(price.name)} "
            f"has {len(price.values)} values; give one for each component."
        )
    return price


def taken_prices(
    prices: Iterable[ComponentPrices], rows: Sequence[int] | NDArray, n_new: int = 0
) -> tuple[ComponentPrices, ...]:
    """Return the prices of some components, and of new ones, which cost nothing."""
    return tuple(
        dataclasses.replace(
            price,
            values=np.append(price.values[np.asarray(rows, int)], np.zeros(n_new)),
        )
        for price in prices
    )
