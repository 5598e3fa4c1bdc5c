"""A session as versioned JSON: everything that a person did, and nothing computed.

What is read is somebody else's text: it is bounded, and checked as a whole, before any
of it is used.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Never

import param

from solvers import Dataset, ThriftscopeError
from solvers.datasets import all_datasets
from solvers.errors import InterchangeError, shown

from ..document.drawing import Drawing, refuse_too_large
from ..document.reading import Reading
from ..document.recipes import DataRecipe, made, recipe_of
from ..document.table import Table, opened
from .checked import demand, is_list, is_number, is_text
from .own_files import OpenedFile, read_files
from .pins import MAX_PINS, Pin, read_pin
from .saved_drawing import packed_drawing, renumbered, unpacked_drawing
from .saved_reading import unpacked_reading
from .saved_table import table_key, unpacked_table
from .state import DEFAULT_DATASET, bundled

FORMAT, VERSION = "thriftscope-session", 1
#: Characters: a table that is kept takes half of it at most.
MAX_TEXT = 24_000_000
MAX_NAME = 200
MAX_ITEMS = 1_000
MAX_NUMBER = 1e15
_KEYS = {"format", "version", "page", "dark", "data", "drawing", "choices", "table"}
_BROKEN = (
    "This is no session of Thriftscope, or only a part of one; give a file that "
    '"Save session" wrote.'
)
# The class of a page's state and the names of its choices, by the page's name.
Declared = Mapping[str, tuple[type[param.Parameterized] | None, tuple[str, ...]]]
Choices = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class SavedSession:
    """A session that was read and found whole."""

    page: str = "frontier"  # Name of the page in front
    dark: bool = False  # Whether the page is dark
    # The table as it was opened; between processes how it is made, if anybody can
    data: Dataset | DataRecipe = field(default_factory=lambda: bundled(DEFAULT_DATASET))
    choices: Choices = field(default_factory=dict)  # Values by page and name
    # As it was edited, numbered from 0, without its table, and the columns of that;
    # None where it is as the table was opened
    drawn: Drawing | None = None
    columns: tuple[int, ...] = ()
    # Of what extracts the rows, where these are kept because they were priced here
    extractor: DataRecipe | None = None
    # How the table was read, where it has more columns than the data set
    reading: Reading | None = None

    @property
    def dataset(self) -> Dataset:
        """The table of a session that is `whole`."""
        assert isinstance(self.data, Dataset)
        return self.data

    def whole(self) -> SavedSession:
        """Return it with its table, and what extracts that where it is at hand."""
        data = self.data
        dataset = made_by(data) if isinstance(data, DataRecipe) else data
        if self.extractor is not None:
            dataset = _with_extractor(dataset, self.extractor)
        return replace(self, data=dataset)

    def drawing(self, first_id: int) -> Drawing:
        """Return the drawing on its table."""
        if self.drawn is None:
            return opened(self.dataset, first_id, reading=self.reading)
        table = Table(self.dataset, self.columns, reading=self.reading)
        return renumbered(replace(self.drawn, table=table), first_id)


# ---------------------------------------------------------------------------- writing


def written_session(
    page: str, dark: bool, drawing: Drawing, choices: Choices
) -> dict[str, Any]:
    """Return a session in the types of JSON, but for the rows of a person's table.

    ``data`` names the maker of the table, or the key of `packed_table`, which belongs
    at ``table``, and then the maker of what extracts it, if it was measured here.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "page": page,
        "dark": dark,
        "data": _data(drawing.table),
        "drawing": packed_drawing(drawing),
        "choices": {
            name: {key: _plain(value) for key, value in values.items()}
            for name, values in choices.items()
        },
        "table": None,
    }


def _data(table: Table | None) -> dict[str, Any]:
    dataset = table.dataset if table is not None else bundled(DEFAULT_DATASET)
    recipe = recipe_of(dataset, as_priced=True)
    if recipe is not None:
        return _plain_recipe(recipe)
    extractor = recipe_of(dataset)
    told = {} if extractor is None else {"extractor": _plain_recipe(extractor)}
    return {"table": table_key(dataset), **told}


