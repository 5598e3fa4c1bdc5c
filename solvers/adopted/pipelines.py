"""Pipelines that scale, fill and encode before a model, as a model of their columns."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from ..errors import DeployError
from ..numerics.arrays import Floats
from .fitted import (
    Asked,
    FittedModel,
    FittedSum,
    FittedTrees,
    GrownNode,
    SumPart,
    equal_to,
    joined,
    tree_of,
)

#: From a number to a number that is no lower for a larger one.
Rising = Callable[[float], float]


@dataclass(frozen=True)
class Made:
    """A number that reaches the model, made of one column of the table."""

    column: int
    steps: tuple[Rising, ...] = ()  # What becomes of a number, one after the other
    # What becomes of each value of a list, and of any other; None: it is a number
    table: Mapping[Any, float] | None = None
    other: float = math.nan
    gap: Any = math.nan  # What stands for a gap; NaN: nothing

    def then(self, step: Rising) -> Made:
        """Return what a further step makes of it; gaps stay."""
        gap = step(self.gap) if _is_known(self.gap) else self.gap
        if self.table is None:
            return replace(self, steps=(*self.steps, step), gap=gap)
        table = {value: step(number) for value, number in self.table.items()}
        return replace(self, table=table, other=step(self.other), gap=gap)

    def filled(self, fill: Any) -> Made:
        """Return the same with something in place of gaps."""
        gap = self.gap if _is_known(self.gap) else fill
        if self.table is None:
            return replace(self, gap=gap)
        table = {v: fill if math.isnan(x) else x for v, x in self.table.items()}
        other = fill if math.isnan(self.other) else self.other
        return replace(self, table=table, other=other, gap=gap)

    def of(self, number: float) -> float:
        """Return what becomes of a number."""
        for step in self.steps:
            number = step(number)
        return number


def _is_known(value: Any) -> bool:
    return value is not None and value == value


def read_pipeline(model: Any, read: Callable[[Any], FittedModel]) -> FittedModel | None:
    """Return a fitted pipeline as a model of the table's columns; None of others.

    `read`: what reads the model at its end.
    """
    if not isinstance(model, Pipeline):
        return None
    inner = read(model.steps[-1][1])
    first = model.steps[0][1]
    n_features = int(first.n_features_in_)
    names = getattr(first, "feature_names_in_", None)
    made: list[Made] = [Made(j) for j in range(n_features)]
    for _, step in model.steps[:-1]:
        made = _through(step, made)
    if len(made) != inner.n_features:
        raise DeployError(
            f"The pipeline hands on {len(made)} columns, and the {inner.name} takes "
            f"{inner.n_features}; fit it anew as a whole."
        )
    coded = _Coded(n_features, made, inner.words)
    decides = inner.decides
    rewritten: FittedSum | FittedTrees
    if isinstance(decides, FittedTrees):
        rewritten = _trees_of(decides, coded)
    else:
        rewritten = _sum_of(decides, coded)
    return replace(
        inner,
        n_features=n_features,
        feature_names=None if names is None else tuple(map(str, names)),
        decides=rewritten,
        words=coded.words,
    )


# What steps make of columns.


def _through(step: Any, made: Sequence[Made]) -> list[Made]:
    """Return what a fitted step makes of columns."""
    is_itself = isinstance(step, FunctionTransformer) and step.func is None
    if step is None or is_itself or isinstance(step, str):  # "passthrough"
        return list(made)
    if isinstance(step, Pipeline):
        for _, one in step.steps:
            made = _through(one, made)
        return list(made)
    if isinstance(step, ColumnTransformer):
        return _side_by_side(step, made)
    handle = _STEPS.get(type(step))
    if handle is None:
        raise DeployError(
            f"A {type(step).__name__} before the model is not adopted; use "
            f"{', '.join(known.__name__ for known in _STEPS)} and column transformers "
            "of these."
        )
    return list(handle(step, made))


def _side_by_side(step: Any, made: Sequence[Made]) -> list[Made]:
    found: list[Made] = []
    for name, one, _ in step.transformers_:
        if isinstance(one, str) and one == "drop":
            continue
        places = step._transformer_to_input_indices[name]
        if len(places):
            found += _through(one, [made[j] for j in places])
    return found


def _affine(
    shift: Any, scale: Any, made: Sequence[Made], move: Callable[..., float]
) -> Iterable[Made]:
    n = len(made)
    shifts = np.zeros(n) if shift is None else np.asarray(shift, dtype=float)
    scales = np.ones(n) if scale is None else np.asarray(scale, dtype=float)
    for one, a, b in zip(made, shifts.tolist(), scales.tolist(), strict=True):
        yield one.then(partial(move, a, b))


def _less_then_over(shift: float, scale: float, x: float) -> float:
    return (x - shift) / scale


def _standard(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    shift = step.mean_ if step.with_mean else None
    return _affine(shift, step.scale_, made, _less_then_over)


def _robust(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    return _affine(step.center_, step.scale_, made, _less_then_over)


def _largest(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    if getattr(step, "clip", False):
        raise DeployError("A MaxAbsScaler that clips is not adopted; fit it without.")
    return _affine(None, step.scale_, made, _less_then_over)


def _between(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    low, high = step.feature_range if step.clip else (-math.inf, math.inf)

    def moved(shift: float, scale: float, x: float) -> float:
        found = x * scale + shift
        return min(max(found, low), high) if found == found else found

    return _affine(step.min_, step.scale_, made, moved)


def _filled(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    fills = step.statistics_.tolist()
    if _is_known(step.missing_values) or not all(map(_is_known, fills)):
        raise DeployError(
            "A SimpleImputer is adopted that fills NaN, of which every column has some "
            "other value; drop empty columns, and mark gaps by NaN."
        )
    yield from (one.filled(fill) for one, fill in zip(made, fills, strict=True))
    if step.indicator_ is not None:
        for j in step.indicator_.features_.tolist():
            yield Made(made[j].column, table={}, other=0.0, gap=1.0)


def _one_hot(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    if step._infrequent_enabled:
        raise DeployError(
            "A OneHotEncoder that joins rare values is not adopted; fit it without "
            "min_frequency and max_categories."
        )
    drops = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(made)
    for one, known, drop in zip(made, step.categories_, drops, strict=True):
        values = _refuse_encoded(one, known.tolist())
        for k, value in enumerate(values):
            if k == drop:
                continue
            is_gap = one.gap == value if _is_known(one.gap) else not _is_known(value)
            table = {v: float(v == value) for v in values if _is_known(v)}
            yield Made(one.column, table=table, other=0.0, gap=float(is_gap))


def _ordinal(step: Any, made: Sequence[Made]) -> Iterable[Made]:
    unknown = step.unknown_value
    other = math.nan if unknown is None else float(unknown)
    for one, known in zip(made, step.categories_, strict=True):
        values = _refuse_encoded(one, known.tolist())
        table = {v: float(k) for k, v in enumerate(values) if _is_known(v)}
        gap = float(step.encoded_missing_value)
        if _is_known(one.gap):
            gap = table.get(one.gap, other)
        yield Made(one.column, table=table, other=other, gap=gap)


def _refuse_encoded(one: Made, values: list[Any]) -> list[Any]:
    """Return the values of an encoder, which is the first step of a column."""
    if one.table is not None or one.steps:
        raise DeployError(
            "An encoder behind another step than an imputer is not adopted; encode "
            "columns as they come."
        )
    return values


_STEPS: Mapping[type, Callable[[Any, Sequence[Made]], Iterable[Made]]] = {
    StandardScaler: _standard,
    MinMaxScaler: _between,
    MaxAbsScaler: _largest,
    RobustScaler: _robust,
    SimpleImputer: _filled,
    OneHotEncoder: _one_hot,
    OrdinalEncoder: _ordinal,
}


# Models on what was made, as models on the columns of the table.


@dataclass
class _Coded:
    """Columns that reach the model, with words as places in lists."""

    n_features: int
    made: Sequence[Made]
    inner_words: Mapping[int, tuple[str, ...]]
    words: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _bounds: dict[tuple[int, float], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found: dict[int, dict[str, None]] = {}
        for place, one in enumerate(self.made):
            listed = list(self.inner_words.get(place, ()))
            listed += [value for value in one.table or () if isinstance(value, str)]
            if listed:
                found.setdefault(one.column, {}).update(dict.fromkeys(listed))
        self.words = {column: tuple(words) for column, words in found.items()}
        for place, words in self.inner_words.items():
            one = self.made[place]
            is_bare = not one.steps and one.table is None and not _is_known(one.gap)
            if not is_bare or self.words[one.column] != words:
                raise DeployError(
                    "A column of words goes through other steps before the model, "
                    "which is not adopted; let it come as it is."
                )

    def values(self, place: int) -> list[tuple[float, float]]:
        """Return the codes of listed values, rising, and what becomes of each."""
        one = self.made[place]
        words = self.words.get(one.column)
        if words is None:
            pairs = [(float(v), x) for v, x in (one.table or {}).items()]
        else:
            pairs = [(float(words.index(v)), x) for v, x in (one.table or {}).items()]
        return sorted(pairs)

    def bound(self, place: int, at: float) -> float:
        """Return the largest number of which no more than a bound becomes."""
        key = place, at
        if key not in self._bounds:
            one = self.made[place]
            self._bounds[key] = _largest_below(one.of, at) if one.steps else at
        return self._bounds[key]


def _largest_below(rising: Rising, at: float) -> float:
    """Return the largest double that a function does not lift above a bound."""
    low, high = _order_of(-math.inf), _order_of(math.inf)
    if not rising(_double(low + 1)) <= at:
        return -math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rising(_double(middle)) <= at else (low, middle)
    return _double(low)


def _order_of(value: float) -> int:
    """Return the place of a double among all doubles."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return int(bits) if bits >= 0 else -(int(bits) & 0x7FFFFFFFFFFFFFFF)


