"""Folds within training, dealt in one place: no group of rows is ever torn.

Near copies of a row, as of one patient, are told from each other by no model: whoever
learned from one of them knows the others. So where rows belong to groups it is groups
that are dealt, and what is held out has no relative among what was learned from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state

from ..errors import DataError, shown
from .arrays import Floats, Integers, Mask

#: Takes codes of classes, the number of folds and a seed, returns the fold of each row.
Dealing: TypeAlias = Callable[[Integers, int, Any], Integers]


def group_codes(groups: Any, n_rows: int) -> Integers | None:
    """Return which rows belong together, as codes from 0; None where nothing is known.

    Shapes: `groups` (n_rows,) -> (n_rows,).
    """
    if groups is None:
        return None
    values = np.asarray(groups)
    if values.shape != (n_rows,):
        raise DataError(
            f"groups has shape {values.shape}, and there are {n_rows} rows; give the "
            "group of each row."
        )
    try:
        known, codes = np.unique(values, return_inverse=True)
        is_absent = bool(np.any(known != known))  # NaN alone differs from itself
    except TypeError as error:
        raise DataError(
            f"groups holds {shown(values[0])} beside what does not sort with it; give "
            "a group of every row, all as text or all as numbers."
        ) from error
    if is_absent:
        raise DataError(
            "A row has no group (NaN); name one for every row, its own where it is "
            "alone."
        )
    return codes.astype(np.int64)


def deal_folds(
    labels: Integers,
    n_folds: int,
    random_state: Any,
    groups: Integers | None = None,
    *,
    freely: Dealing,
    keep_classes: bool = True,
) -> Integers:
    """Return the fold of each row; rows of a group are of one fold.

    Shapes: `labels`, codes of the classes, (n_rows,), `groups` (n_rows,) -> (n_rows,).
    `random_state`: a seed, or a generator that is drawn from.
    `freely`: how rows without groups are dealt. Groups are dealt in turn, those that
    hold the rarest class first, so that every class is spread over the folds.
    `keep_classes`: whether every class is to be learned from, whatever fold is left
    out. A group without which one cannot be is of fold -1, and is never left out.
    """
    if groups is None:
        return freely(labels, n_folds, random_state)
    _, units = np.unique(groups, return_inverse=True)
    _, codes = np.unique(labels, return_inverse=True)
    holds = np.zeros((units.max() + 1, codes.max() + 1), dtype=bool)
    holds[units, codes] = True
    # A group stands for the rarest class in it: the others have groups to spare.
    ranked = np.argsort(holds.sum(axis=0), kind="stable")
    stands_for = ranked[np.argmax(holds[:, ranked], axis=1)]
    folds = evenly(stands_for, n_folds, random_state)
    if keep_classes:
        _spare_classes(folds, holds, n_folds)
    return folds[units]


def left_out(folds: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield rows to learn from and rows to judge, fold by fold.

    Those that are never left out come last, and are judged by what learned from them.
    """
    for fold in range(int(folds.max()) + 1):
        held = folds == fold
        if held.any():
            yield np.flatnonzero(~held), np.flatnonzero(held)
    if (folds < 0).any():
        yield np.arange(len(folds)), np.flatnonzero(folds < 0)


def spread_of_sum(
    terms: Floats, weights: Floats, groups: Integers | None = None
) -> float:
    """Return the variance of a weighted sum of terms of mean 0.

    Shapes: `terms`, `weights` and `groups` (n_rows,).
    Rows of a group may agree in everything: it is their sums that are independent.
    """
    if groups is None:
        return float(weights @ terms**2)
    _, units = np.unique(groups, return_inverse=True)
    sums = np.bincount(units, weights * terms)
    n = len(sums)
    return float(sums @ sums) * n / max(n - 1, 1)


# ------------------------------------------------------------ how rows are dealt freely


def _dealt(
    labels: Integers,
    n_folds: int,
    random_state: Any,
    *,
    goes_on: bool,
    spares: bool = False,
) -> Integers:
    """Return the fold of each row; every class is spread evenly over the folds.

    `goes_on`: whether a class begins where the last one stopped, so that small classes
    do not pile up.
    `spares`: whether the row of a class of one is of fold -1.
    """
    generator = check_random_state(random_state)
    folds = np.full(len(labels), -1)
    dealt = 0
    for label, size in enumerate(np.bincount(labels)):
        members = generator.permutation(np.flatnonzero(labels == label))
        if size > 1 or not spares:
            folds[members] = (dealt + np.arange(size)) % n_folds
            dealt += size if goes_on else 0
    return folds


#: Every class begins at the first fold.
anew: Dealing = partial(_dealt, goes_on=False)
#: Every class begins where the last one stopped.
evenly: Dealing = partial(_dealt, goes_on=True)
#: Likewise; but a class of a single row is of fold -1, so that all are learned from.
in_turn: Dealing = partial(_dealt, goes_on=True, spares=True)


def stratified(labels: Integers, n_folds: int, random_state: Any) -> Integers:
    """Return the fold of each row as scikit-learn's ``StratifiedKFold`` deals them."""
    folds = np.empty(len(labels), dtype=np.int64)
    cut = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    for fold, (_, held) in enumerate(cut.split(labels, labels)):
        folds[held] = fold
    return folds


# ---------------------------------------------------------------- classes that are kept


def _spare_classes(folds: Integers, holds: Mask, n_folds: int) -> None:
    """Move groups until every class stands in two folds; else hold one back, as -1.

    Shapes: `folds` (n_groups,), `holds`, which classes are in it, (n_groups,
    n_classes).
    """
    # What is moved for one class may cost another its second fold: each time there are
    # fewer that want one, so it ends.
    while (missing := _missing(folds, holds, n_folds)).any():
        label = int(np.argmax(missing))
        units = np.flatnonzero(holds[:, label])
        for unit in units:
            if not _missing(folds, holds, n_folds)[label]:
                break
            _move(folds, holds, n_folds, int(unit))
        if _missing(folds, holds, n_folds)[label]:
            folds[units[0]] = -1


def _move(folds: Integers, holds: Mask, n_folds: int, unit: int) -> None:
    """Put a group into the first fold that leaves fewer classes without a second."""
    stays, missing = folds[unit], _missing(folds, holds, n_folds).sum()
    for fold in range(n_folds):
        folds[unit] = fold
        if _missing(folds, holds, n_folds).sum() < missing:
            return
    folds[unit] = stays


def _missing(folds: Integers, holds: Mask, n_folds: int) -> Mask:
    """Return which classes cannot be learned once a certain fold is left out."""
    places = np.zeros((n_folds + 1, holds.shape[1]), dtype=bool)
    np.logical_or.at(places, folds, holds)  # what is held back stands in the last
    return (places.sum(axis=0) == 1) & ~places[-1]
