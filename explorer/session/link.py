"""The state of a session as the scalars of a link, and back.

Which scalars those are, and what they are called, every page's state declares where
its parameters stand. What comes from a link is somebody else's text: a value that does
not fit is left out, and the rest is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlencode

import param

from solvers import ThriftscopeError
from solvers.datasets import all_datasets

from .declared import LinkedDict, link_names
from .state import SessionState

__all__ = ["asked_by", "read_link", "read_page_link", "write_link", "write_page_link"]

MAX_LINK = 4096
MAX_FIELDS = 40
MAX_NAME = 200


def asked_by(link: str) -> dict[str, str]:
    """Return what a link asks for, by short name; nothing if it is too long."""
    if len(link) > MAX_LINK:
        return {}
    try:
        given = parse_qs(link.lstrip("?"), max_num_fields=MAX_FIELDS)
    except ValueError:
        return {}
    return {key: values[0] for key, values in given.items()}


def write_link(session: SessionState, frontier: param.Parameterized) -> str:
    """Return the query that restores the scalars of a session."""
    values: dict[str, str] = {"page": session.page}
    if session.dataset.name in all_datasets():
        values["data"] = session.dataset.name
    names = link_names(type(frontier), everywhere=True)
    return "?" + urlencode(values | _written(frontier, names))


def read_link(query: str, session: SessionState, frontier: param.Parameterized) -> None:
    """Set the scalars of a session from a link, as far as they make sense."""
    given = asked_by(query)
    name = given.get("data")
    if name is not None and name in all_datasets() and name != session.dataset.name:
        session.open_bundled(name)
    if "page" in given:
        session.page = given["page"]
    full_cost = session.dataset.hypergraph.total_cost
    names = link_names(type(frontier), everywhere=True)
    for name, value in _read(given, frontier, names).items():
        # More than everything costs cannot be spent.
        fits = min(value, full_cost) if name == "budget" else value
        _try_update(frontier, {name: fits})


def write_page_link(state: param.Parameterized, link: Mapping[str, str]) -> str:
    """Return the part of a query that restores the scalars of one page."""
    values = _written(state, link)
    return "&" + urlencode(values) if values else ""


def read_page_link(
    query: str, state: param.Parameterized, link: Mapping[str, str]
) -> None:
    """Set the scalars of one page from a link, as far as they make sense."""
    given = asked_by(query)
    for name, key in link.items():
        # One after the other: what one may be can depend on those before it.
        for found in _read(given, state, {name: key}).values():
            _try_update(state, {name: found})


def _written(state: param.Parameterized, names: Mapping[str, str]) -> dict[str, str]:
    return {
        key: _text(getattr(state, name), state.param[name])
        for name, key in names.items()
    }


def _read(
    given: Mapping[str, str], state: param.Parameterized, names: Mapping[str, str]
) -> dict[str, Any]:
    found = {
        name: _value(given[key], state.param[name])
        for name, key in names.items()
        if key in given
    }
    return {name: value for name, value in found.items() if value is not None}


def _text(value: Any, parameter: param.Parameter | None = None) -> str:
    if isinstance(parameter, LinkedDict):
        return parameter.to_text(value)
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _value(text: str, parameter: param.Parameter) -> Any:
    """Read a scalar as its parameter declares it; None where it is something else."""
    match parameter:
        case LinkedDict():
            return parameter.from_text(text)
        case param.Boolean():
            return {"yes": True, "no": False}.get(text)
        case param.ListSelector():
            known = [item for item in text.split(",") if item in parameter.objects]
            return known or None
        case param.Selector():
            return {_text(choice): choice for choice in parameter.objects}.get(text)
        case param.String():
            return text[:MAX_NAME]
        case param.Integer():
            number = _number(text)
            return None if number is None else int(number)
        case param.Number():
            return _number(text)
    return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < 1e12 else None


def _try_update(state: param.Parameterized, update: dict[str, Any]) -> None:
    try:
        state.param.update(**update)
    except (ThriftscopeError, ValueError):
        return  # the value of a link that does not fit: the default stays