def _plain_recipe(recipe: DataRecipe) -> dict[str, Any]:
    return {"name": recipe.name, "options": dict(recipe.options)}


def files_left_out(choices: Choices) -> list[str]:
    """Return the names of the files that are too large to be kept."""
    files = [file for page in choices.values() for file in page.get("files", ())]
    return [file.name for file in files if _is_left_out(file)]


def _is_left_out(value: Any) -> bool:
    return isinstance(value, OpenedFile) and not value.is_kept


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value if not _is_left_out(item)]
    return value.plain() if isinstance(value, Pin | OpenedFile) else value


# ---------------------------------------------------------------------------- reading


def read_session(text: str | bytes, declared: Declared) -> SavedSession:
    """Return the session that somebody's text holds."""
    given = _parsed(text)
    if given["page"] not in declared:
        raise InterchangeError(
            f"The session was on a page {shown(given['page'])}; there are "
            f"{', '.join(declared)}."
        )
    demand(isinstance(given["dark"], bool), _BROKEN)
    dataset = _dataset(given["data"], given["table"])
    extractor = given["data"].get("extractor")
    drawn, table = None, None
    if given["drawing"] is not None:
        drawn = unpacked_drawing(given["drawing"], dataset, 0)
        drawn, table = replace(drawn, table=None), drawn.table
    else:
        refuse_too_large(dataset.hypergraph)
    return SavedSession(
        given["page"],
        given["dark"],
        dataset,
        _choices(given["choices"], declared, dataset),
        drawn,
        () if table is None else table.columns,
        None if extractor is None else _recipe(extractor),
        unpacked_reading((given["table"] or {}).get("reading"), dataset),
    )


def sent_session(text: bytes, declared: Declared) -> Iterator[SavedSession]:
    """Read somebody's session for another process: data of ours are not sent along."""
    saved = read_session(text, declared)
    recipe = recipe_of(saved.dataset, as_priced=True)
    yield replace(saved, data=recipe or saved.data)


def _parsed(text: str | bytes) -> Mapping[str, Any]:
    if len(text) > MAX_TEXT:
        raise InterchangeError(
            f"The session has {len(text):,} characters; at most {MAX_TEXT:,} are read."
        )
    try:
        given = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InterchangeError(_BROKEN) from error
    demand(isinstance(given, dict) and given.get("format") == FORMAT, _BROKEN)
    version = given.get("version")
    if type(version) is not int or version != VERSION:
        raise InterchangeError(
            f"The session is of version {shown(version)}; this Thriftscope reads "
            f"version {VERSION}: open it with the one that saved it."
        )
    demand(set(given) == _KEYS and isinstance(given["page"], str), _BROKEN)
    return given


def _refuse_constant(constant: str) -> Never:
    raise ValueError(f"{constant} is no JSON")


def _dataset(data: Any, table: Any) -> Dataset:
    demand(isinstance(data, dict), _BROKEN)
    if "table" in data and not set(data) - {"table", "extractor"}:
        dataset = unpacked_table(table)
        demand(
            table_key(dataset) == data["table"],
            "The session speaks of another table than the one that it holds; save it "
            "again.",
        )
        # What the session could not keep is said where the table speaks of itself.
        unkept = (table["unkept"],) if "unkept" in table else ()
        return replace(dataset, notes=(*dataset.notes, *unkept))
    demand(table is None, _BROKEN)
    return made_by(_recipe(data))


def _recipe(given: Any) -> DataRecipe:
    demand(isinstance(given, dict) and set(given) == {"name", "options"}, _BROKEN)
    name, options = given["name"], given["options"]
    demand(isinstance(name, str) and isinstance(options, dict), _BROKEN)
    recipe = DataRecipe(name, options)
    recipe.check()
    return recipe


def made_by(recipe: DataRecipe) -> Dataset:
    """Return the data set that a recipe describes."""
    if not recipe.options:
        return bundled(recipe.name)
    return made(all_datasets()[recipe.name](**recipe.options), recipe)