def _double(place: int) -> float:
    """Return the double of a place."""
    bits = place if place >= 0 else -place - 0x8000000000000000
    (value,) = struct.unpack("<d", struct.pack("<q", bits))
    return float(value)


def _trees_of(fitted: FittedTrees, coded: _Coded) -> FittedTrees:
    """Return trees that ask for columns of the table."""
    tree, roots = fitted.ensemble.tree, fitted.ensemble.roots.tolist()
    ends = [*roots[1:], len(tree.features)]
    grown = []
    for begin, end in zip(roots, ends, strict=True):
        nodes = []
        for k in range(begin, end):
            share, value = float(fitted.shares[k]), tree.values[k]
            place = int(tree.features[k])
            if place < 0:
                nodes.append(GrownNode(share, value))
                continue
            ways = int(tree.left[k]) - begin, int(tree.right[k]) - begin
            to_left = tree.gaps_left is not None and bool(tree.gaps_left[k])
            asked = _asked(coded, place, float(tree.thresholds[k]), ways, to_left)
            nodes.append(GrownNode(share, value, coded.made[place].column, asked))
        grown.append(tree_of(nodes))
    found = joined(grown, fitted.divisor, takes_gaps=True)
    if fitted.takes_gaps:
        return found
    used = [coded.made[j] for j in np.unique(tree.features).tolist() if j >= 0]
    gapless = frozenset(one.column for one in used if not _is_known(one.gap))
    return replace(found, gapless=gapless)


