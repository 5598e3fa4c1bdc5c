"""What a column most likely is, from what it holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError, listed, shown
from ...values import (
    ALONE,
    Beside,
    ColumnGuess,
    DateForm,
    NumberForm,
    TimeForm,
    ValueForm,
    date_form,
    form_from,
    guessed_form,
    number_form,
    offered_dates,
    time_form,
    yes_no_form,
)
from .arrow import Words, kind_of, missing_mask, unpacked, value_type, words_of
from .coding import no_dates, refuse_no_cells
from .schema import WRITTEN, Column, Kind

if TYPE_CHECKING:
    import pyarrow as pa

MAX_VALUES = 30  # of a category: the others share a column
MAX_MEANS = 1000  # of a category that the mean of its label stands for
N_BUCKETS = 16
_READ = ("number", "date", "time")  # of words, by a form
_OF_A_TIME = ("minute", "sine", "cosine")
_LONG = 200  # characters, of which no value of a category has more
_PLAIN = NumberForm()
_ENOUGH = 20  # rows, before distinct values make an identifier
_ID_NAMES = ("id", "uid", "uuid", "guid", "key", "index", "row")


def detected(
    name: str, values: pa.ChunkedArray, guess: ColumnGuess | None = None
) -> Column:
    """Return what a column most likely is; `guess`: what its words are, if known."""
    from pyarrow import types

    what = kind_of(values)
    if what in ("empty", "other"):
        return Column(name, "unusable")
    if what == "number":
        return described(name, _kind_of_numbers(name, values), values)
    if what == "boolean":
        return described(name, "yes/no", values)
    if what == "date":
        is_time = types.is_time(value_type(values))
        return described(name, "time" if is_time else "date", values)
    words = words_of(values)
    form = (guess or guessed_form(*words.counted(), name=name)).form
    found = _kind_of_text(name, words, form)
    if found in _READ:
        return described(name, found, values, {"form": form})
    if found == "category" and not _is_ordered_by_type(values):
        scale = scale_of(_texts(words))
        if scale:
            return described(name, "ordered", values, {"values": scale})
    return described(name, found, values)


def described(
    name: str,
    kind: Kind,
    values: pa.ChunkedArray,
    told: Mapping[str, Any] | None = None,
    beside: Beside = ALONE,
) -> Column:
    """Return a column of a kind, with the values, parts or form that it has.

    `told`: fields that a person gave, and what they say of how its words are read;
    `beside`: what the other columns of the file tell of that.
    """
    refuse_no_cells(name, values)
    has_gaps = bool(missing_mask(values).any())
    given = told or {}
    fields: dict[str, Any] = {"has_gaps": has_gaps, **given}
    written = {key: fields.pop(key) for key in WRITTEN if key in fields}
    if isinstance(fields.get("form"), Mapping):
        fields["form"] = form_from(fields["form"])
    if kind in _READ and fields.get("form") is None:
        fields["form"] = _form_of(name, kind, values, written, beside)
    if kind == "date":
        form = fields["form"]
        if form is None and kind_of(values) not in ("date", "empty"):
            raise no_dates(name, values)
        fields["parts"] = tuple(fields.get("parts") or ()) or _parts(values, form)
    if kind == "time":
        fields["parts"] = tuple(fields.get("parts") or ()) or _OF_A_TIME
    if kind == "category" and _is_ordered_by_type(values):
        kind = "ordered"
    if kind == "hashed":
        fields["values"] = tuple(map(str, range(N_BUCKETS)))
    elif kind in ("yes/no", "category", "ordered", "code"):
        encoded = fields.get("encoding") == "mean of the label"
        fields["values"] = tuple(fields.get("values") or ()) or _listed_values(
            name, kind, values, MAX_MEANS if encoded else MAX_VALUES
        )
    fields["kind"] = kind
    return Column(**{"name": name, **fields})


def _form_of(
    name: str,
    kind: Kind,
    values: pa.ChunkedArray,
    written: Mapping[str, Any],
    beside: Beside,
) -> ValueForm | None:
    """Return how words that a person says are numbers or dates are read.

    None where none is one, or none are words.
    """
    is_whole = kind == "date" and kind_of(values) == "number"
    if kind_of(values) != "text" and not is_whole:
        return None
    words, counts = words_of(values).counted()
    known: dict[str, Any] = {"name": name, "beside": beside}
    if kind == "date":
        order = written.get("order")
        return offered_dates(words) or date_form(words, counts, **known, order=order)
    if kind == "time":
        return TimeForm()
    clock = written.get("clock")
    says = {key: written[key] for key in ("decimal", "percent") if key in written}
    if clock is None:
        number = number_form(words, counts, **known, **says, least=0.0)
        if number is not None:
            return number
    return time_form(words, counts, clock=clock, is_duration=True, least=0.0)


def _kind_of_numbers(name: str, values: pa.ChunkedArray) -> Kind:
    """Return "identifier" for numbers that only name the rows."""
    from pyarrow import types

    if types.is_integer(values.type) and not values.null_count:
        n_distinct = len(np.unique(values.to_numpy()))
        if n_distinct == len(values) >= _ENOUGH:
            return "identifier" if _is_called(name, _ID_NAMES) else "number"
    return integer_kind(name, values)[0]


def _is_called(name: str, words: Iterable[str]) -> bool:
    """Return whether one of some words stands in a column's name."""
    said = {word.lower() for word in words_in(name)}
    # So pandas calls the index of a frame that was written beside its columns.
    return bool(said & set(words)) or name.startswith("Unnamed: ")


