"""One method a file. There is no list to edit: the package is walked."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from functools import cache

from ..base import CostAwareClassifier

__all__ = ["all_methods", "unavailable_methods"]


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


@cache
def _installed(module: str) -> bool:
    # Looks for it without importing it.
    return importlib.util.find_spec(module) is not None


def _missing(method: type[CostAwareClassifier]) -> str:
    """Return the sentence on what a method lacks, or nothing."""
    module, extra = method.requires or ("", "")
    if not module or _installed(module):
        return ""
    return (
        f"{method.title} needs {module}, which is not installed; run "
        f"pip install 'thriftscope[{extra}]'."
    )


def all_methods() -> dict[str, type[CostAwareClassifier]]:
    """Return every method that can run here by its short name, that of its file.

    Returns
    -------
    dict of str to type
        Sorted by name.
    """
    return {name: method for name, method in _found() if not _missing(method)}


def unavailable_methods() -> dict[str, str]:
    """Return what methods lack that need a package which is not installed.

    Returns
    -------
    dict of str to str
        A sentence for each, by its short name; empty where all extras are there.
    """
    return {name: _missing(method) for name, method in _found() if _missing(method)}
