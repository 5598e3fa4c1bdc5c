"""Copies of functions that call others in place of what they name.

Nothing of a library is patched: a copy has the code of the original and a namespace of
its own, in which some names stand for something else. So nothing has to be restored,
and other threads see the library as it is. Names are looked for where code can reach
them: module variables, attributes of modules, closures, default arguments, partial
functions, bound methods, and plain containers of these.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Sequence
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from typing import Any

__all__ = ["Inside", "names_in", "rebuilt"]

# Calls that replace one function by another, or return it as it is.
Substitute = Callable[[Any], Any]

MODULE_DEPTH = 4  # a.b.c.function
MOST_ITEMS = 1000  # of a container that is looked through
LAZY = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


class Inside:
    """Which functions are watched: those of some packages.

    `packages`: names of packages or modules; what lies below them is meant too.
    `scopes`: namespaces whose functions are watched too, whatever module they name.
    """

    def __init__(
        self, packages: Sequence[str], scopes: Iterable[dict[str, Any]] = ()
    ) -> None:
        self.packages = tuple(packages)
        self._scopes = {id(scope): scope for scope in scopes}
        self._below = tuple(f"{name}." for name in self.packages)

    def package_of(self, module: str | None) -> str | None:
        """Return the named package that a module belongs to."""
        for name, below in zip(self.packages, self._below, strict=True):
            if module == name or (module or "").startswith(below):
                return name
        return None

    def covers(self, value: Any) -> bool:
        """Return whether a value is a function to watch."""
        if not callable(value) or isinstance(value, type | functools.partial):
            return False
        if isinstance(value, types.FunctionType):
            if value.__code__.co_flags & LAZY:
                return False  # its body runs later, in whoever reads it
            if id(value.__globals__) in self._scopes:
                return True
        elif isinstance(value, types.MethodType):
            return False
        elif not _is_function_like(value):
            return False
        module = getattr(value, "__module__", None)
        return isinstance(module, str) and self.package_of(module) is not None


def _is_function_like(value: Any) -> bool:
    """Whether what is no Python function is one of C, or a wrapper around one."""
    kind = type(value)
    return hasattr(value, "__name__") and (
        kind.__module__ in ("builtins", "functools")
        or hasattr(value, "__wrapped__")
        # NumPy's functions are objects that look at the types of their arguments.
        or kind.__name__ == "_ArrayFunctionDispatcher"
    )


def rebuilt(function: Any, inside: Inside, substitute: Substitute) -> Any:
    """Return a function that calls substitutes for the watched functions it names.

    The function itself if there is nothing to replace in it.
    """
    return _Rebuilding(inside, substitute).function(function)


def names_in(code: types.CodeType) -> frozenset[str]:
    """Return the names of variables and attributes in a code, inner functions' too."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return frozenset(code.co_names).union(*map(names_in, inner))


class _Rebuilding:
    """One function after another, with the same substitutes."""

    def __init__(self, inside: Inside, substitute: Substitute) -> None:
        self._inside = inside
        self._substitute = substitute
        self._names: frozenset[str] = frozenset()

    def function(self, function: Any) -> Any:
        """Return the copy of a Python function; others are returned as they are."""
        if isinstance(function, functools.partial | types.MethodType):
            return self._replaced(function, 0)
        if not isinstance(function, types.FunctionType):
            return function
        self._names = names_in(function.__code__)
        scope = function.__globals__
        variables = {name: scope[name] for name in self._names if name in scope}
        changed = self._changed(variables, 0)
        closure = self._closure(function.__closure__)
        defaults = self._replaced(function.__defaults__, 0)
        keyword_defaults = self._replaced(function.__kwdefaults__, 0)
        if (
            not changed
            and closure is function.__closure__
            and defaults is function.__defaults__
            and keyword_defaults is function.__kwdefaults__
        ):
            return function
        copy = types.FunctionType(
            function.__code__,
            {**scope, **changed},
            function.__name__,
            defaults,
            closure,
        )
        copy.__kwdefaults__ = keyword_defaults
        copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
        copy.__dict__.update(function.__dict__)
        return copy

    def _closure(
        self, cells: tuple[types.CellType, ...] | None
    ) -> tuple[types.CellType, ...] | None:
        made = []
        for cell in cells or ():
            try:
                held = cell.cell_contents
            except ValueError:  # not filled yet
                made.append(cell)
                continue
            new = self._replaced(held, 0)
            made.append(cell if new is held else types.CellType(new))
        same = all(a is b for a, b in zip(made, cells or (), strict=True))
        return cells if same else tuple(made)

    def _changed(self, held: dict[Any, Any], depth: int) -> dict[Any, Any]:
        new = {key: self._replaced(value, depth) for key, value in held.items()}
        return {key: value for key, value in new.items() if value is not held[key]}

    def _replaced(self, value: Any, depth: int) -> Any:
        if self._inside.covers(value):
            return self._substitute(value)
        if depth > MODULE_DEPTH:
            return value
        kind = type(value)
        if kind is types.ModuleType:
            return self._module(value, depth)
        if kind is functools.partial:
            return self._partial(value, depth)
        if kind is types.MethodType and self._inside.covers(value.__func__):
            new = self._substitute(value.__func__)
            same = new is value.__func__
            return value if same else types.MethodType(new, value.__self__)
        if kind in (dict, list, tuple) and 0 < len(value) <= MOST_ITEMS:
            return self._container(value, depth)
        return value

    def _module(self, module: types.ModuleType, depth: int) -> types.ModuleType:
        held = vars(module)
        reachable = {name: held[name] for name in self._names if name in held}
        changed = self._changed(reachable, depth + 1)
        if not changed:
            return module
        copy = types.ModuleType(module.__name__)
        vars(copy).update(held, **changed)
        return copy

    def _partial(self, partial: functools.partial, depth: int) -> functools.partial:
        function = self._replaced(partial.func, depth + 1)
        arguments = self._replaced(partial.args, depth + 1)
        keywords = self._replaced(partial.keywords, depth + 1)
        was = (partial.func, partial.args, partial.keywords)
        now = (function, arguments, keywords)
        if all(a is b for a, b in zip(was, now, strict=True)):
            return partial
        return functools.partial(function, *arguments, **keywords)

    def _container(self, held: Any, depth: int) -> Any:
        values: Iterable[Any] = held.values() if type(held) is dict else held
        if not any(callable(value) or type(value) is tuple for value in values):
            return held
        keyed = held if type(held) is dict else dict(enumerate(held))
        changed = self._changed(keyed, depth + 1)
        if not changed:
            return held
        new = {**keyed, **changed}
        return new if type(held) is dict else type(held)(new.values())
