"""One method a file. There is no list to edit: the package is walked."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from ..base import CostAwareClassifier

__all__ = ["all_methods"]


@cache
def _found() -> tuple[tuple[str, type[CostAwareClassifier]], ...]:
    found = []
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        for name in module.__all__:
            member = getattr(module, name)
            if inspect.isclass(member) and issubclass(member, CostAwareClassifier):
                found.append((module_info.name, member))
    return tuple(sorted(found, key=lambda pair: pair[0]))


def all_methods() -> dict[str, type[CostAwareClassifier]]:
    """Return every method by its short name, which is the name of its file.

    Returns
    -------
    dict of str to type
        Sorted by name.
    """
    return dict(_found())
