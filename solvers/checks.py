"""Checks that everybody needs, each written once: rows, names, numbers, packages."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, wraps
from importlib import metadata
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from .errors import (
    DataError,
    KnobError,
    PipelineError,
    ThriftscopeError,
    reason_of,
    shown,
)

_Asked = ParamSpec("_Asked")
_Item = TypeVar("_Item")
_Name = TypeVar("_Name")
RandomState: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"


def eager(
    steps: Callable[_Asked, Iterator[_Item | None]],
) -> Callable[_Asked, Iterator[_Item]]:
    """Let a generator do at the call what stands before its first ``yield None``.

    So what checks its input refuses it there, and what takes long comes when it is
    asked for.

    >>> @eager
    ... def halves(number):
    ...     if number <= 0:
    ...         raise ValueError("give a number above 0")
    ...     yield None
    ...     while True:
    ...         yield (number := number / 2)
    >>> next(halves(3.0))
    1.5
    >>> halves(-1.0)
    Traceback (most recent call last):
    ...
    ValueError: give a number above 0
    """

    @wraps(steps)
    def begun(*args: _Asked.args, **kwargs: _Asked.kwargs) -> Iterator[_Item]:
        items: Iterator[Any] = steps(*args, **kwargs)
        next(items)
        return items

    return begun


def real_numbers(values: Any, name: str) -> NDArray[np.float64]:
    """Return an array of real numbers, or refuse what holds anything else."""
    if sparse.issparse(values):
        raise DataError(
            f"{name} is sparse, of shape {values.shape}; give {name}.toarray()."
        )
    try:
        found = np.asarray(values)
        if found.dtype.kind in "cmM":  # NumPy would drop what makes it none
            raise TypeError(f"its type is {found.dtype}")
        return found.astype(float)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{name} holds what is no real number ({first_sentence(error)}); give a "
            "number for each, texts and dates encoded."
        ) from error


def row_weights(weights: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    """Return the weight of each row, shape (n_rows,); 1 where none is given.

    A single number is the weight of all.
    """
    if weights is None:
        return np.ones(n_rows)
    found = real_numbers(weights, "sample_weight")
    if found.ndim == 0:
        found = np.full(n_rows, found)
    if found.shape != (n_rows,):
        raise DataError(
            f"sample_weight has shape {found.shape}; give one number for each of the "
            f"{n_rows} rows."
        )
    wrong = found[~(np.isfinite(found) & (found >= 0.0))]
    if wrong.size:
        raise DataError(
            f"A sample weight is {wrong[0]:g}; weights are 0 or more, and finite."
        )
    if not found.any():
        raise DataError("Every sample weight is zero; give some row one above zero.")
    return found


def first_sentence(error: Exception) -> str:
    """Return what an error of another package says, as far as its first full stop."""
    return reason_of(error).split(". ")[0]


def first_twin(names: Iterable[_Name]) -> _Name | None:
    """Return the first name that stands twice, None where each stands once."""
    seen: set[_Name] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def refuse_twins(
    names: Iterable[Any],
    has: str,
    error: type[ThriftscopeError] = DataError,
    remedy: str = "name each once",
) -> None:
    """Refuse names of which one stands twice; `has`: "X has the column", of whom."""
    twin = first_twin(names)
    if twin is not None:
        raise error(f"{has} {shown(twin)} twice; {remedy}.")


def refuse_namesakes(
    names: Iterable[str], what: str, error: type[ThriftscopeError] = DataError
) -> None:
    """Refuse names of which one stands twice; `what` they name: a feature, a price."""
    twin = first_twin(names)
    if twin is not None:
        raise error(
            f"Two {what}s are called {shown(twin)}; give every {what} a name of its "
            "own."
        )


def at_least_zero(
    value: Any, name: str, error: type[ThriftscopeError] = DataError
) -> float:
    """Return a budget or a limit as a float, which may be infinite, or refuse it."""
    try:
        found = np.nan if isinstance(value, str | bytes) else float(value)
    except (OverflowError, TypeError, ValueError):
        found = np.nan
    if not found >= 0.0:
        told = f"{value:g}" if isinstance(value, Real) else shown(value)
        raise error(f"{name} is {told}; give a number, 0 or more.")
    return found


def check_number(
    name: str,
    value: Any,
    low: float,
    high: float = np.inf,
    error: type[ThriftscopeError] = KnobError,
) -> float:
    """Return a finite number between two bounds, bounds included, or refuse it."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        raise error(f"{name} is {shown(value)}; give a number.")
    try:
        found = float(value)
    except OverflowError:  # a whole number of 309 digits
        found = np.inf
    if not low <= found <= high or np.isinf(found):
        allowed = (
            f"{low:g} or more" if np.isinf(high) else f"between {low:g} and {high:g}"
        )
        raise error(f"{name} is {found:g}; it is {allowed}.")
    return found


