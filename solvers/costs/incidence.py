"""What a hypergraph checks of its parts before it stores them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..checks import refuse_namesakes
from ..errors import HypergraphError, ThriftscopeError, shown
from .alignment import (
    Named,
    aligned_columns,
    aligned_values,
    column_names,
    generic_names,
    index_names,
    named_values,
    order_by_name,
)

ComponentKind: TypeAlias = Literal["generation", "utilisation"]


def taken_by_name(
    incidence: Any,
    costs: Any,
    features: Sequence[str] | None,
    components: Sequence[str] | None,
) -> tuple[Any, Any, Sequence[str] | None, Sequence[str] | None]:
    """Return what is given in the order of the names, and the names.

    A frame's columns name the features, its index the components, as the keys of costs
    do: they are matched to the names that are given, and are the names where none are.
    """
    columns, rows = column_names(incidence), index_names(incidence)
    if features is None:
        features = columns
    else:
        incidence = aligned_columns(incidence, features, "The incidence")
    if components is None:
        components = rows or tuple(named_values(costs) or ()) or None
    if components is None:
        return incidence, costs, features, None
    if rows is not None:
        order = order_by_name(rows, components, "The incidence", what="component")
        incidence = incidence if order is None else incidence.iloc[order]
    costs = aligned_values(costs, components, "The list of costs", what="component")
    return incidence, costs, features, components


def checked_incidence(incidence: Any) -> sparse.csr_array:
    """Return an incidence matrix as a canonical boolean CSR array that is read-only.

    Shapes: `incidence` (n_components, n_features).
    Sorted, without duplicates and without stored zeros.
    """
    links = _as_csr(incidence)
    links.sum_duplicates()
    links.eliminate_zeros()
    if links.dtype != bool:
        strange = links.data[links.data != 1]
        if strange.size:
            raise HypergraphError(
                f"The incidence holds {shown(strange[0])}; write 1 where a feature "
                "needs a component and 0 elsewhere."
            )
        links = links.astype(bool)
    for part in (links.data, links.indices, links.indptr):
        part.flags.writeable = False
    return links


def _as_csr(incidence: Any) -> sparse.csr_array:
    try:
        if sparse.issparse(incidence):
            return sparse.csr_array(incidence, copy=True)
        dense = np.asarray(incidence)
        if dense.dtype.kind not in "biuf":
            dense = dense.astype(float)
    except (OverflowError, TypeError, ValueError) as error:
        raise HypergraphError(
            "The incidence is not a table of zeros and ones; give one row a component "
            "and one column a feature."
        ) from error
    if dense.ndim != 2:
        raise HypergraphError(
            f"The incidence has shape {dense.shape}; give one row a component and one "
            "column a feature."
        )
    return sparse.csr_array(dense)


def checked_costs(
    costs: ArrayLike,
    names: Sequence[str],
    what: Named = "component",
    error: type[ThriftscopeError] = HypergraphError,
) -> NDArray[np.float64]:
    """Return costs as a read-only float array, one for each name.

    Shapes: `costs` (n_names,) -> (n_names,).
    """
    checked = as_costs(costs, what, error)
    if checked.shape != (len(names),):
        raise error(
            f"There are {len(names)} {what}s, but costs of shape {checked.shape}; give "
            f"one cost for each {what}."
        )
    wrong = np.flatnonzero(~(np.isfinite(checked) & (checked >= 0)))
    if wrong.size:
        raise error(
            f"{what.capitalize()} {shown(names[wrong[0]])} costs "
            f"{checked[wrong[0]]:g}; a cost is a finite number, 0 or more."
        )
    checked = checked + 0.0  # -0.0 is 0.0
    checked.flags.writeable = False
    return checked


def as_costs(
    costs: ArrayLike,
    what: Named = "component",
    error: type[ThriftscopeError] = HypergraphError,
) -> NDArray[np.float64]:
    """Return costs as an array of floats of its own, of any shape."""
    try:
        given = np.asarray(costs)
        # A text is no number, even if it looks like one.
        if given.dtype.kind in "biufO":
            return np.array(given, dtype=np.float64)
        cause = None
    except (OverflowError, TypeError, ValueError) as odd:
        cause = odd
    raise error(
        f"The {what} costs {shown(costs)} are not numbers; give one number for each "
        f"{what}."
    ) from cause


def checked_names(names: Sequence[str] | None, n: int, what: Named) -> tuple[str, ...]:
    """Return distinct names, generic ones where none are given."""
    if names is None:
        return generic_names(n, what)
    checked = tuple(str(name) for name in names)
    if len(checked) != n:
        raise HypergraphError(
            f"There are {n} {what}s, but {len(checked)} {what} names; give one name "
            f"for each {what}."
        )
    if not all(name.strip() for name in checked):
        raise HypergraphError(f"A {what} has an empty name; name every {what}.")
    refuse_namesakes(checked, what, HypergraphError)
    return checked


def checked_kinds(
    kinds: Sequence[ComponentKind] | None, n: int
) -> tuple[ComponentKind, ...]:
    """Return the kind of each component, "generation" where none are given."""
    if kinds is None:
        generation: ComponentKind = "generation"
        return (generation,) * n
    checked: tuple[ComponentKind, ...] = tuple(kinds)
    if len(checked) != n:
        raise HypergraphError(
            f"There are {n} components, but {len(checked)} kinds; give one kind for "
            "each component."
        )
    unknown = [kind for kind in checked if kind not in get_args(ComponentKind)]
    if unknown:
        raise HypergraphError(
            f'There is no component kind {shown(unknown[0])}; use "generation" or '
            '"utilisation".'
        )
    return checked
