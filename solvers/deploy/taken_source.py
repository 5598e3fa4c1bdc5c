"""The source of functions and of all that they name, as one text that runs alone.

Functions of a person's own modules are copied, as they stand; those of Python's library
and of installed packages are imported. What can be neither is refused by name.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import symtable
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..errors import DeployError, shown

_FUTURE = "from __future__ import annotations\n"
# Whose functions are copied, wherever these packages are installed.
_OURS = ("solvers", "explorer", "__main__", "tests")


@functools.cache  # Python reads the file anew for each of its functions
def module_source(module: ModuleType) -> str:
    """Return the classes and functions that a module defines, in their order."""
    parts = [
        inspect.getsource(one)
        for one in vars(module).values()
        if getattr(one, "__module__", None) == module.__name__
    ]
    return "\n\n".join(parts)


class TakenSource:
    """Functions that are taken along, with what they name.

    `beside`: the text in whose company they come; its names are taken.
    """

    def __init__(self, beside: str) -> None:
        self.imports: dict[str, None] = {}  # Statements, in order
        self.parts: dict[str, str] = {}  # Source, by the name that it defines
        self.packages: set[str] = set()  # That must be installed
        self._known: dict[str, Any] = {}  # What each name stands for
        self._reserved = dict(_names_of(ast.parse(beside)))

    @property
    def text(self) -> str:
        """The imports, then the parts, each behind what it names."""
        head = "\n".join(self.imports)
        return "\n\n\n".join([head] * bool(head) + list(self.parts.values()))

    def expression(self, value: Any, of: str) -> str:
        """Return what stands for a value in the text; `of`: who names it."""
        if isinstance(value, functools.partial):
            return self._partial(value, of)
        if isinstance(value, ModuleType):
            return self._imported(value.__name__)
        place = _library_place(value)
        if place is not None:
            module, name = place
            return f"{self._imported(module)}.{name}"
        if inspect.isclass(value) or isinstance(inspect.unwrap(value), FunctionType):
            return self._copied(value, of)
        return self._literal(value, of)

    def is_library(self, value: Any) -> bool:
        """Return whether a value is a function of Python's or of a package."""
        return _library_place(value) is not None

    def places_of(self, function: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the names under which the text calls a function, and the ways there.

        A way is empty where the name is the function's; else it leads there from a
        module.
        """
        place = _library_place(function)
        for name, value in self._known.items():
            if value is inspect.unwrap(function):
                yield name, ()
            elif place is not None and isinstance(value, ModuleType):
                whole, within = f"{place[0]}.{place[1]}", f"{value.__name__}."
                if whole.startswith(within):
                    yield name, tuple(whole.removeprefix(within).split("."))

    def name_of(self, value: Any) -> str | None:
        """Return a name that stands for a value in the text; None if there is none."""
        return next((name for name, one in self._known.items() if one is value), None)

    def _partial(self, value: functools.partial, of: str) -> str:
        self._imported("functools")
        given = [self.expression(one, of) for one in (value.func, *value.args)]
        given += [
            f"{name}={self.expression(one, of)}" for name, one in value.keywords.items()
        ]
        return f"functools.partial({', '.join(given)})"

    def _imported(self, module: str) -> str:
        top = module.partition(".")[0]
        if not _is_library(module):
            raise DeployError(
                f"Module {shown(module)} is not installed as a package, so that it "
                "cannot be named in one file; import its functions by name."
            )
        self._import(f"import {module}", top, sys.modules[top], top)
        return module

    def _copied(self, value: Any, of: str) -> str:
        function = inspect.unwrap(value)
        name = function.__name__
        if self._known.get(name) is function:
            return str(name)
        source = _source(function, of)
        self._bind(name, function)
        scope = vars(sys.modules[function.__module__])
        if isinstance(function, FunctionType):
            scope = function.__globals__
        for used in _globals_of(source):
            if used != name and used in scope:
                self._name(used, scope[used], name)
        self.parts[name] = source
        return str(name)

    def _name(self, name: str, value: Any, of: str) -> None:
        """Make a name stand for a value, as it does in the module it comes from."""
        if isinstance(value, ModuleType):
            self._module(name, value)
            return
        place = _library_place(value)
        if place is not None:
            module, found = place
            alias = "" if found == name else f" as {name}"
            self._import(f"from {module} import {found}{alias}", name, value, module)
            return
        told = self.expression(value, f"{of}, {name}")
        if told != name:
            self._bind(name, value)
            self.parts[name] = f"{name} = {told}"

    def _module(self, name: str, module: ModuleType) -> None:
        told = module.__name__
        if name == told.partition(".")[0] or not _is_library(told):
            self._imported(told)  # and refuses what is not installed
            return
        self._import(f"import {told} as {name}", name, module, told)

    def _import(self, statement: str, name: str, value: Any, module: str) -> None:
        """Import a value of a module under a name."""
        self._bind(name, value)
        self.imports[statement] = None
        package = module.partition(".")[0]
        if package not in sys.stdlib_module_names:
            self.packages.add(package)

    def _bind(self, name: str, value: Any) -> None:
        known = self._known.setdefault(name, value)
        if known is not value or self._reserved.get(name, value) is not value:
            raise DeployError(
                f"Two things would be called {shown(name)} in the exported file; "
                "rename the one that the features use."
            )

    def _literal(self, value: Any, of: str) -> str:
        told = _plain_literal(value)
        if told is not None:
            return told
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            numpy, numbers = self._imported("numpy"), value.tolist()
            return (
                f"{numpy}.array({self.expression(numbers, of)}, {str(value.dtype)!r})"
            )
        if isinstance(value, np.generic):
            return self.expression(value.item(), of)
        if type(value) in (list, tuple, set, frozenset):
            items = "".join(f"{self.expression(one, of)}, " for one in value)
            kind = "" if type(value) is tuple else type(value).__name__
            return f"{kind}([{items}])" if kind else f"({items})"
        if type(value) is dict:
            pairs = (
                f"{self.expression(k, of)}: {self.expression(v, of)}"
                for k, v in value.items()
            )
            return f"{{{', '.join(pairs)}}}"
        raise _refused(of, f"it is an object of type {type(value).__name__}")


def _plain_literal(value: Any) -> str | None:
    """Return a value that Python writes by itself, in ASCII; None for others."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if type(value) in (bool, int, float, complex, str, bytes, range):
        return ascii(value)
    return repr(value) if value is None or value is Ellipsis else None


def _refused(of: str, why: str) -> DeployError:
    return DeployError(
        f"The feature function {shown(of)} cannot be taken along: {why}. Give a "
        "function that is defined with def in a module, and names what it needs there."
    )


def _source(function: Any, of: str) -> str:
    """Return the source of a function or class, after checking that it is all."""
    name = function.__name__
    if name == "<lambda>":
        raise _refused(of, "it is a lambda")
    free = function.__code__.co_freevars if isinstance(function, FunctionType) else ()
    if free:
        raise _refused(of, f"it uses {shown(free[0])} of the function around it")
    try:
        source = textwrap.dedent(inspect.getsource(function)).rstrip()
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError) as error:
        raise _refused(of, "its source cannot be read") from error
    if not any(getattr(one, "name", None) == name for one in tree.body):
        raise _refused(of, "its source cannot be read")
    if isinstance(function, FunctionType):
        codes = _codes(compile(source, "", "exec", annotations.compiler_flag, True))
        if _traits(function.__code__) not in map(_traits, codes):
            raise _refused(of, "its source was changed after it was imported")
    return source


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _traits(code: CodeType) -> tuple[Any, ...]:
    """Return what tells codes apart; instructions differ with what is imported."""
    plain = [repr(c) for c in code.co_consts if not isinstance(c, CodeType)]
    return code.co_name, code.co_varnames, set(code.co_names), set(plain)


