"""Copies of functions that call others in place of what they name.

Nothing of a library is patched: a copy has the code of the original and a namespace of
its own, in which some names stand for something else. So nothing has to be restored,
and other threads see the library as it is. Names are looked for where code can reach
them: module variables, attributes of modules, closures, default arguments, partial
functions, bound methods, and plain containers of these. All other names are those of
the module itself, as they are when the copy runs.
"""

from __future__ import annotations

import builtins
import functools
import operator
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from typing import Any

from ..fingerprint import Double
from .bytecode import names_in, read_code
from .reach import is_trusted

# Calls that replace one function by another, or return it as it is.
Substitute = Callable[[Any], Any]

MODULE_DEPTH = 4  # a.b.c.function
MOST_ITEMS = 1000  # of a container that is looked through
LAZY = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
# Who names these looks into namespaces, of which a copy has one of its own.
_LOOKS_AROUND = frozenset(
    "_getframe currentframe eval evaluate exec globals query stack".split()
)


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
        if isinstance(value, types.MethodType) or type(value) is Double:
            return False
        if isinstance(value, types.FunctionType):
            if value.__code__.co_flags & LAZY:
                return False  # its body runs later, in whoever reads it
            if id(value.__globals__) in self._scopes:
                return True
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


class Replaced:
    """What copies have replaced, to see whether it still is what it was."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, Any], tuple[Mapping[Any, Any], Any, Any]] = {}
        self._containers: dict[int, tuple[Any, list[Any]]] = {}
        self._cells: dict[int, tuple[types.CellType, Any]] = {}
        self._built_in: dict[int, tuple[dict[str, Any], set[str]]] = {}

    def built_in(self, scope: dict[str, Any], names: Iterable[str]) -> None:
        """Note names that a module has not, so that they are Python's own."""
        self._built_in.setdefault(id(scope), (scope, set()))[1].update(names)

    def name(self, scope: Mapping[Any, Any], name: Any) -> None:
        """Note a variable of a namespace."""
        self._names[id(scope), name] = scope, name, scope[name]

    def cell(self, cell: types.CellType) -> None:
        """Note a variable of a function around."""
        self._cells[id(cell)] = cell, cell.cell_contents

    def container(self, held: Any) -> None:
        """Note a list or a dictionary."""
        self._containers[id(held)] = held, _items(held)

    def change(self) -> str:
        """Return what is something else now; empty if nothing is."""
        for scope, name, value in self._names.values():
            if scope.get(name) is not value:
                return str(name)
        for scope, names in self._built_in.values():
            if not scope.keys().isdisjoint(names):
                return min(names & scope.keys())
        for cell, value in self._cells.values():
            if cell.cell_contents is not value:
                return "a variable of a function around"
        for held, items in self._containers.values():
            now = _items(held)
            if len(now) != len(items) or not all(map(operator.is_, now, items)):
                return "a list or dictionary of functions"
        return ""


def _items(held: Any) -> list[Any]:
    return [*held.keys(), *held.values()] if type(held) is dict else list(held)


def rebuilt(
    function: Any,
    inside: Inside,
    substitute: Substitute,
    replaced: Replaced | None = None,
) -> Any:
    """Return a function that calls substitutes for the watched functions it names.

    The function itself if there is nothing to replace in it, or if it could tell.

    `replaced`: takes what is replaced.
    """
    return _Rebuilding(inside, substitute, replaced or Replaced()).function(function)


@functools.lru_cache(maxsize=4096)
def _minds(code: types.CodeType) -> bool:
    """Return whether code would not do the same in a namespace of its own."""
    read = read_code(code)
    return bool(read.sets or _LOOKS_AROUND & read.attributes)


class _Live(dict[str, Any]):
    """The variables of a module, and the few that Python wants in a namespace."""

    def __init__(self, scope: dict[str, Any]) -> None:
        super().__init__({name: vars(builtins)[name] for name in _WANTED})
        self._scope = scope

    def __missing__(self, name: str) -> Any:
        try:
            return self._scope[name]
        except KeyError:
            return vars(builtins)[name]


_WANTED = ("__build_class__", "__import__")


def _namespace(
    function: types.FunctionType, changed: dict[str, Any], replaced: Replaced
) -> dict[str, Any]:
    """Return a namespace in which some names are changed, and all others a module's.

    Python looks for what is not in it among its built-in names: these are the module's.
    """
    scope, names = function.__globals__, names_in(function.__code__)
    plain = {
        name: getattr(builtins, name)
        for name in names - scope.keys()
        if hasattr(builtins, name)
    }
    replaced.built_in(scope, plain)
    about = {name: scope[name] for name in scope if name.startswith("__")}
    live = _Live(scope) if read_code(function.__code__).makes_names else scope
    return {**about, **plain, **changed, "__builtins__": live}


class _Module(types.ModuleType):
    """A copy of a module; what is not changed in it is the module's own."""

    def __init__(self, module: types.ModuleType, changed: dict[str, Any]) -> None:
        super().__init__(module.__name__)
        about = {n: v for n, v in vars(module).items() if n.startswith("__")}
        # A library that one trusts sets no variables: it need not be asked again.
        own = vars(module) if is_trusted(module.__name__) else about
        vars(self).update(own, **changed)
        vars(self)["_copied"] = module

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["_copied"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["_copied"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(vars(self)["_copied"], name)


class _Rebuilding:
    """One function after another, with the same substitutes."""

    def __init__(
        self, inside: Inside, substitute: Substitute, replaced: Replaced
    ) -> None:
        self._inside = inside
        self._substitute = substitute
        self._replacing = replaced
        self._names: frozenset[str] = frozenset()

    def function(self, function: Any) -> Any:
        """Return the copy of a Python function; others are returned as they are."""
        if isinstance(function, functools.partial | types.MethodType):
            return self._replaced(function, 0)
        if type(function) is not types.FunctionType or _minds(function.__code__):
            return function
        self._names = names_in(function.__code__)
        scope = function.__globals__
        variables = {name: scope[name] for name in self._names if name in scope}
        changed = self._changed(variables, 0, scope)
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
            _namespace(function, changed, self._replacing),
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
            if new is not held:
                self._replacing.cell(cell)
        same = all(a is b for a, b in zip(made, cells or (), strict=True))
        return cells if same else tuple(made)

    def _changed(
        self, held: dict[Any, Any], depth: int, scope: Mapping[Any, Any] | None = None
    ) -> dict[Any, Any]:
        new = {key: self._replaced(value, depth) for key, value in held.items()}
        changed = {key: value for key, value in new.items() if value is not held[key]}
        if scope is not None:
            for name in changed:
                self._replacing.name(scope, name)
        return changed

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
        changed = self._changed(reachable, depth + 1, held)
        return _Module(module, changed) if changed else module

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
        new: Any = {**keyed, **changed}
        new = new if type(held) is dict else type(held)(new.values())
        for container in (held, new):
            self._replacing.container(container)
        return new
