"""Rows cut by what is known of them: groups, times, given parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from ..errors import DataError, counted, listed
from .rows import PARTS, RowRoles, placed_moments

__all__ = ["folds_by_role", "rows_by_role"]

_PIECES = 20  # groups are dealt into so many pieces, which then make up the parts


def rows_by_role(
    y: NDArray,
    roles: RowRoles,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> dict[str, NDArray[np.int_]] | None:
    """Return the rows of each part; None where nothing says how to cut."""
    if roles.part is not None:
        rows = _by_part(y, roles, fractions, random_state)
    elif roles.time is not None:
        rows = _by_time(roles.time, fractions)
    elif roles.group is not None:
        rows = _by_group(y, roles.group, fractions, random_state)
    else:
        return None
    _refuse_parts_without_a_class(y, rows)
    return rows


def _by_part(
    y: NDArray,
    roles: RowRoles,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> dict[str, NDArray[np.int_]]:
    """Return the rows as given; where none validates, some that train are drawn."""
    rows = {part: np.flatnonzero(roles.part == part) for part in PARTS}
    if not len(rows["validation"]):
        given = rows["train"]
        group = None if roles.group is None else roles.group[given]
        train, held = _held_back(y[given], group, fractions, random_state)
        rows |= {"train": given[train], "validation": given[held]}
    return rows


def _held_back(
    y: NDArray,
    group: NDArray[np.int_] | None,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return which rows train and which validate; no group is on both sides."""
    n_folds = max(2, round(sum(fractions[:2]) / fractions[1]))
    n_least = int(np.unique(y, return_counts=True)[1].min())
    n_units = n_least if group is None else min(n_least, len(np.unique(group)))
    if n_units < n_folds:
        what = counted(n_units, "row" if n_units == n_least else "group")
        what += " of the rarest class" * (n_units == n_least)
        raise DataError(
            f"No row is given for validation, and only {what} train; write "
            f"validation in some rows, or give at least {n_folds} to draw from."
        )
    folds: StratifiedKFold | StratifiedGroupKFold = (
        StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
        if group is None
        else StratifiedGroupKFold(n_folds, shuffle=True, random_state=random_state)
    )
    return next(folds.split(y, y, group))


def _by_time(
    time: NDArray[np.float64], fractions: tuple[float, float, float]
) -> dict[str, NDArray[np.int_]]:
    """Return rows in order of time; rows of one moment stay together."""
    n_moments = len(np.unique(time))
    if n_moments < len(PARTS):
        raise DataError(
            f"The column of times holds {counted(n_moments, 'distinct time')}; "
            "training, validation and test need one each."
        )
    # The middle of a moment's rows says on which side of a cut they fall.
    part = np.searchsorted(np.cumsum(fractions)[:2], placed_moments(time))
    return {name: np.flatnonzero(part == k) for k, name in enumerate(PARTS)}


def _by_group(
    y: NDArray,
    group: NDArray[np.int_],
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> dict[str, NDArray[np.int_]]:
    n_groups = len(np.unique(group))
    if n_groups < len(PARTS):
        raise DataError(
            f"The column of groups holds {counted(n_groups, 'group')}; training, "
            "validation and test need one each."
        )
    n_pieces = min(_PIECES, n_groups)
    dealt = StratifiedGroupKFold(n_pieces, shuffle=True, random_state=random_state)
    pieces = [test for _, test in dealt.split(y, y, group)]
    # Each part gets one piece; then the part that lacks most rows gets the next.
    wanted = np.array(fractions) * len(y)
    parts: list[list[NDArray[np.int_]]] = [[], [], []]
    for piece in sorted(pieces, key=len, reverse=True):
        held = np.array([sum(map(len, part)) for part in parts])
        empty = [k for k in range(3) if not parts[k]]
        lacking = empty[0] if empty else int(np.argmax(wanted - held))
        parts[lacking].append(piece)
    return {
        name: np.sort(np.concatenate(part))
        for name, part in zip(PARTS, parts, strict=True)
    }


def folds_by_role(
    y: NDArray,
    roles: RowRoles | None,
    fractions: tuple[float, float, float],
    n_folds: int,
    random_state: int | None,
) -> Iterator[dict[str, NDArray[np.int_]]] | None:
    """Return folds that keep groups together; None where rows may be dealt freely."""
    if roles is None:
        return None
    if roles.time is None and roles.part is None and roles.group is None:
        return None
    if roles.group is None or roles.part is not None:
        raise DataError(
            "Rows that are split by time or by a given column make one split, not "
            f"{n_folds} folds; leave folds out."
        )
    return _group_folds(y, roles.group, fractions, n_folds, random_state)


def _group_folds(
    y: NDArray,
    group: NDArray[np.int_],
    fractions: tuple[float, float, float],
    n_folds: int,
    random_state: int | None,
) -> Iterator[dict[str, NDArray[np.int_]]]:
    n_groups = len(np.unique(group))
    few = DataError(
        f"The column of groups holds {counted(n_groups, 'group')}, too few "
        f"for {n_folds} folds that train, validate and test on others each; ask for "
        "fewer folds, or give more groups."
    )
    if n_groups < n_folds:
        raise few
    folds = StratifiedGroupKFold(n_folds, shuffle=True, random_state=random_state)
    n_pieces = max(2, round(1 + fractions[0] / fractions[1]))
    for rest, test in folds.split(y, y, group):
        n_inner = min(n_pieces, len(np.unique(group[rest])))
        if n_inner < 2:
            raise few
        inner = StratifiedGroupKFold(n_inner, shuffle=True, random_state=random_state)
        train, validation = next(inner.split(y[rest], y[rest], group[rest]))
        rows = {"train": rest[train], "validation": rest[validation], "test": test}
        _refuse_parts_without_a_class(y, rows)
        yield rows


def _refuse_parts_without_a_class(
    y: NDArray, rows: Mapping[str, NDArray[np.int_]]
) -> None:
    classes = np.unique(y)
    for part, taken in rows.items():
        absent = [label for label in classes.tolist() if label not in y[taken]]
        if absent:
            raise DataError(
                f"The {part} rows hold no row of class {listed(absent)}; split by "
                "another column, or at random."
            )
