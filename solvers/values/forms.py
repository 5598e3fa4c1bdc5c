"""What a column writes, told by its words; forms as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args

from numpy.typing import ArrayLike

from ..errors import DataError, listed, shown
from .base import ALONE, Beside, ShapedWords, ValueForm
from .dates import (
    DateForm,
    DurationForm,
    TimeForm,
    date_form,
    date_orders,
    offered_dates,
    time_form,
)
from .numbers import NumberForm, decimal_marks, first_code, number_form
from .reading import folded
from .words import YesNoForm, unit_in, yes_no_form

FormKind: TypeAlias = Literal["number", "date", "time", "duration", "yes/no", "words"]

_FORMS: Mapping[str, type[ValueForm]] = {
    form.kind: form
    for form in (NumberForm, DateForm, TimeForm, DurationForm, YesNoForm)
}
_MOST_SHAPES = 2000  # of the words of a column; text has more of them than values
# What a person may say of a column, and of which kind it then is.
_KIND_OF = {
    "decimal": "number",
    "percent": "number",
    "order": "date",
    "clock": "duration",
}


@dataclass(frozen=True)
class ColumnGuess:
    """What a column writes, most likely.

    Parameters
    ----------
    form : ValueForm or None
        How its words are read as numbers; None where they are words.
    notes : tuple of str
        What a person may want to know of it, one sentence each.
    offered : ValueForm or None
        Another form, for a person to choose.
    """

    form: ValueForm | None
    notes: tuple[str, ...] = ()
    offered: ValueForm | None = None


def form_from(data: Mapping[str, Any]) -> ValueForm:
    """Return the form that plain data hold.

    Parameters
    ----------
    data : mapping
        As ``data`` of a form has them, and JSON.

    Returns
    -------
    ValueForm

    Raises
    ------
    DataError
        If they hold none.

    Examples
    --------
    >>> form = NumberForm(",", ".", currency="€")
    >>> form_from(form.data) == form
    True
    """
    options = dict(data)
    kind = options.pop("kind", None)
    if not isinstance(kind, str) or kind not in _FORMS:
        raise DataError(
            f"The form of a column has the kind {shown(kind)}; use one of "
            f"{', '.join(_FORMS)}."
        )
    known = {field.name: field.default for field in fields(_FORMS[kind])}
    for name, value in options.items():
        if name not in known or type(value) is not type(known[name]):
            raise DataError(
                f"The form of a {kind} has {name}={shown(value)}; it is described by "
                f"{', '.join(known) or 'nothing more'}."
            )
    return _FORMS[kind](**options)


def beside_columns(columns: Iterable[Sequence[str]]) -> Beside:
    """Return what the columns of a file tell of what its marks mean.

    Parameters
    ----------
    columns : iterable of sequence of str
        The distinct words of each, trimmed, without gaps.

    Returns
    -------
    Beside

    Examples
    --------
    >>> beside_columns([["a", "b"], ["1,5", "2"]]).decimal
    ','
    """
    decimals: set[str] = set()
    orders: set[str] = set()
    for words in map(ShapedWords.of, columns):
        if len(words.shapes) > _MOST_SHAPES:
            continue
        decimals |= decimal_marks(words)
        orders |= date_orders(words)
    return Beside(frozenset(decimals), frozenset(orders))


def guessed_form(
    words: Sequence[str],
    counts: ArrayLike | None = None,
    *,
    name: str = "",
    beside: Beside = ALONE,
    options: Mapping[str, Any] | None = None,
) -> ColumnGuess:
    """Return what a column writes, most likely, or as a person says.

    Parameters
    ----------
    words : sequence of str
        Its distinct words, trimmed, without gaps.
    counts : array_like, shape (n_words,), optional
        In how many rows each stands; in one by default.
    name : str, default=""
        Name of the column, with its unit in brackets.
    beside : Beside, optional
        What the other columns of its file tell.
    options : mapping, optional
        What a person says: its ``kind`` ("number", "date", "time", "duration",
        "yes/no" or "words"), and ``decimal``, ``percent``, ``order`` or ``clock`` as of
        the forms.

    Returns
    -------
    ColumnGuess

    Raises
    ------
    AmbiguousCellError
        If a cell may be read in two ways, and nothing tells which is meant.
    DataError
        If what a person says makes no sense, or no word of the column is of its kind.

    Examples
    --------
    >>> guess = guessed_form(["1,234.50", "900.00"], name="pay")
    >>> guess.form.read("1,234.50"), guess.notes
    (1234.5, ("Column 'pay' holds numbers: '1,234.50' is 1234.5.",))
    >>> guessed_form(["01", "1", "10"], name="site").form is None
    True
    """
    options = _checked(options or {}, name)
    kind = options.pop("kind")
    if kind == "words" or not len(words):
        return ColumnGuess(None)
    if kind is not None:
        form = _of_kind(kind, words, counts, name, beside, {**options, "least": 0.0})
        if form is None:
            raise DataError(
                f"Column {shown(name)} holds {shown(words[0])} and no {kind}; choose "
                "another kind."
            )
        return ColumnGuess(form, form_notes(form, words, name))
    words = ShapedWords.of(words)
    if len(words.shapes) > _MOST_SHAPES:
        return ColumnGuess(None)
    for kind in ("yes/no", "date", "time"):
        form = _of_kind(kind, words, counts, name, beside, {})
        if form is not None:
            return ColumnGuess(form, form_notes(form, words, name))
    code = first_code(words)
    if code is not None:
        sentence = (
            f"Column {shown(name)} holds {shown(code)}, which is no number as it is "
            "written: its words are kept."
        )
        return ColumnGuess(None, (sentence,), offered_dates(words))
    form = _of_kind("number", words, counts, name, beside, {})
    offered = offered_dates(words)
    notes = form_notes(form, words, name) if form else ()
    if offered is not None:
        notes += (
            f"Column {shown(name)} holds {shown(words[0])}, which may be a date; if it "
            "is, say that its kind is date.",
        )
    return ColumnGuess(form, notes, offered)


def _checked(options: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return what a person says of a column, with the kind that follows from it."""
    odd = [key for key in options if key != "kind" and key not in _KIND_OF]
    kinds = {_KIND_OF[key] for key in options if key in _KIND_OF}
    kind = options.get("kind", min(kinds, default=None))
    if odd or kind not in (None, *get_args(FormKind)) or kinds - {kind}:
        raise DataError(
            f"Column {shown(name)} is told to be {shown(dict(options))}; say its kind, "
            f"one of {listed(get_args(FormKind), most=6)}, and what goes with it: "
            "decimal or percent of numbers, order of dates, clock of durations."
        )
    return {**options, "kind": kind}


