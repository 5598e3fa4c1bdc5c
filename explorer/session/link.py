"""The state of a session as the scalars of a link, and back.

What comes from a link is somebody else's text: a value that does not fit is left out,
and the rest is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

import param

from solvers import ThriftscopeError, all_methods
from solvers.datasets import all_datasets

from .state import SessionState

if TYPE_CHECKING:
    from ..pages.frontier.state import FrontierState

__all__ = ["read_link", "read_page_link", "write_link", "write_page_link"]

# Names in the link, by parameter of the frontier's state.
NUMBERS = {"alpha": "lambda", "p": "p", "budget": "budget"}
CHOICES = {"accounting": "accounting", "penalty": "penalty", "threshold": "threshold"}
PENALTIES = ("lp", "mcp", "scad")
MAX_LINK = 4096
MAX_NAME = 200


def write_link(session: SessionState, frontier: FrontierState) -> str:
    """Return the query that restores the scalars of a session."""
    values: dict[str, str] = {"page": session.page}
    if session.dataset.name in all_datasets():
        values["data"] = session.dataset.name
    values |= {NUMBERS[name]: f"{getattr(frontier, name):.6g}" for name in NUMBERS}
    values |= {CHOICES[name]: str(getattr(frontier, name)) for name in CHOICES}
    values["refit"] = "yes" if frontier.refit else "no"
    values["methods"] = ",".join(frontier.methods)
    return "?" + urlencode(values)


def read_link(query: str, session: SessionState, frontier: FrontierState) -> None:
    """Set the scalars of a session from a link, as far as they make sense."""
    if len(query) > MAX_LINK:
        return
    given = {k: v[0] for k, v in parse_qs(query.lstrip("?"), max_num_fields=40).items()}
    name = given.get("data")
    if name is not None and name in all_datasets() and name != session.dataset.name:
        session.open_bundled(name)
    if "page" in given:
        session.page = given["page"]
    full_cost = session.dataset.hypergraph.total_cost
    for update in _frontier_updates(given):
        if "budget" in update:
            update["budget"] = min(update["budget"], full_cost)
        _try_update(frontier, update)


def write_page_link(state: param.Parameterized, link: Mapping[str, str]) -> str:
    """Return the part of a query that restores the scalars of one page."""
    values = {key: _text(getattr(state, name)) for name, key in link.items()}
    return "&" + urlencode(values) if values else ""


def read_page_link(
    query: str, state: param.Parameterized, link: Mapping[str, str]
) -> None:
    """Set the scalars of one page from a link, as far as they make sense."""
    if len(query) > MAX_LINK:
        return
    given = {k: v[0] for k, v in parse_qs(query.lstrip("?"), max_num_fields=40).items()}
    for name, key in link.items():
        if key in given:
            value = _value(given[key], state.param[name])
            if value is not None:
                _try_update(state, {name: value})


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _value(text: str, parameter: param.Parameter) -> Any:
    """Read a scalar as its parameter declares it; None where it is something else."""
    if isinstance(parameter, param.Boolean):
        return {"yes": True, "no": False}.get(text)
    if isinstance(parameter, param.Selector):
        return {_text(choice): choice for choice in parameter.objects}.get(text)
    if isinstance(parameter, param.String):
        return text[:MAX_NAME]
    if isinstance(parameter, param.Number):
        number = _number(text)
        is_whole = isinstance(parameter, param.Integer)
        return int(number) if number is not None and is_whole else number
    return None


def _frontier_updates(given: Mapping[str, str]) -> list[dict[str, Any]]:
    updates: list[dict[str, Any]] = []
    for name, key in NUMBERS.items():
        number = _number(given.get(key))
        if number is not None:
            updates.append({name: number})
    for name, key in CHOICES.items():
        allowed = PENALTIES if name == "penalty" else None
        if key in given and (allowed is None or given[key] in allowed):
            updates.append({name: given[key]})
    if given.get("refit") in ("yes", "no"):
        updates.append({"refit": given["refit"] == "yes"})
    methods = [m for m in given.get("methods", "").split(",") if m in all_methods()]
    if methods:
        updates.append({"methods": methods})
    return updates


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else None
    except ValueError:
        return None
    return number if number is not None and abs(number) < 1e12 else None


def _try_update(state: param.Parameterized, update: dict[str, Any]) -> None:
    try:
        state.param.update(**update)
    except (ThriftscopeError, ValueError):
        return  # the value of a link that does not fit: the default stays