def check_count(
    name: str,
    value: Any,
    low: int,
    high: int | None = None,
    error: type[ThriftscopeError] = KnobError,
) -> int:
    """Return a whole number between two bounds, bounds included, or refuse it."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise error(f"{name} is {shown(value)}; give a whole number.")
    found = int(value)
    if found < low or (high is not None and found > high):
        allowed = f"{low} or more" if high is None else f"between {low} and {high}"
        raise error(f"{name} is {shown(found)}; it is {allowed}.")
    return found


def check_choice(name: str, value: Any, options: Sequence[str]) -> None:
    """Refuse what is not one of a few names."""
    if value not in options:
        allowed = ", ".join(repr(option) for option in options)
        raise KnobError(f"{name} is {shown(value)}; it is one of {allowed}.")


def refuse_unknown(
    name: Any,
    known: Iterable[str],
    what: str,
    error: type[ThriftscopeError] = ThriftscopeError,
) -> None:
    """Refuse a name that nothing of a kind has; `what` it would name: a method."""
    if name not in known:
        raise error(
            f"There is no {what} {shown(name)}; choose from {', '.join(known)}."
        )


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a source of random numbers.

    `random_state`: A seed of 0 or more, or a source to go on with; None draws a fresh
    one.
    """
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise KnobError(
            f"random_state is {shown(random_state)}; give a whole number, 0 or more."
        ) from error


def finite_numbers(what: str, values: Any) -> NDArray[np.float64]:
    """Return a copy of an array of finite numbers."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} are not numbers; give an array of numbers.") from error
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = ", ".join(str(index) for index in wrong[0])
        raise DataError(
            f"{what} hold {array[tuple(wrong[0])]} at [{place}]; every entry is a "
            "finite number."
        )
    return array


def refuse_uneven_labels(
    labels: NDArray,
    n: int,
    what: str = "row",
    error: type[ThriftscopeError] = DataError,
) -> None:
    """Refuse labels of another shape than (n,); `what` has one each: a row, a node."""
    if labels.shape != (n,):
        raise error(
            f"There are {n} {what}s, but labels of shape {labels.shape}; give one "
            f"label for each {what}."
        )


def library(
    package: str,
    extra: str,
    user: str,
    error: type[ThriftscopeError] = PipelineError,
    instead: str = "",
) -> Any:
    """Return a package that may not be there, or refuse with what installs it.

    `user`: what needs it; `instead`: what else would do, the end of a sentence.
    """
    try:
        return importlib.import_module(package)
    except ImportError as cause:
        why = f"cannot be imported ({cause})"
        raise error(lack_of(package, extra, user, why, instead)) from cause


def lack_of(
    package: str,
    extra: str,
    user: str,
    why: str = "is not installed",
    instead: str = "",
) -> str:
    """Return the sentence that somebody lacks a package, as of `library`."""
    return (
        f"{user} needs {package}, which {why}; run pip install "
        f"'thriftscope[{extra}]'{instead}."
    )


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a result depends on.

    Returns
    -------
    dict of str to str
    """
    found = {"python": platform.python_version()}
    for name in ("thriftscope", "numpy", "scipy", "scikit-learn", "skops"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed as a package"
    return found