def _texts(words: Words) -> list[str]:
    return [word for word in words.words if word is not None]


def _kind_of_text(name: str, words: Words, form: ValueForm | None) -> Kind:
    there = _texts(words)
    n_rows = int((words.places >= 0).sum())
    if len(there) == 2 and yes_no_form(there):
        return "yes/no"
    if isinstance(form, DateForm | TimeForm):
        return "date" if isinstance(form, DateForm) else "time"
    is_distinct = len(there) == n_rows and n_rows >= _ENOUGH
    if form is not None:
        is_read = ~np.isnan(form.read_all(there))
        numbers = [there[k] for k in np.flatnonzero(is_read)]
        # Whole numbers that are kept as text name the rows; those beside slips do not.
        is_whole = all(word.isdecimal() for word in numbers)
        is_name = len(numbers) == len(there) or _is_called(name, _ID_NAMES)
        return "identifier" if is_distinct and is_whole and is_name else "number"
    if is_distinct:
        return "text" if any(" " in word for word in there) else "identifier"
    if max(map(len, there), default=0) > _LONG:
        return "text"
    return "category" if len(there) <= max(MAX_VALUES, n_rows / 10) else "text"


def _listed_values(
    name: str, kind: Kind, values: pa.ChunkedArray, most: int
) -> tuple[str, ...]:
    """Return the values of a column, of many the most frequent, in order."""
    words, places = words_of(values)
    counts: dict[str, int] = {}
    for word, n in zip(
        words, np.bincount(places[places >= 0], minlength=len(words)), strict=True
    ):
        if word is not None:
            counts[word] = counts.get(word, 0) + int(n)
    if kind == "yes/no" and len(counts) > 2:
        raise DataError(
            f"Column {shown(name)} holds {len(counts)} values, {listed(list(counts))}; "
            "a column of the kind yes/no has two."
        )
    if kind == "ordered":
        if len(counts) > MAX_MEANS:
            raise DataError(
                f"Column {shown(name)} holds {len(counts):,} distinct values; list the "
                "values of an ordered column in their order, or choose another kind."
            )
        if _is_ordered_by_type(values):
            return tuple(counts)
        return tuple(sorted(counts, key=_natural))
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:most]
    return tuple(sorted(frequent, key=_natural))


def _is_ordered_by_type(values: pa.ChunkedArray) -> bool:
    from pyarrow import types

    return bool(types.is_dictionary(values.type) and values.type.ordered)


def _natural(word: str) -> tuple[float, str]:
    """Return a key that puts numbers before words, each in their order."""
    number = _PLAIN.read(word)
    return np.inf if number is None else number, word


def _parts(values: pa.ChunkedArray, form: ValueForm | None) -> tuple[str, ...]:
    from pyarrow import types

    kind = value_type(values)
    if types.is_time(kind):
        return ("hour",)
    if types.is_date(kind) or not _tells_hours(values, form):
        return ("age", "month", "weekday")
    return ("age", "month", "weekday", "hour")


