"""What is computed, as a call of a public function: it prints itself as Python."""

from __future__ import annotations

import inspect
import keyword
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import ThriftscopeError
from solvers.errors import shown

# Characters of a line, of an indent, and of the pieces of a long text.
_LINE, _INDENT, _PIECE = 88, 4, 72


class Call:
    """A call of a public function, whose arguments are plain values or other calls.

    `arguments`: by place; they become keywords where the function takes them so.
    """

    def __init__(self, function: Callable[..., Any], /, *arguments: Any, **named: Any):
        known = inspect.signature(function).parameters
        for name in named:
            if name not in known or not name.isidentifier() or keyword.iskeyword(name):
                raise ThriftscopeError(
                    f"{function.__name__} takes no {shown(name)}; choose from "
                    f"{', '.join(known)}."
                )
        self.function = function
        self.arguments = arguments
        self.named = named
        self.attribute = ""
        self.note = ""

    def __call__(self) -> Any:
        """Make the call, and those among its arguments."""
        told = [one() if isinstance(one, Call) else one for one in self.arguments]
        named = {k: v() if isinstance(v, Call) else v for k, v in self.named.items()}
        found = self.function(*told, **named)
        return getattr(found, self.attribute[1:]) if self.attribute else found

    def of(self, attribute: str) -> Call:
        """Return the call whose value is an attribute of this one's."""
        found = Call(self.function, *self.arguments, **self.named)
        found.attribute = f".{attribute}"
        return found

    def noted(self, note: str) -> Call:
        """Return the call with a line of words, ours, that a script has above it."""
        found = Call(self.function, *self.arguments, **self.named)
        found.attribute, found.note = self.attribute, note
        return found

    @property
    def given(self) -> dict[str, Any]:
        """All arguments, by the name that the function has for each."""
        known = inspect.signature(self.function).parameters
        placed = zip(known, self.arguments, strict=False)
        return {**dict(placed), **self.named}

    @property
    def home(self) -> str:
        """The package that the function is to be imported from: the outermost."""
        name, parts = self.function.__name__, self.function.__module__.split(".")
        for n in range(1, len(parts)):
            package = sys.modules[".".join(parts[:n])]
            is_public = name in getattr(package, "__all__", ())
            if is_public and getattr(package, name, None) is self.function:
                return package.__name__
        return self.function.__module__


def script(about: str, **results: Call) -> str:
    """Return a Python script that makes calls, and prints what they give.

    `results`: by the names that the script has for them, in order. A call that is the
    argument of another is made on a line before, and named as the argument is. Text
    from people stands in string literals only.
    """
    lines: list[str] = []
    names: dict[int, str] = {}
    calls: dict[tuple[str, str], None] = {}
    for name, call in results.items():
        _make(call, name, lines, names, calls)
        lines.append(f"print({name})")
    homes: dict[str, list[str]] = {}
    for home, function in calls:
        homes.setdefault(home, []).append(function)
    imports = [_laid_out(_import(home, homes[home])) for home in sorted(homes)]
    return "\n".join([f'"""{about}"""', "", *imports, "", *lines, ""])


def _make(
    call: Call,
    name: str,
    lines: list[str],
    names: dict[int, str],
    calls: dict[tuple[str, str], None],
) -> None:
    """Write a call and those it needs, each once, as assignments."""
    if id(call) in names:
        return
    if call.note:
        lines.append(f"# {call.note}")
    for argument, value in call.given.items():
        if isinstance(value, Call):
            _make(value, argument, lines, names, calls)
    for used in _calls_in(call, names):
        calls[used.home, used.function.__name__] = None
    lines.append(f"{name} = {_laid_out(_written(call, names), len(name) + 3)}")
    names[id(call)] = name


def _calls_in(value: Any, names: Mapping[int, str]) -> Iterator[Call]:
    """Yield the calls that are written where a value stands."""
    if isinstance(value, Call):
        if id(value) not in names:
            yield value
            yield from _calls_in([*value.given.values()], names)
    elif isinstance(value, Mapping):
        yield from _calls_in([*value.values()], names)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _calls_in(one, names)


# ------------------------------------------------------------------------- as Python


@dataclass(frozen=True)
class _Written:
    """A piece of Python that fits a line, or is written part by part."""

    whole: str  # On one line
    head: str = ""
    parts: tuple[_Written, ...] = ()  # None where it cannot be parted
    tail: str = ""
    comma: str = ","  # After each part

    def behind(self, words: str) -> _Written:
        """Return the same after some words."""
        return _Written(
            words + self.whole, words + self.head, self.parts, self.tail, self.comma
        )


def _laid_out(text: _Written, start: int = 0, indent: int = 0) -> str:
    """Return the lines of a piece that begins `start` characters after the margin."""
    if not text.parts or start + len(text.whole) <= _LINE:
        return text.whole
    inner = indent + _INDENT
    parts = [
        " " * inner + _laid_out(part, inner + len(text.comma), inner) + text.comma
        for part in text.parts
    ]
    return "\n".join([text.head, *parts, " " * indent + text.tail])


def _listed(head: str, parts: list[_Written], tail: str) -> _Written:
    whole = head + ", ".join(part.whole for part in parts) + tail
    return _Written(whole, head, tuple(parts), tail)


def _import(home: str, functions: list[str]) -> _Written:
    # As isort does: classes before functions.
    sorted_names = sorted(functions, key=lambda name: (name[0].islower(), name))
    head = f"from {home} import "
    parts = tuple(map(_Written, sorted_names))
    return _Written(head + ", ".join(sorted_names), f"{head}(", parts, ")")


def _written(value: Any, names: Mapping[int, str]) -> _Written:
    """Return the Python of a plain value or a call, whatever its text holds."""
    if isinstance(value, Call):
        if id(value) in names:
            return _Written(names[id(value)])
        parts = [_written(one, names) for one in value.arguments]
        parts += [_written(v, names).behind(f"{k}=") for k, v in value.named.items()]
        return _listed(f"{value.function.__name__}(", parts, f"){value.attribute}")
    if isinstance(value, Mapping):
        items = value.items()
        parts = [_written(v, names).behind(f"{_atom(k)}: ") for k, v in items]
        return _listed("{", parts, "}")
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return _listed("[", [_written(one, names) for one in items], "]")
    whole = _atom(value)
    if isinstance(value, str) and len(value) > _PIECE:
        pieces = [value[i : i + _PIECE] for i in range(0, len(value), _PIECE)]
        parts = [_Written(repr(str(piece))) for piece in pieces]
        return _Written(whole, "(", tuple(parts), ")", comma="")
    return _Written(whole)


def _atom(value: Any) -> str:
    """Return the literal of a number, a text or nothing."""
    if isinstance(value, np.generic):
        value = value.item()
    for kind in (bool, str, int):
        if isinstance(value, kind):
            return repr(kind(value))
    if isinstance(value, float):
        finite = math.isfinite(value)
        return repr(float(value)) if finite else f'float("{float(value)}")'
    if value is None:
        return "None"
    raise ThriftscopeError(
        f"A script cannot hold {shown(value)} of type {type(value).__name__}; give "
        "numbers, text, lists or mappings."
    )