def _with_extractor(dataset: Dataset, extractor: DataRecipe) -> Dataset:
    """Return a data set whose rows can be extracted again, or say why they cannot."""
    found: dict[str, Any] = {}
    try:
        maker = made_by(extractor)
        missing = set(dataset.feature_names) - set(maker.feature_names)
        if missing:
            raise InterchangeError(f"it has no feature {shown(min(missing))} any more.")
        found = {"pipeline": maker.pipeline, "samples": maker.samples}
    except ThriftscopeError as error:
        note = f"What extracts these columns is not at hand: {error}"
        found = {"notes": tuple(dict.fromkeys((*dataset.notes, note)))}
    return made(replace(dataset, **found), extractor, as_priced=False)


def _choices(given: Any, declared: Declared, dataset: Dataset) -> Choices:
    demand(isinstance(given, dict), _BROKEN)
    demand(all(isinstance(values, dict) for values in given.values()), _BROKEN)
    for page in given:
        if page not in declared:
            raise InterchangeError(
                f"The session speaks of a page {shown(page)}; there are "
                f"{', '.join(declared)}."
            )
    choices = {
        page: {name: _checked(declared, page, name, values[name]) for name in values}
        for page, values in given.items()
    }
    frontier = choices.get("frontier", {})
    if "budget" in frontier:
        full_cost = dataset.hypergraph.total_cost
        frontier["budget"] = min(frontier["budget"], full_cost)
    return choices


def _checked(declared: Declared, page: str, name: str, value: Any) -> Any:
    state, names = declared[page]
    if name not in names:
        raise InterchangeError(
            f"The session chooses {shown(name)} on the page {page}; it may choose "
            f"{', '.join(names) or 'nothing'}."
        )
    if name == "pins":
        return _pins(value)
    if name == "files":
        return read_files(value)
    _refuse_odd_value(page, name, value)
    if state is not None:
        _refuse_by_bounds(state, page, name, value)
    return value


def _pins(given: Any) -> list[Pin]:
    demand(
        isinstance(given, list) and len(given) <= MAX_PINS,
        f"The session's pins are no list of up to {MAX_PINS}; save it again.",
    )
    return [read_pin(pin) for pin in given]


def _refuse_odd_value(page: str, name: str, value: Any) -> None:
    """Refuse what no choice is, whatever its bounds."""
    if isinstance(value, dict):
        is_fit = len(value) <= MAX_ITEMS and all(map(_is_scalar, value.values()))
        is_fit = is_fit and all(map(_is_name, value))
    else:
        is_fit = is_list(value, _is_name, MAX_ITEMS) or _is_scalar(value)
    if not is_fit:
        raise InterchangeError(
            f"The session chooses {shown(value)} for {name} on the page {page}; a "
            "choice is a number, a short text, yes or no, a list of names, or numbers "
            "by name."
        )


def _is_scalar(value: Any) -> bool:
    is_switch = value is None or isinstance(value, bool)
    return is_switch or _is_name(value) or is_number(value, MAX_NUMBER)


def _is_name(value: Any) -> bool:
    return is_text(value, MAX_NAME)


def _refuse_by_bounds(
    state: type[param.Parameterized], page: str, name: str, value: Any
) -> None:
    parameter = example(state).param[name]
    is_switch = isinstance(parameter, param.Boolean | param.Selector | param.List)
    try:
        if isinstance(value, bool) and not is_switch:
            raise ValueError("it is yes or no")
        holder = type("Holder", (param.Parameterized,), {name: copy.copy(parameter)})()
        setattr(holder, name, value)
    except (ThriftscopeError, ValueError, TypeError) as error:
        raise InterchangeError(
            f"The session chooses {shown(value)} for {name} on the page {page}, which "
            "it cannot be; save it again."
        ) from error


@cache
def example(state: type[param.Parameterized]) -> param.Parameterized:
    """Return a state of which only declarations and defaults are looked at."""
    return state()
