"""What has names is taken by name: columns of tables, costs of parts, masks.

One rule for all. Where both sides have names, what is given may stand in any order,
and a name that either side lacks is refused. A bare array has no names, and x0, x1, ...
(of components c0, c1, ...), which a hypergraph gives itself, are none: they go by
position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _get_feature_names

from ..checks import refuse_twins
from ..errors import DataError, listed
from ..values import matched_names

Named: TypeAlias = Literal["feature", "component"]
_GENERIC: Mapping[Named, str] = {"feature": "x", "component": "c"}


def generic_names(n: int, what: Named = "feature") -> tuple[str, ...]:
    """Return the names of features or components that have none."""
    return tuple(f"{_GENERIC[what]}{k}" for k in range(n))


def column_names(X: Any) -> tuple[str, ...] | None:
    """Return the names of a table's columns as scikit-learn sees them.

    None where it is no frame (pandas, polars, Arrow) or its names are no texts.
    """
    if not hasattr(X, "columns"):  # of the many that are arrays, at once
        return None
    try:
        names = _get_feature_names(X)
    except TypeError as error:
        raise DataError(
            "The columns of X are named by texts and by other things; name all by "
            "texts, as X.columns.astype(str) does, or give a bare array."
        ) from error
    except ValueError:  # of a name that stands twice
        _refuse_twins(getattr(X, "column_names", X.columns), "X")
        raise
    return None if names is None else tuple(map(str, names))


def index_names(values: Any) -> tuple[str, ...] | None:
    """Return the names in the index of a Series or of a frame of pandas.

    None where there is no index, or it holds other things than texts.
    """
    index = getattr(values, "index", None)
    names = [] if index is None or callable(index) else list(index)
    is_named = bool(names) and all(isinstance(name, str) for name in names)
    return tuple(map(str, names)) if is_named else None


def named_values(values: Any) -> dict[str, Any] | None:
    """Return the values of a mapping or of a Series by name, None where they have none.

    Of a Series no name may stand twice.
    """
    if isinstance(values, Mapping):
        is_named = bool(values) and all(isinstance(name, str) for name in values)
        return dict(values) if is_named else None
    names = index_names(values)
    if names is None or np.ndim(values) != 1:
        return None
    _refuse_twins(names, "A Series of values")
    return dict(zip(names, np.asarray(values), strict=True))


def order_by_name(
    given: Sequence[str],
    known: Sequence[str],
    whose: str,
    others: str = "the hypergraph",
    what: Named = "feature",
) -> list[int] | None:
    """Return where each known name stands among those given.

    None where they go by position: they are the same, or one side has none of its own.
    `whose`, `others`: who has the names, for the refusal of a name that one lacks.
    """
    known = [str(name) for name in known]
    if list(given) == known:
        return None
    # Names that look the same are, whichever signs write them.
    composed = matched_names(given, known)
    given = [composed.get(name, name) for name in given]
    place = {name: k for k, name in enumerate(given)}
    if len(given) == len(known) and place.keys() == set(known):
        return [place[name] for name in known]
    if any(tuple(names) == generic_names(len(names), what) for names in (given, known)):
        return None
    _refuse_twins(given, whose)
    described = set(known)
    missing = [name for name in known if name not in place]
    beyond = [name for name in given if name not in described]
    parts = [f"no {listed(missing)}, which {others} names"] if missing else []
    if beyond:
        parts.append(f"{listed(beyond)}, which {others} does not name")
    raise DataError(
        f"{whose} has {', and '.join(parts)}; make the names agree, or give a bare "
        "array, which goes by position."
    )


def aligned_columns(
    X: Any,
    known: Sequence[str],
    whose: str = "X",
    others: str = "the hypergraph",
    what: Named = "feature",
) -> Any:
    """Return a table with its columns in the order of known names, by the rule."""
    names = column_names(X)
    order = order_by_name(names, known, whose, others, what) if names else None
    if names is None or order is None:
        return X
    here, taken = [names[k] for k in order], _safe_indexing(X, order, axis=1)
    return taken if here == list(known) else _renamed(taken, here, list(known))


def _renamed(table: Any, old: Sequence[str], new: list[str]) -> Any:
    """Return a frame of pandas, Arrow or polars with other names."""
    if hasattr(table, "set_axis"):
        return table.set_axis(new, axis=1)
    if hasattr(table, "rename_columns"):
        return table.rename_columns(new)
    return table.rename(dict(zip(old, new, strict=True)))


def named_columns(
    X: Any, names: Sequence[str] | None
) -> tuple[Any, Sequence[str] | None]:
    """Return a table in the order of a list of names, and the names.

    Where there is no list, the table's own, None if it has none either.
    """
    if names is None:
        return X, column_names(X)
    return aligned_columns(X, names, others="the list of names"), names


def aligned_values(
    values: Any,
    known: Sequence[str],
    whose: str,
    others: str = "the hypergraph",
    what: Named = "feature",
) -> Any:
    """Return values in the order of known names, by the rule; others as they are."""
    named = named_values(values)
    if named is None:
        return values
    order = order_by_name(list(named), known, whose, others, what)
    given = list(named.values())
    return given if order is None else [given[k] for k in order]


def _refuse_twins(names: Iterable[str], whose: str) -> None:
    refuse_twins(names, f"{whose} has", remedy="give each a name of its own")
