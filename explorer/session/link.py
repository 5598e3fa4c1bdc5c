"""The state of a session as the scalars of a link, and back; a way to another page.

Which scalars those are, and what they are called, every page's state declares where
its parameters stand. What comes from a link is somebody else's text: a value that does
not fit is left out and told, and the rest is used. Names that nobody asks for are
passed over: hubs and proxies put names of their own into an address.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode

import param

from solvers import Choice, Knob, Number, Switch, ThriftscopeError
from solvers.datasets import all_datasets, dataset_options
from solvers.errors import DataError, listed, shown

from ..document.recipes import DataRecipe, made, recipe_of
from .declared import LinkText, link_names
from .state import SessionState, bundled


@dataclass(frozen=True)
class Visit:
    """Another page, with its state."""

    page: str  # Name of the page
    title: str  # What the page is called
    link: str = ""  # The part of a link that sets its state: ``name=value&...``
    place: str = ""  # Heading on that page to go to; its top where empty

    @property
    def query(self) -> str:
        """The whole link: begins with ``?``."""
        return f"?page={self.page}" + (f"&{self.link}" if self.link else "")


#: Characters; servers take some more.
MAX_LINK = 12_000
MAX_NAME = 200
MAX_NUMBER = 1e12
MAX_LISTED = 8
# As they stand in a link: an address that people can read.
PLAIN = ",:"
ALL, PART = "is left out", "is left out where it does not fit"


def asked_by(link: str) -> dict[str, str]:
    """Return what a link asks for, by short name; nothing if it is too long."""
    if len(link) > MAX_LINK:
        return {}
    given = parse_qs(link.lstrip("?"), keep_blank_values=True)
    return {key: values[0] for key, values in given.items()}


# ---------------------------------------------------------------------------- writing


def write_link(session: SessionState, frontier: param.Parameterized) -> str:
    """Return the query that restores the scalars of a session."""
    values = {"page": session.page}
    recipe = recipe_of(session.dataset)
    if recipe is not None:
        values["data"] = recipe.name
        options = (f"{key}:{knob_text(v)}" for key, v in recipe.options.items())
        values |= {"made": ",".join(options)} if recipe.options else {}
    names = link_names(type(frontier), everywhere=True)
    return "?" + urlencode(values | _written(frontier, names), safe=PLAIN)


def write_page_link(state: param.Parameterized, link: Mapping[str, str]) -> str:
    """Return the part of a query that restores the scalars of one page."""
    values = _written(state, link)
    return "&" + urlencode(values, safe=PLAIN) if values else ""


def _written(state: param.Parameterized, names: Mapping[str, str]) -> dict[str, str]:
    found = {name: getattr(state, name) for name in names}
    return {
        names[name]: _text(value, state.param[name])
        for name, value in found.items()
        if value is not None
    }


def _text(value: Any, parameter: param.Parameter) -> str:
    if isinstance(parameter, LinkText):
        return parameter.to_text(value)
    if isinstance(value, list):
        return ",".join(map(str, value))
    return knob_text(value)


# ---------------------------------------------------------------------------- reading


def read_link(
    query: str,
    session: SessionState,
    frontier: param.Parameterized,
    pages: Collection[str] | None = None,
) -> list[str]:
    """Set the scalars of a session from a link, and say what did not fit.

    `pages`: names of the pages that there are; any by default.
    """
    if len(query) > MAX_LINK:
        return [
            f"The link has {len(query):,} characters, and at most {MAX_LINK:,} are "
            "read; ask for the session file instead."
        ]
    given = asked_by(query)
    refused = open_asked(given, session)
    page = given.get("page", session.page)
    if pages is None or page in pages:
        session.page = page
    else:
        refused.append(_left_out("page", page, _one_of(pages)))
    full_cost = session.dataset.hypergraph.total_cost
    if "budget" in given:
        # More than everything costs cannot be spent.
        given["budget"] = _at_most(given["budget"], full_cost)
    names = link_names(type(frontier), everywhere=True)
    return refused + _read(given, frontier, names)


def read_budget(
    given: Mapping[str, str], session: SessionState, frontier: param.Parameterized
) -> None:
    """Set the budget of a link once more, where its own prices are open by now."""
    if "budget" in given:
        full_cost = session.dataset.hypergraph.total_cost
        told = {"budget": _at_most(given["budget"], full_cost)}
        _read(told, frontier, link_names(type(frontier), everywhere=True))


def open_asked(
    given: Mapping[str, str], session: SessionState, *, anew: bool = False
) -> list[str]:
    """Open the data set that a link asks for, and say what did not fit.

    `anew`: whether even where its rows are open already.
    """
    name = given.get("data")
    if name is None:
        return []
    if name not in all_datasets():
        return [_left_out("data", name, _one_of(all_datasets()))]
    try:
        recipe = _recipe(name, given.get("made", ""))
    except (ThriftscopeError, ValueError, OverflowError, KeyError):
        what = f"sizes of {name} as the page Prices makes it"
        return [_left_out("made", given["made"], what)]
    if anew or recipe != recipe_of(session.dataset):
        try:
            opened = (
                made(all_datasets()[name](**recipe.options), recipe)
                if recipe.options
                else bundled(name)
            )
        except DataError as error:  # its rows are not here
            return [str(error)]
        session.open(opened)
    return []


def read_page_link(
    query: str, state: param.Parameterized, link: Mapping[str, str]
) -> list[str]:
    """Set the scalars of one page from a link, and say what did not fit."""
    return _read(asked_by(query), state, link)


def _recipe(name: str, text: str) -> DataRecipe:
    knobs = dataset_options(name)
    items = [item.partition(":") for item in text.split(",") if item]
    options = {key: knob_value(value, knobs[key]) for key, _, value in items}
    recipe = DataRecipe(name, options)
    recipe.check()
    return recipe


def _at_most(text: str, most: float) -> str:
    try:
        number = float(text)
    except ValueError:
        return text
    return repr(most) if most < number < MAX_NUMBER else text


def _read(
    given: Mapping[str, str], state: param.Parameterized, names: Mapping[str, str]
) -> list[str]:
    # One after the other: what one may be can depend on those before it.
    read = {
        (name, key): _set(given[key], state, name)
        for name, key in names.items()
        if key in given
    }
    return [
        _left_out(key, given[key], _allowed(state.param[name]), left_out)
        for (name, key), left_out in read.items()
        if left_out
    ]


def _set(text: str, state: param.Parameterized, name: str) -> str:
    """Set a parameter from its text; return what of it is left out."""
    try:
        value, is_whole = _value(text, state.param[name])
        state.param.update(**{name: value})
    except (ThriftscopeError, ValueError, OverflowError):
        return ALL  # the value of a link that does not fit: the default stays
    return "" if is_whole else PART


def _value(text: str, parameter: param.Parameter) -> tuple[Any, bool]:
    """Read a value as its parameter declares it, and whether all of it fits."""
    match parameter:
        case LinkText():
            return parameter.from_text(text)
        case param.Boolean():
            return {"yes": True, "no": False}.get(text), text in ("yes", "no")
        case param.ListSelector():
            asked = text.split(",") if text else []
            known = [one for one in dict.fromkeys(asked) if one in parameter.objects]
            if asked and not known:
                raise ValueError("nothing of it is known")
            return known, known == asked
        case param.Selector():
            choices = {knob_text(one): one for one in parameter.objects}
            if text not in choices:
                raise ValueError("not to be chosen")
            return choices[text], True
        case param.String():
            if len(text) > MAX_NAME or not text.isprintable():
                raise ValueError("no name")
            return text, True
    number = float(text)
    if not abs(number) < MAX_NUMBER:
        raise ValueError("too large, or no number")
    is_whole = isinstance(parameter, param.Integer) and number.is_integer()
    return int(number) if is_whole else number, True


# ---------------------------------------------------------------------------- telling


def _left_out(key: str, text: str, allowed: str, left_out: str = ALL) -> str:
    return f"The link's {key}={shown(text)[1:-1]} {left_out}; it may be {allowed}."


def _allowed(parameter: param.Parameter) -> str:
    match parameter:
        case LinkText():
            return parameter.allowed
        case param.Boolean():
            return "yes or no"
        case param.Selector():
            return _one_of(map(knob_text, parameter.objects))
        case param.String():
            return f"a name of up to {MAX_NAME} characters"
    kind = "a whole number" if isinstance(parameter, param.Integer) else "a number"
    low, high = parameter.bounds or (None, None)
    if low is not None and high is not None:
        return f"{kind} from {low:g} to {high:g}"
    return kind if low is None else f"{kind}, {low:g} or more"


def _one_of(names: Iterable[str]) -> str:
    named = [name for name in names if name]
    return f"one of {listed(named, MAX_LISTED, told=str)}"


def knob_text(value: Any) -> str:
    """Return a value as text that `knob_value` reads as the same value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    # Short where nothing is lost by it: 1 for 1.0.
    return f"{value!r}".removesuffix(".0") if isinstance(value, float) else str(value)


def knob_value(text: str, knob: Knob) -> Any:
    """Return the value of a text; what is none is left to the knob to refuse."""
    if isinstance(knob, Choice):
        return text
    if isinstance(knob, Switch):
        return {"yes": True, "no": False}.get(text, text)
    if text == "none":
        return None
    number = float(text)
    is_whole = isinstance(knob, Number) and knob.integer and number.is_integer()
    return int(number) if is_whole else number
