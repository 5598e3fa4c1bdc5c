"""Methods of libraries that are called through a function of ours."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def wrap(owner: type, name: str, around: Callable[..., Any]) -> None:
    """Have calls of a method go through a function, which is given the method first.

    A second time changes nothing.
    """
    method = getattr(owner, name)
    if not hasattr(method, "__wrapped__"):

        @functools.wraps(method)
        def wrapped(*args: Any, **options: Any) -> Any:
            return around(method, *args, **options)

        setattr(owner, name, wrapped)
