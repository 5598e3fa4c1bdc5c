"""What a function's code names, sets, imports and compares, inner functions' too."""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

_GLOBALS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_HELD = frozenset({"LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"})
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_CONSTANTS = frozenset({"LOAD_CONST", "LOAD_SMALL_INT", "LOAD_COMMON_CONSTANT"})
_SETS = frozenset({"STORE_GLOBAL", "DELETE_GLOBAL"})
_SETS_HELD = frozenset({"STORE_DEREF", "DELETE_DEREF"})
_NOTHING = frozenset(
    {"CACHE", "EXTENDED_ARG", "NOP", "PUSH_NULL", "PRECALL", "NOT_TAKEN"}
)


@dataclass(frozen=True)
class Name:
    """A variable from outside of a code, and the attributes that are taken of it."""

    path: tuple[str, ...]
    is_held: bool  # By the functions around, not by the module


@dataclass(frozen=True)
class Code:
    """What is said of a code and of all codes within."""

    codes: tuple[CodeType, ...]
    names: tuple[Name, ...]
    attributes: frozenset[str]  # That are taken of anything, and names of variables
    imports: frozenset[str]
    sets: frozenset[str]  # Variables from outside
    sets_attributes: bool
    sets_named: bool  # Attributes of what a variable from outside stands for
    makes_names: bool  # Imports a module, or makes a class
    # Of each `is` that is not with a constant, the names on its sides
    compared: tuple[tuple[Name | None, Name | None], ...]


def names_in(code: CodeType) -> frozenset[str]:
    """Return the names of variables and attributes in a code, inner functions' too."""
    return frozenset(code.co_names).union(*map(names_in, _within(code)))


@functools.lru_cache(maxsize=4096)
def read_code(code: CodeType) -> Code:
    """Return what a code says, by its instructions."""
    reading = _Reading(frozenset(code.co_freevars))
    reading.read(code)
    return Code(
        tuple(reading.codes),
        tuple(dict.fromkeys(reading.names)),
        names_in(code),
        frozenset(reading.imports),
        frozenset(reading.sets),
        reading.sets_attributes,
        reading.sets_named,
        reading.makes_names,
        tuple(reading.compared),
    )


def _within(code: CodeType) -> Iterator[CodeType]:
    return (inner for inner in code.co_consts if isinstance(inner, CodeType))


_CONSTANT, _ANYTHING = "a constant", "anything"


class _Reading:
    """Reads a code and all within; `held`: variables of the functions around it."""

    def __init__(self, held: frozenset[str]) -> None:
        self.codes: list[CodeType] = []
        self.names: list[Name] = []
        self.imports: set[str] = set()
        self.sets: set[str] = set()
        self.sets_attributes = self.sets_named = self.makes_names = False
        self.compared: list[tuple[Name | None, Name | None]] = []
        self._held = held

    def read(self, code: CodeType) -> None:
        self.codes.append(code)
        own: set[str] = set()  # names that the body of a class has set
        loaded: list[Name | str] = [_ANYTHING, _ANYTHING]  # the last two
        for step in dis.get_instructions(code):
            name, told = step.opname, str(step.argval)
            if name in _NOTHING:
                continue
            if name in _ATTRIBUTES:
                if isinstance(loaded[-1], Name):
                    self.names.pop()  # it is a part of the longer one
                loaded[-1] = _attribute_of(loaded[-1], told)
            elif name == "IS_OP":
                self._compare(*loaded[-2:])
                loaded = [_ANYTHING, _ANYTHING]
            elif name.startswith("LOAD_"):
                self.makes_names = self.makes_names or name == "LOAD_BUILD_CLASS"
                loaded += self._loaded(name, step.argval, own)
            else:
                if name in ("STORE_ATTR", "DELETE_ATTR"):
                    self.sets_attributes = True
                    self.sets_named |= isinstance(loaded[-1], Name)
                self._other(name, told, own)
                loaded = [_ANYTHING, _ANYTHING]
            if isinstance(loaded[-1], Name):
                self.names.append(loaded[-1])
        for inner in _within(code):
            self.read(inner)

    def _loaded(self, name: str, told: object, own: set[str]) -> list[Name | str]:
        if name in _CONSTANTS:
            return [_CONSTANT]
        if name in _GLOBALS:
            return [_ANYTHING if told in own else Name((str(told),), False)]
        if name in _HELD and told in self._held:
            return [Name((str(told),), True)]
        # Python 3.13 loads two at once.
        variables = told if isinstance(told, tuple) else (told,)
        return ["self" if one == "self" else _ANYTHING for one in variables]

    def _other(self, name: str, told: str, own: set[str]) -> None:
        if name == "IMPORT_NAME":
            self.imports.add(told)
            self.makes_names = True
        elif name in _SETS or (name in _SETS_HELD and told in self._held):
            self.sets.add(told)
        elif name == "STORE_NAME":
            own.add(told)

    def _compare(self, one: Name | str, other: Name | str) -> None:
        # A method's own instance, a class, a constant: none of them is a function.
        harmless = {_CONSTANT, "self", "__class__"}
        if one not in harmless and other not in harmless:
            self.compared.append((_name(one), _name(other)))


def _attribute_of(loaded: Name | str, attribute: str) -> Name | str:
    if attribute == "__class__":
        return attribute
    if isinstance(loaded, Name):
        return Name((*loaded.path, attribute), loaded.is_held)
    return _ANYTHING


def _name(loaded: Name | str) -> Name | None:
    return loaded if isinstance(loaded, Name) else None
