"""Features and the computation components that they need.

Rows of the incidence matrix are components, columns are features. A component is
paid once, however many of the selected features need it:

>>> from solvers import FeatureHypergraph
>>> tiny = FeatureHypergraph(
...     incidence=[[1, 1, 0],    # an FFT, needed by both of the first features
...                [0, 0, 1]],   # a mean
...     component_costs=[3.0, 0.5],
...     feature_names=("peak", "centroid", "mean"),
...     component_names=("fft", "mean"),
... )
>>> tiny.cost(["peak"])
3.0
>>> tiny.cost(["peak", "centroid"])
3.0
>>> tiny.marginal_costs(computed=["fft"]).tolist()
[0.0, 0.0, 0.5]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph

from ..errors import HypergraphError, counted, shown
from ..values.distinct_names import free_name
from ..values.notebook_table import MOST_ROWS, notebook_table
from ..values.rounding import number
from .alignment import Named, aligned_columns, aligned_values, named_values
from .incidence import (
    ComponentKind,
    as_costs,
    checked_costs,
    checked_incidence,
    checked_kinds,
    checked_names,
    taken_by_name,
)
from .prices import ComponentPrices, checked_prices, taken_prices
from .selection import Selection, as_indices, as_mask


@dataclass(frozen=True, eq=False)
class FeatureHypergraph:
    """Features and the computation components (FCCs) that they need.

    A component is paid once, however many selected features need it. A hypergraph is
    a value: edits return a new one, and nothing that it hands out can be written to.
    What names features or components (a frame, a mapping, a Series) may come in any
    order; bare arrays are in the order of the hypergraph.

    Parameters
    ----------
    incidence : array_like or sparse array of bool, shape (n_components, n_features)
        ``incidence[i, j]`` is true where feature ``j`` needs component ``i``. Every
        feature needs at least one component; a component may be needed by none.
    component_costs : array_like or mapping of float, shape (n_components,)
        What one computation of the component costs, in `unit`; finite, not negative.
    feature_names : sequence of str, optional
        Distinct names of the features; by default those of the incidence's columns, or
        ``x0, x1, ...``, which count as none: tables go by position.
    component_names : sequence of str, optional
        Distinct names of the components; by default those that the incidence's index
        or the costs have, or ``c0, c1, ...``.
    component_kinds : sequence of {"generation", "utilisation"}, optional
        "generation" (Type 1 in [1]_): computing a feature; "utilisation" (Type 2): the
        model using it. All "generation" by default.
    unit : str, default="us"
        Unit of the costs, for people and for exports.
    prices : sequence of ComponentPrices, default=()
        What the components cost in other coins: reported of every model, and charged
        once `charging` asks for it.
    charged : str, default="cost"
        What the costs are called beside further prices.

    Raises
    ------
    HypergraphError
        If shapes disagree, a cost is negative or not finite, a name stands twice or is
        empty, a kind is unknown, or a feature needs no component.
    DataError
        If two lists of names disagree.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, Definition 1.
    """

    incidence: sparse.csr_array
    component_costs: NDArray[np.float64]
    feature_names: tuple[str, ...] | None = None
    component_names: tuple[str, ...] | None = None
    component_kinds: tuple[ComponentKind, ...] | None = None
    unit: str = "us"
    prices: tuple[ComponentPrices, ...] = ()
    charged: str = "cost"

    def __post_init__(self) -> None:
        links, costs, named, parts = taken_by_name(
            self.incidence,
            self.component_costs,
            self.feature_names,
            self.component_names,
        )
        incidence = checked_incidence(links)
        n_components, n_features = incidence.shape
        features = checked_names(named, n_features, "feature")
        components = checked_names(parts, n_components, "component")
        normalised = {
            "incidence": incidence,
            "component_costs": checked_costs(costs, components),
            "feature_names": features,
            "component_names": components,
            "component_kinds": checked_kinds(self.component_kinds, n_components),
            "unit": str(self.unit),
            "prices": checked_prices(self.prices, components, str(self.charged)),
            "charged": str(self.charged),
        }
        for field, value in normalised.items():
            object.__setattr__(self, field, value)  # how a frozen class normalises
        self._refuse_features_without_component()

    def _refuse_features_without_component(self) -> None:
        orphans = np.flatnonzero(np.diff(self._by_feature.indptr) == 0)
        if orphans.size:
            raise HypergraphError(
                f"Feature {shown(self.features[orphans[0]])} needs no component; "
                "connect it to one (a component may cost 0)."
            )

    @classmethod
    def independent(
        cls,
        feature_costs: ArrayLike,
        feature_names: Sequence[str] | None = None,
        *,
        unit: str = "us",
    ) -> FeatureHypergraph:
        """Return features that share nothing, each with a component of its own.

        Parameters
        ----------
        feature_costs : array_like or mapping of float, shape (n_features,)
            Cost of each feature, in `unit`; by name where it has names.
        feature_names : sequence of str, optional
            Names of the features, those of the costs by default; the components take
            the same ones.
        unit : str, default="us"
            Unit of the costs.

        Returns
        -------
        FeatureHypergraph
            With as many components as features.
        """
        names = named_values(feature_costs) if feature_names is None else feature_names
        if names is not None:
            names = tuple(names)
            feature_costs = aligned_values(feature_costs, names, "The list of costs")
        costs = np.atleast_1d(as_costs(feature_costs))
        return cls(
            sparse.eye_array(costs.shape[0], dtype=bool, format="csr"),
            costs,
            names,
            names,
            unit=unit,
        )

    # ---------------------------------------------------------------- sizes and names

    @property
    def n_components(self) -> int:
        """Number of components."""
        return int(self.incidence.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.incidence.shape[1])

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features; the same as `feature_names`, never None."""
        return cast("tuple[str, ...]", self.feature_names)

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the components; the same as `component_names`, never None."""
        return cast("tuple[str, ...]", self.component_names)

    @property
    def kinds(self) -> tuple[ComponentKind, ...]:
        """Kinds of the components; the same as `component_kinds`, never None."""
        return cast("tuple[ComponentKind, ...]", self.component_kinds)

    def feature_mask(self, features: Selection) -> NDArray[np.bool_]:
        """Return a selection of features as a mask of shape (n_features,).

        Parameters
        ----------
        features : bool mask, integer indices or names
            The selection; a single name or index is a selection of one.

        Returns
        -------
        ndarray of bool, shape (n_features,)
        """
        return as_mask(features, self.features, self._feature_index, "feature")

    def component_mask(self, components: Selection) -> NDArray[np.bool_]:
        """Return a selection of components as a mask of shape (n_components,).

        Parameters
        ----------
        components : bool mask, integer indices or names
            The selection.

        Returns
        -------
        ndarray of bool, shape (n_components,)
        """
        return as_mask(components, self.components, self._component_index, "component")

    def aligned(self, X: Any) -> Any:
        """Return a table with its columns in the order of the features.

        Parameters
        ----------
        X : array_like or frame, shape (n_samples, n_features)
            The columns of a frame (pandas, polars, Arrow) are taken by name. Arrays,
            and features without names of their own (x0, x1, ...), go by position.

        Returns
        -------
        array_like or frame, shape (n_samples, n_features)

        Raises
        ------
        DataError
            If one of the two lacks a name that the other has.

        Examples
        --------
        >>> import pandas as pd
        >>> rows = pd.DataFrame({"scan": [2.0], "blood": [1.0]})
        >>> FeatureHypergraph.independent({"blood": 1, "scan": 9}).aligned(rows)
           blood  scan
        0    1.0   2.0
        """
        return aligned_columns(X, self.features)

    # --------------------------------------------------------------------------- costs

    @property
    def total_cost(self) -> float:
        """Cost of computing every feature."""
        return self.cost(np.ones(self.n_features, dtype=bool))

    def required_components(self, features: Selection) -> NDArray[np.bool_]:
        """Return which components a selection of features needs.

        Parameters
        ----------
        features : bool mask, integer indices or names
            The selected features.

        Returns
        -------
        ndarray of bool, shape (n_components,)
        """
        mask = self.feature_mask(features)
        return np.asarray(self._weights @ mask.astype(np.float64) > 0)

    def cost(self, features: Selection, computed: Selection | None = None) -> float:
        """Return what a selection of features costs, each component paid once.

        Parameters
        ----------
        features : bool mask, integer indices or names
            The selected features.
        computed : bool mask, integer indices or names, optional
            Components that are there already and cost nothing more.

        Returns
        -------
        float
            In `unit`.
        """
        required = self.required_components(features)
        if computed is not None:
            required &= ~self.component_mask(computed)
        return float(self.component_costs[required].sum())

    def marginal_costs(self, computed: Selection | None = None) -> NDArray[np.float64]:
        """Return the cost of adding each feature alone.

        Parameters
        ----------
        computed : bool mask, integer indices or names, optional
            Components that are there already; none by default.

        Returns
        -------
        ndarray of float, shape (n_features,)
            In `unit`.
        """
        unpaid = self.component_costs
        if computed is not None:
            unpaid = np.where(self.component_mask(computed), 0.0, unpaid)
        return np.asarray(unpaid @ self._weights)

    def required_component_rows(self, acquired: ArrayLike) -> NDArray[np.bool_]:
        """Return which components each row needs for the features that it acquired.

        Parameters
        ----------
        acquired : array_like of bool, shape (n_samples, n_features)
            Which features each row acquired.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_components)
        """
        table = _checked_rows(acquired, "acquired", self.features, "feature")
        return np.asarray(self._weights @ table.T.astype(np.float64) > 0).T

    def marginal_cost_rows(self, computed: ArrayLike) -> NDArray[np.float64]:
        """Return what adding each feature alone costs, for many rows at once.

        Parameters
        ----------
        computed : array_like of bool, shape (n_samples, n_components)
            Components that are there already for each row, such as
            ``required_component_rows(acquired)``.

        Returns
        -------
        ndarray of float, shape (n_samples, n_features)
            In `unit`; each row as `marginal_costs` returns it.

        Examples
        --------
        >>> two = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 0.5])
        >>> two.marginal_cost_rows([[False, False], [True, False]])
        array([[3. , 3. , 0.5],
               [0. , 0. , 0.5]])
        """
        table = _checked_rows(computed, "computed", self.components, "component")
        return np.asarray(np.where(table, 0.0, self.component_costs) @ self._weights)

    def cost_rows(self, acquired: ArrayLike) -> NDArray[np.float64]:
        """Return what each row pays for the features that it acquired.

        Parameters
        ----------
        acquired : array_like of bool, shape (n_samples, n_features)
            Which features each row acquired.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            In `unit`.
        """
        acquired = _checked_rows(acquired, "acquired", self.features, "feature")
        if _is_one_row(acquired):
            return np.full(len(acquired), self.cost(acquired[0]))
        # Rows that acquired the same features pay the same: price each pattern once.
        packed = np.packbits(acquired, axis=1)
        _, first, pattern = np.unique(
            packed, axis=0, return_index=True, return_inverse=True
        )
        needs = self.required_component_rows(acquired[first])
        return np.asarray(self.component_costs @ needs.T)[pattern.ravel()]

    def price(self, name: str) -> ComponentPrices:
        """Return one of the further prices.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        ComponentPrices

        Raises
        ------
        HypergraphError
            If there is none of that name.
        """
        for price in self.prices:
            if price.name == name:
                return price
        known = ", ".join(shown(price.name) for price in self.prices) or "none"
        raise HypergraphError(
            f"There is no further price {shown(name)}; there are: {known}."
        )

    def price_rows(self, acquired: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """Return what each row pays in every further price.

        Parameters
        ----------
        acquired : array_like of bool, shape (n_samples, n_features)
            Which features each row acquired.

        Returns
        -------
        dict of str to ndarray of float, shape (n_samples,)
            By name; empty where there are no further prices.
        """
        if not self.prices:
            return {}
        needs = self.required_component_rows(acquired)
        return {price.name: price.of_rows(needs) for price in self.prices}

    def charging(self, name: str) -> FeatureHypergraph:
        """Return the hypergraph that charges another of its prices.

        What was charged is a further price from then on.

        Parameters
        ----------
        name : str
            Of a price that adds up by "sum"; that of what is charged changes nothing.

        Returns
        -------
        FeatureHypergraph

        Raises
        ------
        HypergraphError
            If there is no such price, or it does not add up.

        Examples
        --------
        >>> energy = ComponentPrices("energy", [4.0, 1.0], "mJ")
        >>> two = FeatureHypergraph([[1, 1], [0, 1]], [3.0, 0.5], prices=[energy])
        >>> two.charging("energy").cost([0, 1]), two.charging("energy").prices[0].name
        (5.0, 'cost')
        """
        if name == self.charged:
            return self
        chosen = self.price(name)
        if chosen.rule != "sum":
            raise HypergraphError(
                f"Price {shown(name)} is the maximum of what is computed, and only "
                "sums can be charged; limit it instead."
            )
        before = ComponentPrices(self.charged, self.component_costs, self.unit)
        return dataclasses.replace(
            self,
            component_costs=chosen.values,
            unit=chosen.unit,
            charged=name,
            prices=tuple(before if one is chosen else one for one in self.prices),
        )

    def connected_components(self) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
        """Return the block of each component and of each feature.

        Blocks (CCHHs in the paper) share no computation: the cost of features of
        several blocks is the sum of what they cost block by block.

        Returns
        -------
        component_blocks : ndarray of int, shape (n_components,)
        feature_blocks : ndarray of int, shape (n_features,)
        """
        if not self.n_features:
            return np.arange(self.n_components), np.zeros(0, dtype=int)
        labels = self._blocks.copy()
        return labels[: self.n_components], labels[self.n_components :]

    # --------------------------------- edits: each returns another, undo keeps the old

    def restrict(self, features: Selection) -> FeatureHypergraph:
        """Return the hypergraph of some features, in the order in which they are given.

        `features`: the features to keep. Components that none of them needs are
        dropped.
        """
        columns = as_indices(features, self.n_features, self._feature_index, "feature")
        if np.unique(columns).size != columns.size:
            raise HypergraphError("A feature is named twice; name each feature once.")
        rows = np.flatnonzero(self.required_components(columns))
        return self._part(rows, columns)

    def add_feature(
        self, name: str, components: Selection = (), *, cost: float | None = None
    ) -> FeatureHypergraph:
        """Return a hypergraph with one more feature, as its last column.

        `cost`: cost of a component of its own, named like the feature. A feature that
        is given no components gets one of cost 0.
        """
        needs = self.component_mask(components)
        grown = self
        if cost is not None or not needs.any():
            own = free_name(name, self.components)
            grown = self.add_component(own, cost or 0.0, kind="utilisation")
            needs = np.append(needs, True)
        column = sparse.csr_array(needs[:, np.newaxis])
        return dataclasses.replace(
            grown,
            incidence=sparse.hstack([grown.incidence, column], format="csr"),
            feature_names=(*grown.features, name),
        )

    def add_component(
        self,
        name: str,
        cost: float,
        features: Selection = (),
        *,
        kind: ComponentKind = "generation",
    ) -> FeatureHypergraph:
        """Return a hypergraph with one more component, as its last row."""
        row = sparse.csr_array(self.feature_mask(features)[np.newaxis, :])
        return dataclasses.replace(
            self,
            incidence=sparse.vstack([self.incidence, row], format="csr"),
            component_costs=np.append(self.component_costs, as_costs(cost)),
            component_names=(*self.components, name),
            component_kinds=(*self.kinds, kind),
            prices=taken_prices(self.prices, range(self.n_components), 1),
        )

    def rename(
        self,
        *,
        features: Mapping[str, str] | None = None,
        components: Mapping[str, str] | None = None,
    ) -> FeatureHypergraph:
        """Return a hypergraph with other names."""
        new_features, new_components = features or {}, components or {}
        self.feature_mask(list(new_features))  # refuses unknown names
        self.component_mask(list(new_components))
        return dataclasses.replace(
            self,
            feature_names=tuple(new_features.get(n, n) for n in self.features),
            component_names=tuple(new_components.get(n, n) for n in self.components),
        )

    def set_cost(self, component: str | int, cost: float) -> FeatureHypergraph:
        """Return a hypergraph in which one component costs something else."""
        changed = self._only(self.component_mask(component), "component")
        costs = np.delete(self.component_costs, changed)
        costs = np.insert(costs, changed, as_costs(cost))
        return dataclasses.replace(self, component_costs=costs)

    def connect(self, feature: str | int, component: str | int) -> FeatureHypergraph:
        """Return a hypergraph in which a feature needs a component."""
        return self._toggled(feature, component, True)

    def disconnect(self, feature: str | int, component: str | int) -> FeatureHypergraph:
        """Return a hypergraph in which a feature does without a component.

        `feature, component`: name or index of each. The last component of a feature
        cannot go.
        """
        return self._toggled(feature, component, False)

    def remove(
        self, *, features: Selection = (), components: Selection = ()
    ) -> FeatureHypergraph:
        """Return a hypergraph without some features and components.

        `features, components`: what goes. Components that lose their last feature stay.
        """
        columns = np.flatnonzero(~self.feature_mask(features))
        rows = np.flatnonzero(~self.component_mask(components))
        return self._part(rows, columns)

    def _part(self, rows: NDArray, columns: NDArray) -> FeatureHypergraph:
        return dataclasses.replace(
            self,
            incidence=self.incidence[rows][:, columns],
            component_costs=self.component_costs[rows],
            feature_names=tuple(self.features[j] for j in columns),
            component_names=tuple(self.components[i] for i in rows),
            component_kinds=tuple(self.kinds[i] for i in rows),
            prices=taken_prices(self.prices, rows),
        )

    def _toggled(
        self, feature: str | int, component: str | int, needed: bool
    ) -> FeatureHypergraph:
        j = self._only(self.feature_mask(feature), "feature")
        i = self._only(self.component_mask(component), "component")
        links = self.incidence.tolil(copy=True)
        links[i, j] = needed
        return dataclasses.replace(self, incidence=links.tocsr())

    @staticmethod
    def _only(mask: NDArray[np.bool_], what: str) -> int:
        (chosen,) = np.nonzero(mask)
        if chosen.size != 1:
            raise HypergraphError(
                f"{chosen.size} {what}s are named; name exactly one {what}."
            )
        return int(chosen[0])

    # ------------------------------------------------------------------------ plumbing

    def equals(self, other: FeatureHypergraph) -> bool:
        """Return whether two hypergraphs are the same to the last bit.

        Parameters
        ----------
        other : FeatureHypergraph
            The one to compare with.

        Returns
        -------
        bool
        """
        return (
            self.incidence.shape == other.incidence.shape
            and bool((self.incidence != other.incidence).nnz == 0)
            and bool(np.array_equal(self.component_costs, other.component_costs))
            and self.features == other.features
            and self.components == other.components
            and self.kinds == other.kinds
            and (self.unit, self.charged) == (other.unit, other.charged)
            and len(self.prices) == len(other.prices)
            and all(map(ComponentPrices.equals, self.prices, other.prices))
        )

    def __sklearn_clone__(self) -> FeatureHypergraph:
        # It cannot change, so clones of an estimator may share it.
        return self

    def __getstate__(self) -> dict[str, Any]:
        # What is derived is derived again: files and processes carry the facts alone.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Through the constructor, since a file may say anything.
        self.__dict__.update(FeatureHypergraph(**state).__dict__)

    def __repr__(self) -> str:
        return (
            f"FeatureHypergraph({counted(self.n_features, 'feature')}, "
            f"{counted(self.n_components, 'component')}, "
            f"total cost {self.total_cost:g} {self.unit})"
        )

    def _repr_html_(self) -> str:
        order = np.argsort(-self.component_costs, kind="stable")[:MOST_ROWS]
        needed_by = np.diff(self.incidence.indptr)
        rows = [
            (self.components[i], number(self.component_costs[i]), needed_by[i])
            for i in order
        ]
        left = self.n_components - len(rows)
        return notebook_table(
            repr(self),
            ("component", f"cost ({self.unit})", "features that need it"),
            rows,
            f"And {left} cheaper ones." if left else "",
        )

    @cached_property
    def _by_feature(self) -> sparse.csc_array:
        return self.incidence.tocsc()

    @cached_property
    def _weights(self) -> sparse.csr_array:
        """The incidence as 0.0 and 1.0, so that products count."""
        return self.incidence.astype(np.float64)

    @cached_property
    def _blocks(self) -> NDArray[np.int_]:
        """Blocks of components, then of features; drawing asks more than once."""
        links = sparse.block_array([[None, self._weights], [self._weights.T, None]])
        _, labels = csgraph.connected_components(links, directed=False)
        return cast(NDArray[np.int_], labels)

    @cached_property
    def _feature_index(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.features)}

    @cached_property
    def _component_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.components)}


def _checked_rows(
    rows: ArrayLike, whose: str, names: Sequence[str], what: Named
) -> NDArray[np.bool_]:
    rows = aligned_columns(rows, names, whose, what=what)
    table = np.asarray(rows, dtype=bool)
    if table.ndim != 2 or table.shape[1] != len(names):
        raise HypergraphError(
            f"{whose} has shape {table.shape}, but needs one column "
            f"for each of the {len(names)} {what}s."
        )
    return table


def _is_one_row(rows: NDArray[np.bool_]) -> bool:
    """Return whether there are rows, and all of them are the same."""
    # A row that is seen many times through a stride of 0 need not be compared.
    return len(rows) > 0 and (not rows.strides[0] or bool((rows == rows[0]).all()))
