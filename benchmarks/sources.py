"""Which code a result was measured with, and whether that has changed since.

A commit names it; a fingerprint tells without the history. It is that of some modules
and of all that they import from this repository: of what they do, so that comments,
docstrings and layout may change and results stay.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["is_current", "sources_of"]

HOUSE = Path(__file__).parents[1]
_ROOMS = ("solvers", "benchmarks")
# What no run depends on, or what not every version of Python writes down.
_UNTOLD = {"ctx", "kind", "type_comment", "type_ignores", "type_params"}
_SAYS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)  # docstrings


def sources_of(
    modules: Iterable[str], but_of: Iterable[str] = (), house: Path = HOUSE
) -> dict[str, Any]:
    """Return modules and the fingerprint of their code, to be kept with a result.

    Parameters
    ----------
    modules : iterable of str
        What the result was measured with; what they import counts too.
    but_of : iterable of str
        Modules that are left out with all that they import.
    house : Path
        The folder of the packages.

    Returns
    -------
    dict
        What `is_current` takes.
    """
    modules, but_of = sorted(modules), sorted(but_of)
    found = _reached(modules, house) - _reached(but_of, house)
    told = "\n".join(f"{module} {_code(module, house)}" for module in sorted(found))
    digest = hashlib.sha256(told.encode()).hexdigest()
    return {"modules": modules, "but of": but_of, "fingerprint": digest[:16]}


def is_current(sources: Mapping[str, Any] | None, house: Path = HOUSE) -> bool:
    """Return whether a result is of the code of now; not where that is not known."""
    if sources is None:
        return False
    return sources == sources_of(sources["modules"], sources["but of"], house)


def _reached(modules: Iterable[str], house: Path) -> set[str]:
    """Return modules and all that they import from the house."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imported(module, house))
    return found


@cache
def _tree(module: str, house: Path) -> tuple[ast.Module, str] | None:
    """Return a module's code and its package; None where there is no such module."""
    place = house.joinpath(*module.split("."))
    if (place / "__init__.py").is_file():
        return ast.parse((place / "__init__.py").read_text("utf-8")), module
    if place.with_suffix(".py").is_file():
        package = module.rpartition(".")[0]
        return ast.parse(place.with_suffix(".py").read_text("utf-8")), package
    return None


@cache
def _imported(module: str, house: Path) -> frozenset[str]:
    return frozenset(home for _, home in _imports(module, house))


def _imports(module: str, house: Path) -> Iterator[tuple[str, str]]:
    """Yield names that a module imports from the house, and the module of each."""
    found = _tree(module, house)
    for node in ast.walk(found[0]) if found else ():
        if isinstance(node, ast.Import):
            pairs = [(alias.name, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, found[1])
            pairs = [(a.name, _home(origin, a.name, house)) for a in node.names]
        else:
            continue
        yield from ((n, home) for n, home in pairs if home.split(".")[0] in _ROOMS)


def _origin(node: ast.ImportFrom, package: str) -> str:
    """Return the module that names are imported from."""
    parts = package.split(".")[: -node.level + 1 or None] if node.level else []
    return ".".join([*parts, *filter(None, [node.module])])


@cache
def _home(origin: str, name: str, house: Path) -> str:
    """Return the module where a name stands that another one may only pass on."""
    inner = f"{origin}.{name}"
    if origin.split(".")[0] not in _ROOMS or _tree(inner, house) is not None:
        return inner
    found = _tree(origin, house)
    if found is not None and found[1] == origin:  # a package's face
        return dict(_imports(origin, house)).get(name, origin)
    return origin


@cache
def _code(module: str, house: Path) -> str:
    found = _tree(module, house)
    return "" if found is None else hashlib.sha256(_told(found[0]).encode()).hexdigest()


def _told(node: Any) -> str:
    """Return what code says, the same in every version of Python."""
    if isinstance(node, list):
        return f"[{','.join(map(_told, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = dict(ast.iter_fields(node))
    if isinstance(node, _SAYS) and ast.get_docstring(node, clean=False) is not None:
        fields["body"] = node.body[1:]
    inner = (
        f"{name}={_told(value)}"
        for name, value in fields.items()
        if name not in _UNTOLD and value not in (None, [])
    )
    return f"{type(node).__name__}({','.join(inner)})"