def _asked(
    coded: _Coded, place: int, at: float, ways: tuple[int, int], to_left: bool
) -> tuple[Asked, ...]:
    """Return what a question about something made asks of its column."""
    one, (left, right) = coded.made[place], ways

    def way(number: float) -> int:
        if not _is_known(number):
            return left if to_left else right
        return left if number <= at else right

    if one.table is None:
        below = way(one.gap) == left
        bound = coded.bound(place, at)
        return (Asked(bound, ("child", left), ("child", right), gaps_below=below),)
    values = coded.values(place)
    known, leads = [v for v, _ in values], [way(x) for _, x in values]
    return equal_to(known, leads, way(one.other), way(one.gap))


def _sum_of(fitted: FittedSum, coded: _Coded) -> FittedSum:
    """Return a sum of columns of the table, and of parts where they are listed."""
    n_outputs = len(fitted.coef)
    coef, intercept = np.zeros((n_outputs, coded.n_features)), fitted.intercept.copy()
    numbers: dict[int, tuple[Floats, Floats, Floats]] = {}
    parts: dict[int, list[int]] = {}
    for place, one in enumerate(coded.made):
        weights = fitted.coef[:, place]
        if not weights.any():
            continue
        if one.table is not None:
            parts.setdefault(one.column, []).append(place)
            continue
        slope, begin = _line(one)
        before = numbers.get(one.column, (np.zeros(n_outputs),) * 3)
        fill = one.gap if _is_known(one.gap) else math.nan
        found = weights * slope, weights * begin, weights * fill
        numbers[one.column] = (
            before[0] + found[0],
            before[1] + found[1],
            before[2] + found[2],
        )
    filled = []
    for column, line in numbers.items():
        if np.isnan(line[2]).any():  # a gap has no answer
            coef[:, column] += line[0]
            intercept = intercept + line[1]
        else:
            filled.append(SumPart(column, *line))
    listed = [_listed_part(fitted, coded, column, of) for column, of in parts.items()]
    return FittedSum(coef, intercept, (*filled, *listed))


def _line(one: Made) -> tuple[float, float]:
    """Return slope and beginning of what becomes of a number, which is a line."""
    begin = one.of(0.0)
    slope = one.of(1.0) - begin
    if not math.isclose(one.of(1e3), begin + 1e3 * slope, rel_tol=1e-6, abs_tol=1e-9):
        raise DeployError(
            "A scaler that clips before a weighted sum is not adopted; fit it without."
        )
    return slope, begin


def _listed_part(
    fitted: FittedSum, coded: _Coded, column: int, places: Sequence[int]
) -> SumPart:
    """Return what the listed values of a column add to the sum."""
    weights = [fitted.coef[:, place] for place in places]
    made = [coded.made[place] for place in places]
    codes = sorted({code for place in places for code, _ in coded.values(place)})
    tables = [dict(coded.values(place)) for place in places]

    def added(numbers: Iterable[float]) -> Floats:
        pairs = zip(weights, numbers, strict=True)
        return np.sum([w * x for w, x in pairs], axis=0)

    said = [
        added([t.get(code, one.other) for t, one in zip(tables, made, strict=True)])
        for code in codes
    ]
    said += [added([one.other for one in made]), added([one.gap for one in made])]
    n = len(codes)
    asked = equal_to(codes, range(1, n + 1), n + 1, n + 2)
    root = GrownNode(1.0, [0.0] * len(said[0]), column, asked)
    # A leaf that no value leads to is none of the tree's; gaps may have no answer.
    leaves = [GrownNode(1.0, np.nan_to_num(value).tolist()) for value in said]
    is_known = all(_is_known(one.gap) for one in made)
    return SumPart(column, tree=tree_of([root, *leaves])[0], takes_gaps=is_known)