def _tells_hours(values: pa.ChunkedArray, form: ValueForm | None) -> bool:
    """Return whether any time of day is told: days alone are often kept as moments."""
    from pyarrow import compute

    if form is not None:
        days = form.read_all(words_of(values).words)
        return bool((days[~np.isnan(days)] % 1).any())
    if kind_of(values) != "date":
        return False  # of a column without a value
    moments = unpacked(values)
    days = compute.floor_temporal(moments, unit="day")
    return bool(compute.any(compute.not_equal(days, moments)).as_py())


_ENOUGH_ROWS = 20  # rows, and rows a value on average: fewer do not tell a code
_FEWEST, _MOST = 3, 30  # values of a code
_LOOKED_AT = 1000  # rows, before all rows of a column of fractions are
# Nouns that a number names one of; the last word of a column's name is its noun.
_NOUNS = frozenset(
    "code id zip zipcode postcode type kind category cluster region country state "
    "district department".split()
)


def integer_kind(name: str, values: pa.ChunkedArray) -> tuple[Kind, str]:
    """Return what a column of numbers is taken for; of a code also why.

    A column of 0 and 1 is yes/no. A code is told by its name, or by few values with
    uneven gaps between them: those of counts and doses (1, 2, 3, 5, 10) only grow.
    """
    numbers = _whole(values)
    if numbers is None or not len(numbers):
        return "number", ""
    found = np.unique(numbers)
    if found.tolist() == [0, 1]:
        return "yes/no", ""
    n_rows, n_values = len(numbers), len(found)
    most = max(_MOST, n_rows / 10) if _names_one(name) else _MOST
    if found[0] < 0 or n_rows < _ENOUGH_ROWS or not _FEWEST <= n_values <= most:
        return "number", ""
    if _names_one(name) and n_values <= n_rows / 2:
        return "code", f"Whole numbers that its name says are codes: {_few(found)}."
    if n_rows >= _ENOUGH_ROWS * n_values and _is_uneven(found):
        return (
            "code",
            f"Few whole numbers with uneven gaps between them: {_few(found)}.",
        )
    return "number", ""


def words_in(name: str) -> list[str]:
    """Return the words of a column's name, as people join them: zip_code, storeId."""
    return re.findall(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*", name)


def _whole(values: pa.ChunkedArray) -> NDArray | None:
    """Return the numbers that are there, None where some are fractions."""
    from pyarrow import compute, types

    if types.is_integer(values.type):
        return np.asarray(values.drop_null().to_numpy())
    if not types.is_floating(values.type):
        return None
    for rows in (values.slice(0, _LOOKED_AT), values):
        there = np.asarray(compute.drop_null(rows).to_numpy())
        there = there[~np.isnan(there)]
        # An infinite number is no whole one: the remainder of it is none.
        if not np.array_equal(np.trunc(there), there) or np.isinf(there).any():
            return None
    return there


def _names_one(name: str) -> bool:
    """Return whether the last word of a column's name is one for codes."""
    words = words_in(name)
    return bool(words) and words[-1].lower() in _NOUNS and not name[-1].isdigit()


def _is_uneven(found: NDArray) -> bool:
    """Whether half of what could stand between values does not, in no even way."""
    gaps = np.diff(found)
    changes = np.diff(gaps)
    is_monotone = (changes >= 0).all() or (changes <= 0).all()
    span = (found[-1] - found[0]) / np.gcd.reduce(gaps.astype(np.int64))
    return bool(not is_monotone and span >= 2 * len(found))


def _few(found: NDArray) -> str:
    shown = ", ".join(f"{value:.0f}" for value in found[:5])
    return f"{shown} and others" if len(found) > 5 else shown


_SCALES = (
    ("none", "mild", "moderate", "severe"),
    ("none", "very low", "low", "medium", "high", "very high"),
    ("very low", "low", "moderate", "high", "very high"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("small", "medium", "large"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("i", "ii", "iii", "iv", "v"),
    ("first", "second", "third", "fourth", "fifth"),
)
_FEWEST_STEPS = 3  # of two values the order does not matter


def scale_of(words: Collection[str]) -> tuple[str, ...] | None:
    """Return words in their order where they are steps of one scale, else None."""
    spelt = {word.strip().lower(): word for word in words}
    if len(spelt) < _FEWEST_STEPS or len(spelt) < len(words):
        return None
    for scale in _SCALES:
        if spelt.keys() <= set(scale):
            return tuple(spelt[step] for step in scale if step in spelt)
    return None
