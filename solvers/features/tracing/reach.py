"""What code can reach besides what it is given, read from the code itself.

What functions name decides, also where no sample has gone: module variables, attributes
of modules, closures, default values, attributes of functions and of classes, and all
functions among these in turn. What is named and could change is compared with what it
was; what cannot be followed makes the whole unknown.

Some functions are taken at their word: that they compute, and do nothing else. They are
those of Python's library, and of packages of numbers, that give the same for the same.
What such a package keeps for itself cannot change what it gives.
"""

from __future__ import annotations

import builtins
import functools
import operator
import sys
import sysconfig
import time
import types
from abc import ABCMeta
from collections.abc import Iterable, Mapping
from enum import Enum, EnumMeta
from pathlib import Path
from typing import Any

import numpy as np

from ..fingerprint import (
    MOST_PARTS,
    Budget,
    closure_of,
    fingerprint,
    is_constant,
    original_of,
    parts_of,
)
from .bytecode import Code, Name, read_code

_TRUSTED = frozenset(
    "_abc _bisect _collections _collections_abc _functools _heapq _operator _sre "
    "_struct abc array bisect builtins cmath collections contextlib copy copyreg "
    "dataclasses enum fractions functools heapq itertools math numbers numpy operator "
    "pandas pywt re scipy skimage sklearn statistics statsmodels string struct types "
    "typing unicodedata warnings zlib".split()
)
# Parts of them that draw random numbers, or read what lies outside of Python.
_OUTSIDE = ("numpy.random", "numpy.ctypeslib", "pandas.io", "scipy.io")

_DRAWING = frozenset({"pandas", "skimage", "sklearn", "statsmodels"})


def is_trusted(module: Any) -> bool:
    """Return whether functions of a module are taken at their word; by its name."""
    if not isinstance(module, str) or not _is_named(module.partition(".")[0]):
        return False
    return not any(f"{module}.".startswith(f"{outside}.") for outside in _OUTSIDE)


def may_draw(module: str) -> bool:
    """Return whether functions of a trusted module may draw global random numbers."""
    return module.partition(".")[0] in _DRAWING or module.startswith("scipy.stats")


@functools.lru_cache(maxsize=4096)
def _is_named(top: str) -> bool:
    """Return whether a package is one of them, and none of the same name."""
    if top not in _TRUSTED:
        return False
    file = getattr(sys.modules.get(top), "__file__", None)
    if file is None or top not in sys.stdlib_module_names:
        return True
    return Path(sysconfig.get_path("stdlib")) in Path(file).resolve().parents


