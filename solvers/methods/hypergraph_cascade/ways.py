"""What one sample does, made ready beforehand: names to read, weights, and bounds."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...lazy_features import finite_number
from .columns import Columns
from .members import Leaf, Member
from .policies import Policy
from .stages import SURE, StageModel

__all__ = ["Halt", "Said", "Way", "go", "lead", "ways_of"]

#: Reads a feature by its name.
Read: TypeAlias = Callable[[str], Any]
#: What a stage says of one row, and its score.
Said: TypeAlias = tuple[list[float], float]
#: From the table of numbers, and room for the outputs, to the outputs of a stage. What
#: is not known yet is 0 there, and weighs nothing: cutting it off would take longer.
Answer: TypeAlias = Callable[
    [NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]
]


class Halt(NamedTuple):
    """A stage at which a row may leave.

    Parameters
    ----------
    stage : int
        Its number.
    features : tuple of int
        What is computed that is not known yet.
    names : tuple of str
        Their names.
    write : callable
        Writes their values into a table of floats, from a byte on.
    begin : int
        That byte.
    n_known : int
        How many numbers are known then: a one, and the features so far.
    answer : callable
        From the table to the outputs of the stage's model, given room for them.
    low, high : float
        The row goes on if its score is strictly between them.
    """

    stage: int
    features: tuple[int, ...]
    names: tuple[str, ...]
    write: Callable[..., None]
    begin: int
    n_known: int
    answer: Answer
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Way:
    """All halts of one leaf.

    Parameters
    ----------
    route : tuple of int
        Features that are known already, since they lead to the leaf.
    halts : tuple of Halt
        In order.
    first : ndarray of float, shape (1 + n_features_of_the_leaf,)
        The table as it begins: a one, and zeros.
    n_outputs : int
        How many numbers a stage says whose model is linear.
    """

    route: tuple[int, ...]
    halts: tuple[Halt, ...]
    first: NDArray[np.float64]
    n_outputs: int


_BYTES = 8
# Made once for each policy, and gone with it; never saved.
_MADE: WeakKeyDictionary[Policy, tuple[Way, ...]] = WeakKeyDictionary()


def ways_of(member: Member, policy: Policy, names: Sequence[str]) -> tuple[Way, ...]:
    """Return the way of each leaf under a policy; made once.

    Parameters
    ----------
    member : Member
        The policy's.
    policy : Policy
        When rows leave.
    names : sequence of str
        Names of the features.

    Returns
    -------
    tuple of Way
    """
    if policy not in _MADE:
        _MADE[policy] = tuple(
            _way(leaf, member.columns, stops, names)
            for leaf, stops in zip(member.leaves, policy.stops, strict=True)
        )
    return _MADE[policy]


def _way(
    leaf: Leaf,
    columns: Columns,
    stops: Sequence[tuple[int, float, float]],
    names: Sequence[str],
) -> Way:
    parents = columns.parents[leaf.plan.columns].tolist()
    last = parents[: leaf.plan.ends[stops[-1][0]]]
    whole = 1 + len({*leaf.route, *last})
    # At place 0 stands a one, for the intercepts.
    place = {feature: 1 + k for k, feature in enumerate(leaf.route)}
    found = []
    for stage, low, high in stops:
        needed = parents[: leaf.plan.ends[stage]]
        news = tuple(dict.fromkeys(f for f in needed if f not in place))
        begin = _BYTES * (len(place) + 1)
        place |= {feature: len(place) + 1 + k for k, feature in enumerate(news)}
        at = np.array([place[feature] for feature in needed], dtype=np.int64)
        answer = _answer(leaf, columns, stage, at, whole)
        called = tuple(names[feature] for feature in news)
        # A third of the time that numpy takes for so few numbers.
        write = struct.Struct(f"{len(news)}d").pack_into
        n_known = len(place) + 1
        found.append(
            Halt(stage, news, called, write, begin, n_known, answer, low, high)
        )
    coef = leaf.models[0].coef
    n_outputs = 1 if coef is None else len(coef)
    first = np.zeros(whole)
    first[0] = 1.0
    return Way(leaf.route, tuple(found), first, n_outputs)


def _answer(
    leaf: Leaf, columns: Columns, stage: int, at: NDArray[np.int_], size: int
) -> Answer:
    model = leaf.models[stage]
    if model.coef is None or model.intercept is None or columns.knots is not None:
        return _answer_of_columns(model, columns, leaf.plan.bought(stage), at)
    weights = np.zeros((len(model.coef), size))
    weights[:, at] = model.coef
    weights[:, 0] = model.intercept
    # Its method itself: a function around it would take a tenth of a decision.
    return weights.dot


def _answer_of_columns(
    model: StageModel, columns: Columns, bought: NDArray[np.int_], at: NDArray[np.int_]
) -> Answer:
    features = bought % columns.n_features

    def answer(
        known: NDArray[np.float64], room: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        values = known[at]
        if not math.isfinite(values.sum()):
            return np.full_like(room, math.nan)
        if columns.knots is not None:
            row = np.zeros((1, columns.n_features))
            row[0, features] = values
            values = columns.table(row, bought)[0]
        return model.answer(values)

    return answer


def lead(member: Member, read: Callable[[int], float]) -> int:
    """Return the leaf that a row is led to.

    Parameters
    ----------
    member : Member
        Its tree leads.
    read : callable
        From the index of a feature to its value.

    Returns
    -------
    int
    """
    at = 0 if member.tree.splits else -1
    while at >= 0:
        split = member.tree.splits[at]
        at = split.below if read(split.feature) <= split.threshold else split.above
    return -1 - at


def go(
    way: Way,
    read: Read,
    values: NDArray[np.float64],
    note: Callable[[Halt, Said], None] | None = None,
) -> tuple[Halt, Said]:
    """Send a row through its halts until it may leave.

    Parameters
    ----------
    way : Way
        Of the row's leaf.
    read : callable
        From the name of a feature to its value; asked for each feature once, unless
        what it gives is no number.
    values : ndarray of float, as `way.first`
        A one, what is known already, and zeros; filled on the way.
    note : callable, optional
        Called at every halt.

    Returns
    -------
    halt : Halt
        Where the row leaves.
    said : Said
        What is said there.

    Raises
    ------
    DataError
        If something other than a finite number is read.
    """
    room = np.empty(way.n_outputs)
    for halt in way.halts:
        _, _, names, write, begin, n_known, answer, low, high = halt
        try:
            write(values, begin, *map(read, names))
        except struct.error:
            write(values, begin, *map(finite_number, map(read, names), names))
        outputs = answer(values, room)
        # Written out: as functions, these lines would take a fifth of a decision.
        ranked = outputs.tolist()
        if len(ranked) > 1:
            ranked.sort()
            score = ranked[-1] - ranked[-2]
        else:
            score = ranked[0]
        if note is not None:
            note(halt, _said(outputs, score))
        if not low < score < high:
            break
    # Where a feature is not finite, no output is, and the row never goes on.
    if not math.isfinite(score):
        list(map(finite_number, values[n_known - len(names) : n_known], names))
    return halt, _said(outputs, score)


def _said(outputs: NDArray[np.float64], score: float) -> Said:
    sure = score if -SURE < score < SURE else math.copysign(SURE, score)
    return ([sure] if len(outputs) == 1 else outputs.tolist()), sure
