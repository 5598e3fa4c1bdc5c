"""Calls a function once for the same arguments; copied into what is exported."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

__all__ = ["Calls"]


class Calls:
    """Calls that are remembered while the features of one raw sample are computed."""

    def __init__(self) -> None:
        self.known: list[tuple[Any, Any, Any]] = []  # function, arguments, value

    def once(
        self, function: Callable[..., Any], body: Callable[..., Any] | None = None
    ) -> Callable[..., Any]:
        """Return a function that is called once for the same arguments.

        `body`: what is called in its place.
        """
        call = function if body is None else body

        @functools.wraps(function)
        def remembered(*given: Any, **named: Any) -> Any:
            for known, before, value in self.known:
                if known is function and _alike(before, (given, named)):
                    return value
            value = call(*given, **named)
            self.known.append((function, (given, named), value))
            return value

        return remembered

    def within(self, module: ModuleType, path: Sequence[str]) -> ModuleType:
        """Return a copy of a module; the function at the path's end is called once."""
        copy, (name, *rest) = ModuleType(module.__name__), path
        found = getattr(module, name)
        found = self.within(found, rest) if rest else self.once(found)
        vars(copy).update(vars(module), **{name: found})
        return copy

    def inside(self, function: Any, shared: Sequence[Callable[..., Any]]) -> Any:
        """Return a function in which a package calls shared ones once.

        Nothing of the package is changed: copies have the code of its functions and
        namespaces of their own. The function itself where it calls none of them.
        """
        copies = _Copies(self, function, shared)
        copy = copies.of(function)
        return copy if copies.is_found else function


class _Copies:
    """Copies of a package's functions that call others in place of shared ones."""

    def __init__(
        self, calls: Calls, function: Any, shared: Sequence[Callable[..., Any]]
    ) -> None:
        self.calls, self.shared = calls, {id(one) for one in shared}
        self.packages = {_package(getattr(function, "func", function))}
        self.packages |= set(map(_package, shared))
        self.made: dict[int, Any] = {}
        self.is_found = False

    def of(self, value: Any, names: Sequence[str] = (), depth: int = 0) -> Any:
        """Return what stands for a value; `names`: those that its reader uses."""
        if isinstance(value, functools.partial):
            called = self.of(value.func)
            is_same = called is value.func
            return (
                value
                if is_same
                else functools.partial(called, *value.args, **value.keywords)
            )
        if isinstance(value, ModuleType) and depth < 4:
            changed = self._changed(vars(value), names, depth + 1)
            copy = ModuleType(value.__name__)
            vars(copy).update(vars(value), **changed)
            return copy if changed else value
        if id(value) not in self.made:
            body = self._function(value)
            if id(value) in self.shared:
                body, self.is_found = self.calls.once(value, body), True
            self.made[id(value)] = body
        return self.made[id(value)]

    def _function(self, value: Any) -> Any:
        if not isinstance(value, FunctionType) or _package(value) not in self.packages:
            return value
        scope = value.__globals__
        parts = value.__name__, value.__defaults__, value.__closure__
        copy = FunctionType(value.__code__, dict(scope), *parts)
        copy.__kwdefaults__ = value.__kwdefaults__
        self.made[id(value)] = copy  # what calls itself finds it
        changed = self._changed(scope, list(_names(value.__code__)), 0)
        if all(new is copy for new in changed.values()):
            return value
        copy.__globals__.update(changed)
        return copy

    def _changed(
        self, scope: dict[str, Any], names: Sequence[str], depth: int
    ) -> dict[str, Any]:
        held = {name: scope[name] for name in names if name in scope}
        new = {name: self.of(value, names, depth) for name, value in held.items()}
        return {name: value for name, value in new.items() if value is not held[name]}


def _package(function: Any) -> str:
    return str(getattr(function, "__module__", None)).partition(".")[0]


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of variables and attributes in a code, and in those within."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _alike(one: Any, other: Any) -> bool:
    """Return whether two arguments are the same to the last bit."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if hasattr(one, "tobytes"):
        looks = ((a.shape, a.dtype, a.tobytes()) for a in (one, other))
        return next(looks) == next(looks)
    return isinstance(one, bool | int | float | str | bytes) and repr(one) == repr(
        other
    )