MOST_FUNCTIONS = 3000
MOST_ITEMS = 100_000  # of a variable; of a larger one nobody can say if it has changed
_UNSAFE = frozenset(
    "__import__ breakpoint compile dir eval exec globals id input locals open print "
    "vars".split()
)
# Attributes that lead to what an argument does not hold, to files or to chance.
_ASTRAY = frozenset(
    "__closure__ __code__ __dict__ __globals__ _getframe base ctypes currentframe "
    "f_globals fromfile genfromtxt load loadtxt may_share_memory memmap options "
    "owndata random_state rvs sample shares_memory".split()
)
# Who asks for these can see which of two equal objects it has.
_ASKING = frozenset({"base", "eval", "exec", "id", "may_share_memory", "owndata"})
_TUNING = frozenset(
    "config_context option_context set_backend set_config set_global_backend "
    "set_num_threads set_option setlocale threadpool_limits".split()
)
_SETTING = frozenset({"delattr", "exec", "eval", "globals", "setattr", "vars"})
_FUNCTION_TYPES = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    np.ufunc,
)
_METACLASSES = (type, ABCMeta, EnumMeta)
_NOT_STATE = frozenset(
    "__abstractmethods__ __annotations__ __annotate_func__ __dataclass_fields__ "
    "__dataclass_params__ __dict__ __doc__ __firstlineno__ __match_args__ __module__ "
    "__orig_bases__ __parameters__ __qualname__ __slotnames__ __slots__ "
    "__static_attributes__ "
    "__weakref__ _abc_impl".split()
)
_WRAPPED: Mapping[type, tuple[str, ...]] = {
    functools.partial: ("func", "args", "keywords"),
    types.MethodType: ("__func__", "__self__"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
}


class Reach:
    """All that some functions, and those that they name, can see or change.

    `unknown`: why that cannot be said; empty if it can.
    `asks`: why it matters to them which of two equal objects they have; else empty.
    `state`: what they name and could change, with the name that it has.
    `draws`: whether they may draw global random numbers, through a library.
    `sets`: whether they may set variables from outside, or attributes of these.
    `tunes`: by what they may change settings that a library keeps; else empty.

    `roots`: functions, and classes whose methods they may call.
    `named`: packages whose functions of C are taken at their word, too.
    """

    def __init__(self, roots: Iterable[Any], named: Iterable[str] = ()) -> None:
        self.unknown = self.asks = self.tunes = ""
        self.draws = self.sets = False
        self.state: list[tuple[str, Any]] = []
        self._named = tuple(named)
        self._seen: dict[int, Any] = {}
        self._waiting: list[tuple[str, Any, bool]] = []
        self._known: dict[int, Any] = {}
        self._variables: dict[int, tuple[str, Any, dict[str, Any]]] = {}
        self._cells: list[tuple[types.CellType, Any]] = []
        self._functions: list[types.FunctionType] = []
        self._bare: list[types.FunctionType] = []  # that could get attributes
        for root in roots:
            self._visit(_name_of(root), root)
        while self._waiting and len(self._seen) <= MOST_PARTS:
            self._go_into(*self._waiting.pop())
        self._add_attributes_of_functions()
        self._keys = self._keys_of_state()
        self._quick = [
            (
                scope,
                operator.itemgetter(*held, next(iter(held))),
                (*held.values(), first),
            )
            for _, scope, held in self._variables.values()
            for first in [next(iter(held.values()))]
        ]

    def knows(self, code_or_class: Any) -> bool:
        """Return whether a code or a class is among what was read, or trusted."""
        if id(code_or_class) in self._known:
            return True
        return isinstance(code_or_class, type) and is_trusted(code_or_class.__module__)

    def has_changed(self) -> bool:
        """Return whether anything is no longer as it was read."""
        try:
            for scope, get, values in self._quick:
                if not all(map(operator.is_, get(scope), values)):
                    return True
        except KeyError:  # it is gone
            return True
        return bool((self._cells or self.state or self._bare) and self.change())

    def change(self) -> str:
        """Return what is no longer as it was read; empty if all is."""
        for owner, scope, held in self._variables.values():
            for name, value in held.items():
                if scope.get(name) is not value:
                    return f"{owner}.{name}"
        for cell, value in self._cells:
            if cell.cell_contents is not value:
                return "a variable of a function around"
        for function in self._bare:
            if vars(function).keys() - {"__wrapped__"}:
                return f"attributes of {function.__qualname__}"
        for (name, value), key in zip(self.state, self._keys, strict=True):
            if fingerprint(value, [], 0, self.knows) != key:
                return name
        return ""

    def now(self, kept: list[Any]) -> dict[str, Any]:
        """Return fingerprints of what is named, by name; `kept`: as for these."""
        budget = Budget()
        found: dict[str, Any] = {
            name: fingerprint(value, kept, budget=budget) for name, value in self.state
        }
        if budget.left < 0:
            found["more than can be compared"] = object()  # unlike any other
        for owner, scope, held in self._variables.values():
            for name in held:
                kept.append(scope.get(name))
                found.setdefault(f"{owner}.{name}", id(kept[-1]))
        return found

    # ------------------------------------------------------------------ what is found

    def _doubt(self, why: str) -> None:
        self.unknown = self.unknown or why

    def _keys_of_state(self) -> list[Any]:
        """Return what the state is now; where it is too much, nothing is kept of it."""
        keys, budget = [], Budget()
        for name, value in self.state:
            kept: list[Any] = []
            keys.append(fingerprint(value, kept, 0, self.knows, budget))
            if kept:
                self._doubt(f"it uses {name}, which cannot be looked into")
        if self._waiting or budget.left < 0:  # as of who reaches all that runs
            self._doubt("it reaches more than can be compared")
            self.asks = self.asks or "reaches more than can be compared"
            self.state, self._variables, keys = [], {}, []
        return keys

    def _variable(self, owner: str, scope: Any, name: str, value: Any) -> None:
        self._variables.setdefault(id(scope), (owner, scope, {}))[2][name] = value

    def _visit(self, name: str, value: Any, *, is_part: bool = False) -> None:
        """Note a value that is named; `is_part`: of one that is compared anyway."""
        value = original_of(value)
        is_function = isinstance(value, types.BuiltinFunctionType | np.ufunc)
        if id(value) not in self._seen and (is_function or not is_constant(value)):
            self._seen[id(value)] = value
            self._waiting.append((name, value, is_part))

    def _go_into(self, name: str, value: Any, is_part: bool) -> None:
        kind, doubt = type(value), _doubt_about(name, value)
        if doubt:
            self._doubt(doubt)
        elif kind is types.FunctionType:
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        elif kind in _WRAPPED:
            for attribute in _WRAPPED[kind]:
                self._visit(name, getattr(value, attribute))
        elif isinstance(value, Enum):
            self._visit(name, kind)
        elif callable(value) and (is_constant(value) or parts_of(value) is None):
            self._of_c(name, value)
        elif not (hasattr(kind, "__get__") and is_trusted(kind.__module__)):
            self._changeable(name, value, is_part)

    # -------------------------------------------------------------------- what it is

    def _of_c(self, name: str, function: Any) -> None:
        owner = getattr(function, "__objclass__", getattr(function, "__self__", None))
        of_class = owner.__module__ if isinstance(owner, type) else None
        module = str(getattr(function, "__module__", None) or of_class)
        self.draws = self.draws or may_draw(module)
        top = module.partition(".")[0]
        is_named = any(top == one.partition(".")[0] for one in self._named)
        if not is_trusted(module) and not is_named and function is not time.sleep:
            self._doubt(f"it calls {name}, whose code cannot be read")

    def _changeable(self, name: str, value: Any, is_part: bool) -> None:
        if isinstance(value, np.ndarray) and _is_fixed(value):
            return
        size = value.size if isinstance(value, np.ndarray) else _length(value)
        if size > MOST_ITEMS:
            self._doubt(f"it uses {name}, which is too large to be compared")
            return
        if not isinstance(value, np.ndarray) and parts_of(value) is None:
            self._doubt(f"it uses {name}, which cannot be looked into")
            return
        if not is_part:
            self.state.append((name, value))
        if type(value).__module__ != "builtins":
            self._visit(type(value).__qualname__, type(value))
        if not isinstance(value, np.ndarray) or value.dtype.hasobject:
            for part in parts_of(value) or ():
                self._visit(name, part, is_part=True)

    def _class(self, made: type) -> None:
        if made in _FUNCTION_TYPES:
            self.asks = self.asks or "asks what kind of function it has"
        if is_trusted(made.__module__):
            self.draws = self.draws or may_draw(made.__module__)
            return
        if type(made) not in _METACLASSES:
            self._doubt(f"it uses {made.__qualname__}, whose class is of another kind")
        self._known[id(made)] = made
        for one in made.__mro__:
            if is_trusted(one.__module__):
                continue
            for name, value in vars(one).items():
                if name not in _NOT_STATE:
                    self._variable(one.__qualname__, vars(one), name, value)
                    self._visit(f"{one.__qualname__}.{name}", value)

    def _function(self, function: types.FunctionType) -> None:
        self._functions.append(function)
        if len(self._functions) > MOST_FUNCTIONS:
            self._doubt("it reaches more code than can be read")
            return
        told = function.__qualname__
        for value in function.__defaults__ or ():
            self._visit(f"a default of {told}", value)
        for value in (function.__kwdefaults__ or {}).values():
            self._visit(f"a default of {told}", value)
        held = closure_of(function)
        names = zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        )
        self._cells += [(cell, held[name]) for name, cell in names if name in held]
        module = function.__globals__.get("__name__")
        if is_trusted(module):
            self.draws = self.draws or may_draw(str(module))
            for name, value in held.items():
                self._visit(f"{name} of {told}", value)
            return
        code = read_code(function.__code__)
        self._known |= {id(one): one for one in code.codes}
        self._code(function, code, held)

    def _code(
        self, function: types.FunctionType, code: Code, held: dict[str, Any]
    ) -> None:
        scope = function.__globals__
        sets = code.sets or code.sets_named or code.attributes & _SETTING
        self.sets = self.sets or bool(sets)
        if code.sets:
            self._doubt(f"it sets the variable {min(code.sets)}")
        far = _ASTRAY | _TUNING
        astray = {n for n in code.attributes if n in far or n.startswith("read_")}
        if astray:
            self._doubt(f"it asks for {min(astray)}")
        for module in code.imports:
            if not is_trusted(module) or "random" in code.attributes:
                self._doubt(f"it imports {module}")
        for name in code.names:
            self._name(function, name, held)
        if not _is_of_python(scope):
            self.tunes = self.tunes or min(code.attributes & _TUNING, default="")
            self._questions(code, scope, held)

    def _name(
        self, function: types.FunctionType, name: Name, held: dict[str, Any]
    ) -> None:
        """Note what a name stands for, and the attributes that are taken of it."""
        first, *attributes = name.path
        scope, told = function.__globals__, function.__qualname__
        if name.is_held:
            if first in held:
                self._behind(f"{first} of {told}", held[first], attributes)
            elif first in function.__code__.co_freevars:
                self._doubt(f"it names {first}, which is not there")
            # else it is a variable of the function itself
        elif first in scope:
            self._variable(function.__module__, scope, first, scope[first])
            self._behind(f"{function.__module__}.{first}", scope[first], attributes)
        elif not hasattr(builtins, first):
            self._variable(function.__module__, scope, first, None)
            self._doubt(f"it names {first}, which is not there")
        elif first in _UNSAFE:
            self._doubt(f"it calls {first}")

    def _behind(self, name: str, value: Any, attributes: list[str]) -> None:
        """Note what is behind attributes; what a trusted module has is trusted."""
        for attribute in attributes:
            if type(value) is not types.ModuleType:
                break
            module, value = value, getattr(value, attribute, None)
            name = f"{name}.{attribute}"
            if not is_trusted(module.__name__):
                self._variable(module.__name__, vars(module), attribute, value)
                continue
            self.draws = self.draws or may_draw(module.__name__)
            if not isinstance(value, types.ModuleType | type):
                return
        self._visit(name, value)

    def _questions(
        self, code: Code, scope: dict[str, Any], held: dict[str, Any]
    ) -> None:
        """Note whether code asks which of two equal objects it has."""
        asking = code.attributes & _ASKING
        if asking:
            self.asks = self.asks or f"asks for {min(asking)}"
        for operands in code.compared:
            if not any(self._is_no_function(one, scope, held) for one in operands):
                self.asks = self.asks or "tests which function it has"

    @staticmethod
    def _is_no_function(
        name: Name | None, scope: dict[str, Any], held: dict[str, Any]
    ) -> bool:
        """Return whether what is tested by `is` is certainly no function."""
        if name is None:
            return False
        first, *attributes = name.path
        value = held.get(first) if name.is_held else scope.get(first)
        value = getattr(builtins, first, None) if value is None else value
        for attribute in attributes:
            value = getattr(value, attribute, None)
        return isinstance(value, type) or (value is not None and not callable(value))

    def _add_attributes_of_functions(self) -> None:
        """Add attributes of functions where one of the functions asks for any."""
        read = [read_code(function.__code__) for function in self._functions]
        asked = frozenset[str]().union(*(code.attributes for code in read))
        sets = any(code.sets_attributes for code in read)
        for function in self._functions:
            if is_trusted(function.__globals__.get("__name__")):
                continue
            own = vars(function).keys() - {"__wrapped__"}
            if not own and sets:
                self._bare.append(function)
            elif own and (sets or own & asked or "getattr" in asked):
                name = f"attributes of {function.__qualname__}"
                self.state.append((name, vars(function)))


def _doubt_about(name: str, value: Any) -> str:
    """Return why nothing can be said of what a value does; empty if it can."""
    if isinstance(value, types.ModuleType):
        return f"it hands on the module {value.__name__}"
    if hasattr(type(value), "cache_info"):
        return f"{name} remembers what it gave"
    if isinstance(value, np.ufunc) and set("".join(value.types)) <= set("O->"):
        return f"it calls {name}, whose code cannot be read"  # it is one of Python
    return ""


def _is_of_python(scope: dict[str, Any]) -> bool:
    """Return whether code is of Python's library, which compares no functions."""
    module = str(scope.get("__name__"))
    return module.partition(".")[0] in sys.stdlib_module_names


def _name_of(value: Any) -> str:
    is_plain = isinstance(value, types.FunctionType | type)
    has_name = is_plain or hasattr(type(value), "cache_info")
    return str(value.__qualname__ if has_name else type(value).__name__)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict | set | tuple) else 0


def _is_fixed(array: Any) -> bool:
    """Return whether nobody can write into an array."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable or array.dtype.hasobject:
            return False
        array = array.base
    return isinstance(array, bytes)
