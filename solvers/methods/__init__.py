"""One method a file. There is no list to edit: the package is walked.

Methods of other packages join by an entry point of the group ``thriftscope.methods``.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from functools import cache

from ..checks import lack_of
from .base import CostAwareClassifier
from .plugins import method_at, plugged_in

__all__ = ["add_method", "all_methods", "unavailable_methods"]

# Methods that were named by module and class, for as long as this process runs.
_added: dict[str, type[CostAwareClassifier]] = {}


def _is_method(member: object) -> bool:
    """Whether a name of a module is a method, and no base that methods derive from."""
    return (
        inspect.isclass(member)
        and issubclass(member, CostAwareClassifier)
        and not inspect.isabstract(member)
    )


@cache
def _own() -> dict[str, type[CostAwareClassifier]]:
    found = {}
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        for name in getattr(module, "__all__", ()):
            member = getattr(module, name)
            if _is_method(member):
                found[module_info.name] = member
    return found


@cache
def _others() -> tuple[dict[str, type[CostAwareClassifier]], dict[str, str]]:
    return plugged_in(frozenset(_own()))


def _found() -> dict[str, type[CostAwareClassifier]]:
    return dict(sorted((_own() | _others()[0] | _added).items()))


@cache
def _installed(module: str) -> bool:
    # Looks for it without importing it.
    return importlib.util.find_spec(module) is not None


@cache
def _missing(method: type[CostAwareClassifier]) -> str:
    """Return the sentence on what a method lacks, or nothing."""
    module, extra = method.requires or ("", "")
    if not module or _installed(module):
        return ""
    return lack_of(module, extra, method.title)


def all_methods() -> dict[str, type[CostAwareClassifier]]:
    """Return every method that can run here by its short name.

    That of its file, or of its entry point where another package brings it.

    Returns
    -------
    dict of str to type
        Sorted by name.
    """
    return {name: method for name, method in _found().items() if not _missing(method)}


def add_method(address: str) -> type[CostAwareClassifier]:
    """Make a method known that no package names, until the process ends.

    Parameters
    ----------
    address : str
        ``module:Class``; also the short name of the method from now on.

    Returns
    -------
    type

    Raises
    ------
    ThriftscopeError
        If there is no such module or class, or it is no method.
    """
    _added[address] = method_at(address)
    return _added[address]


def unavailable_methods() -> dict[str, str]:
    """Return why methods cannot run here.

    They need a package that is not installed, or the package that brings them is
    broken.

    Returns
    -------
    dict of str to str
        A sentence for each, by its short name; empty where nothing is missing.
    """
    missing = {name: _missing(method) for name, method in _found().items()}
    return _others()[1] | {name: why for name, why in missing.items() if why}
