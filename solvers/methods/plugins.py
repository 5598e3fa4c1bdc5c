"""Methods of other packages: named by an entry point, or by module and class."""

from __future__ import annotations

import importlib
import inspect
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import ThriftscopeError, shown
from .base import CostAwareClassifier

#: The group of entry points that packages name their methods in.
GROUP = "thriftscope.methods"


def plugged_in(
    taken: frozenset[str],
) -> tuple[dict[str, type[CostAwareClassifier]], dict[str, str]]:
    """Return the methods of installed packages, and what is wrong with the others.

    `methods`: by the name of the entry point.
    `refusals`: A sentence for each entry point that gives no method.
    """
    methods: dict[str, type[CostAwareClassifier]] = {}
    refusals: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        is_taken = entry.name in taken or entry.name in methods
        try:
            if is_taken:
                raise ThriftscopeError(
                    f"The name {shown(entry.name)} is taken; give the method another "
                    "one."
                )
            methods[entry.name] = checked_method(_loaded(entry), entry.value)
        except ThriftscopeError as error:
            package = entry.dist.name if entry.dist is not None else "a package"
            place = f"{package}:{entry.name}" if is_taken else entry.name
            refusals[place] = f"{entry.name} of {package} is left out: {error}"
    return methods, refusals


def method_at(address: str) -> type[CostAwareClassifier]:
    """Return the method that ``module:Class`` names."""
    module, _, name = address.partition(":")
    if not module or not name:
        raise ThriftscopeError(
            f"{shown(address)} names no method; write module:Class, such as "
            "mine:NearestMeanClassifier."
        )
    return checked_method(_loaded(EntryPoint(name, address, GROUP)), address)


def checked_method(found: Any, address: str) -> type[CostAwareClassifier]:
    """Return what was found at an address, if it is a method."""
    if not (inspect.isclass(found) and issubclass(found, CostAwareClassifier)):
        what = found.__name__ if inspect.isclass(found) else type(found).__name__
        raise ThriftscopeError(
            f"{shown(address)} is a {what}, no CostAwareClassifier; name a class that "
            "derives from one of the bases."
        )
    if inspect.isabstract(found):
        missing = ", ".join(sorted(found.__abstractmethods__))
        raise ThriftscopeError(
            f"{found.__name__} lacks {missing}; write them, and it is a method."
        )
    if not found.title or not found.path_knob:
        raise ThriftscopeError(
            f"{found.__name__} has no title or no path_knob; say what people call it "
            "and which parameter its path runs along."
        )
    needed = [
        name
        for name, parameter in inspect.signature(found).parameters.items()
        if parameter.default is parameter.empty
    ]
    if needed:
        raise ThriftscopeError(
            f"{found.__name__} cannot be made without {', '.join(needed)}; give every "
            "parameter a default."
        )
    return found


def _loaded(entry: EntryPoint) -> Any:
    importlib.invalidate_caches()
    try:
        return entry.load()
    # A stranger's module may raise anything, and must not end the others.
    except Exception as error:
        raise ThriftscopeError(
            f"{shown(entry.value)} cannot be imported ({type(error).__name__}: "
            f"{error}); mend or uninstall it."
        ) from error