def _globals_of(source: str) -> list[str]:
    """Return the names that a source takes from the module around it."""

    def found(table: symtable.SymbolTable) -> Iterator[str]:
        is_top = table.get_type() == "module"
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (is_top or symbol.is_global()):
                yield symbol.get_name()
        for inner in table.get_children():
            yield from found(inner)

    return list(dict.fromkeys(found(symtable.symtable(_FUTURE + source, "", "exec"))))


def _library_place(value: Any) -> tuple[str, str] | None:
    """Return the module and the name under which a package has a value."""
    if not (callable(value) or inspect.isclass(value)):
        return None
    name = getattr(value, "__name__", None)
    told = getattr(value, "__module__", None) or ""
    # Functions of C often do not say where they are from.
    for module in (told, "numpy", "math", "builtins"):
        found = sys.modules.get(module)
        is_there = found is not None and isinstance(name, str) and _is_library(module)
        if is_there and getattr(found, str(name), None) is value:
            return module, str(name)
    return None


def _is_library(module: str) -> bool:
    """Return whether a module is Python's, or lies among installed packages."""
    top = module.partition(".")[0]
    if top in _OURS or top not in sys.modules:
        return False
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return True
    places = Path(getattr(sys.modules[top], "__file__", None) or "").parts
    return "site-packages" in places or "dist-packages" in places


def _names_of(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    """Yield the names that a text defines, with what is imported under them."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from ((one.name, sys.modules.get(one.name)) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = sys.modules.get(node.module or "")
            for one in node.names:
                yield one.name, getattr(module, one.name, None)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, None
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((one.id, None) for one in targets if isinstance(one, ast.Name))