def _of_kind(
    kind: str,
    words: Sequence[str],
    counts: ArrayLike | None,
    name: str,
    beside: Beside,
    options: Mapping[str, Any],
) -> ValueForm | None:
    """Return how a column writes what it is said to write, None where it does not."""
    if kind == "yes/no":
        return yes_no_form(words)
    if kind == "number":
        form = number_form(words, counts, name=name, beside=beside, **options)
        return form and replace(form, unit=unit_in(name)[1])
    if kind == "date":
        return date_form(words, counts, name=name, beside=beside, **options)
    found = time_form(words, counts, is_duration=kind == "duration", **options)
    if kind == "time" and isinstance(found, DurationForm):
        return TimeForm() if options else found
    return found


_NOTHING, _WHOLE = re.compile("(?!)"), re.compile("-?[0-9]+")
_PLAIN = {
    "number": re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?"),
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ t][0-9:.]*)?"),
    "yes/no": re.compile(".*"),
}
_SAYS = {
    "number": "numbers",
    "date": "dates",
    "time": "times of day, as minutes since midnight",
    "duration": "durations, as days",
}


def form_notes(form: ValueForm, words: Sequence[str], name: str) -> tuple[str, ...]:
    """Return how a column is read, by a word that is not written as files write it.

    Parameters
    ----------
    form : ValueForm
        How it is read.
    words : sequence of str
        Its distinct words, without gaps.
    name : str
        Its name.

    Returns
    -------
    tuple of str
        One sentence each; none where all is plain.
    """
    plain = _PLAIN.get(form.kind, _NOTHING)
    if isinstance(form, NumberForm) and form.decimal == ",":
        plain = _WHOLE
    if isinstance(form, NumberForm) and form.percent == "always":
        plain = _NOTHING
    odd = (word for word in words if not plain.fullmatch(folded(word)))
    read = ((word, value) for word in odd if (value := form.read(word)) is not None)
    example = first = next(read, None)
    while example is not None and not example[1]:  # 0 tells little
        example = next(read, None)
    if first is None:
        return _cut(form, words, name)
    word, value = example or first
    says = f"{value:.{15 if form.kind == 'number' else 6}g}"
    says = DateForm().write(value) if form.kind == "date" else says
    return (
        f"Column {shown(name)} holds {_SAYS[form.kind]}: {shown(word)} is {says}.",
        *_cut(form, words, name),
    )


def _cut(form: ValueForm, words: Sequence[str], name: str) -> tuple[str, ...]:
    """Return what a date tells and its value does not."""
    if form.kind != "date":
        return ()
    fine = next((word for word in words if re.search(r"[.,][0-9]{7}", word)), None)
    if fine is None:
        return ()
    return (
        f"Column {shown(name)} holds moments such as {shown(fine)}: what is finer than "
        "a microsecond is cut off.",
    )
