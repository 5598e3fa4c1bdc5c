"""Values that functions are given and must not change, since others are given them too.

An array is handed out as a view that cannot be written into. Of anything else it is
looked, when a function is done, whether it is as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ..errors import PipelineError, shown
from .fingerprint import attributes_of, fingerprint, is_constant

__all__ = ["Guard", "guarded", "refuse_change", "witness"]

# Hands a value out, and returns whether it is as it was; None where that is needless.
Guard: TypeAlias = tuple[Callable[[], Any] | None, Callable[[], bool] | None]


def guarded(value: Any) -> Guard:
    """Return what hands a value out, and what tells whether it was changed."""
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view.view, (witness(value) if value.dtype.hasobject else None)
    if is_constant(value):
        return None, None
    if isinstance(value, pd.Series | pd.DataFrame) and _copies_on_write():
        return partial(value.copy, deep=False), None
    return None, witness(value)


def witness(value: Any) -> Callable[[], bool]:
    """Return what tells whether a value is as it was.

    An attribute of an instance that was None, or not there, may be a memory that was
    not filled yet.
    """
    kept: list[Any] = []  # Holds what is known by its identity
    parts = _parts(value)
    keys = {n: fingerprint(part, kept) for n, part in parts.items() if part is not None}

    def is_same() -> bool:
        now = _parts(value)
        return all(
            name in now and fingerprint(now[name], kept) == key
            for name, key in keys.items()
        )

    return is_same


def _parts(value: Any) -> dict[str, Any]:
    held = attributes_of(value)
    return {"": value} if held is None else held


def _copies_on_write() -> bool:
    """Return whether pandas copies a table before one of its copies is changed."""
    is_always = int(pd.__version__.partition(".")[0]) >= 3
    return is_always or bool(pd.get_option("mode.copy_on_write"))


def refuse_change(function: str) -> None:
    """Refuse a function, by its name, that changes what it is given."""
    raise PipelineError(
        f"Function {shown(function)} changes what it is given; let it work on a copy."
    )
