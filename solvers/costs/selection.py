"""What a caller may name features and components by: a mask, indices or names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import HypergraphError, shown
from .alignment import Named, aligned_values, index_names

Selection: TypeAlias = (
    "NDArray[np.bool_] | NDArray[np.integer] | Sequence[bool] | Sequence[int] "
    "| Sequence[str] | str | int"
)


def as_mask(
    selection: Selection, names: Sequence[str], index: Mapping[str, int], what: Named
) -> NDArray[np.bool_]:
    """Return a selection as a boolean mask, shape (len(names),)."""
    mask = np.zeros(len(names), dtype=bool)
    mask[as_indices(selection, len(names), index, what)] = True
    return mask


def as_indices(
    selection: Selection, n: int, index: Mapping[str, int], what: Named
) -> NDArray[np.int_]:
    """Return a selection as indices, in the order in which it names them.

    A single name or index is a selection of one; an empty one selects nothing. A mask
    with names of its own, a Series, is matched by them.
    """
    chosen = np.atleast_1d(np.asarray(selection))
    if chosen.dtype == bool:
        if index_names(selection) is not None:
            mask = aligned_values(selection, [*index], "The mask", what=what)
            chosen = np.asarray(mask)
        if chosen.shape != (n,):
            raise HypergraphError(
                f"The mask has shape {chosen.shape}, but there are {n} {what}s; give "
                f"one value for each {what}."
            )
        return np.flatnonzero(chosen)
    if chosen.size == 0:
        return np.zeros(0, dtype=int)
    if chosen.ndim == 1 and chosen.dtype.kind in "iu":
        return _known_indices(chosen, n, what)
    if chosen.ndim == 1 and all(isinstance(item, str) for item in chosen):
        return np.array([_position(str(name), index, what) for name in chosen])
    raise HypergraphError(
        f"A selection of {what}s is a boolean mask, indices or names, not "
        f"{shown(selection)}."
    )


def _known_indices(indices: NDArray[np.integer], n: int, what: str) -> NDArray:
    unknown = indices[(indices < 0) | (indices >= n)]
    if unknown.size:
        raise HypergraphError(
            f"There is no {what} {int(unknown[0])}; indices run from 0 to {n - 1}."
        )
    return indices


def _position(name: str, index: Mapping[str, int], what: str) -> int:
    if name in index:
        return index[name]
    near = difflib.get_close_matches(name, list(index)[:10_000], n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"use a name of a known {what}."
    raise HypergraphError(f"There is no {what} {shown(name)}; {hint}")
