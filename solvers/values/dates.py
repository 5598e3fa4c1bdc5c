"""Dates, times of day and durations as people write them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, shown
from .base import ALONE, MOSTLY, AmbiguousCellError, Beside, Layout, ValueForm
from .reading import moment_of, time_of

Order: TypeAlias = Literal["", "dmy", "mdy", "ymd"]

# In English, German, French, Spanish, Italian, Portuguese, Dutch and the Nordic
# languages, whole and as they are cut off; no word is another month elsewhere.
_MONTHS = """\
january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari
february feb februar février fevrier févr fév febrero febbraio fevereiro fev februari
march mar märz mär mrz mars marzo março marco maart mrt
april apr avril avr abril abr aprile
may mai mayo maggio mag maio mei maj
june jun juni juin junio giugno giu junho
july jul juli juillet juil julio luglio lug julho
august aug août aoû aout agosto ago augustus augusti
september sep sept septembre septiembre settembre set setembro
october oct oktober okt octobre octubre ottobre ott outubro out
november nov novembre noviembre novembro
december dec dezember dez décembre decembre déc diciembre dic dicembre \
dezembro desember des
"""
_MONTH_OF = {
    word: number
    for number, words in enumerate(_MONTHS.splitlines(), 1)
    for word in words.split()
}

_CLOCK = (
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]+))?)?"
    r"(?: *(?P<half>[ap])\.?m\.?)?"
)
_ZONE = (
    r"(?: *(?:z|utc|gmt|(?P<east>[+-])(?P<zone_hour>[0-9]{2})"
    r"(?::?(?P<zone_minute>[0-9]{2}))?))?"
)
_TIMED = rf"(?:(?:t|:|,? +){_CLOCK}{_ZONE})?"
_SHORT_CLOCK = r"(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})(?:(?P<second>[0-9]{2}))?"
_YEAR, _MONTH, _DAY = (
    r"(?P<year>[0-9]{4})",
    r"(?P<month>[0-9]{1,2})",
    r"(?P<day>[0-9]{1,2})",
)
_ANY_YEAR = rf"(?:{_YEAR}|(?P<short>[0-9]{{2}}))"
# Letters, of ASCII or not
_NAME = r"(?P<name>[^ -`{-~]+)\.?"
_WEEKDAY = (
    r"(?:(?:mon|tues|tue|wednes|wed|thurs|thu|fri|satur|sat|sun)(?:day)?\.?,? +)?"
)
_NTH = r"(?:\.|st|nd|rd|th)?"
_COMPACT = r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})"
_ORDERED: dict[str, tuple[str, ...]] = {
    "": (),
    "dmy": tuple(f"{_DAY}{mark}{_MONTH}{mark}{_ANY_YEAR}" for mark in "/-"),
    "mdy": tuple(f"{_MONTH}{mark}{_DAY}{mark}{_ANY_YEAR}" for mark in "/-"),
    "ymd": (f"(?P<short>[0-9]{{2}})-{_MONTH}-{_DAY}",),
}


@dataclass(frozen=True)
class DateForm(ValueForm):
    """How a column writes days, with a time or without; they count from 1970.

    Always read are ``2024-12-31``, with points or slashes too, ``31.12.2024`` and names
    of months; times as ``T13:45``, ``1:45 pm``, with a zone (``Z``, ``+01:00``) or
    without; what is finer than a microsecond is cut off. Years of two digits are those
    from 1969 to 2068.

    Parameters
    ----------
    order : {"", "dmy", "mdy", "ymd"}, default=""
        In which order ``1/2/2024`` and ``1-2-2024`` stand, or, of the last,
        ``24-12-31``; such are not read where it is empty.
    compact : bool, default=False
        Whether ``20241231`` is a day.
    monthly : bool, default=False
        Whether ``2024-12`` is the first day of a month.

    Raises
    ------
    DataError
        If the order is none of these.

    Examples
    --------
    >>> DateForm("dmy").read("2/1/1970"), DateForm().read("1/2/1970")
    (1.0, None)
    >>> DateForm().read("2 Jan 1970 6:00 pm")
    1.75
    """

    kind: ClassVar[str] = "date"

    order: Order = ""
    compact: bool = False
    monthly: bool = False

    def __post_init__(self) -> None:
        if self.order not in get_args(Order):
            raise DataError(
                f"The form of a date has the order {shown(self.order)}; use 'dmy', "
                "'mdy' or 'ymd'."
            )

    def _printed(self) -> dict[str, Any]:
        return {"patterns": list(self._patterns()), "months": _MONTH_OF}

    def _patterns(self) -> Iterator[str]:
        """Yield the ways in which a day is written."""
        days = [f"{_YEAR}{mark}{_MONTH}{mark}{_DAY}" for mark in ("-", "/", r"\.")]
        days.append(rf"{_DAY}\. ?{_MONTH}\. ?{_ANY_YEAR}")
        days += _ORDERED[self.order]
        days += [
            rf"{_WEEKDAY}{_DAY}{_NTH}[ -]?(?:of |de )?{_NAME}[ -]?(?:de )?,? ?"
            + _ANY_YEAR,
            rf"{_WEEKDAY}{_NAME}[ -]?{_DAY}{_NTH},? {_YEAR}",
            rf"{_YEAR}[ -]{_NAME}[ -]{_DAY}",
        ]
        yield from (day + _TIMED for day in days)
        yield rf"{_NAME}[ -]{_YEAR}"
        yield f"{_COMPACT}t{_SHORT_CLOCK}{_ZONE}"
        if self.compact:
            yield _COMPACT
        if self.monthly:
            yield f"{_YEAR}-{_MONTH}"

    def _values(self, layout: Layout) -> Any:
        micros, is_one = moment_of(layout.parts, layout.whole, _MONTH_OF)
        return np.where(is_one, np.asarray(micros, dtype=float) / 86_400e6, np.nan)

    def write(self, value: float) -> str:
        """Return a day, with its time where it has one, to the microsecond.

        Parameters
        ----------
        value : float
            Days since 1970.

        Returns
        -------
        str
        """
        micros = round(value * 86_400e6)
        moment = datetime(1970, 1, 1) + timedelta(microseconds=micros)
        year = f"{moment.year:04}"
        days = {
            "dmy": f"{moment:%d/%m/}{year}",
            "mdy": f"{moment:%m/%d/}{year}",
        }
        day = days.get(self.order, f"{year}{moment:-%m-%d}")
        if micros % 86_400_000_000 == 0:
            return f"{year}{moment:%m%d}" if self.compact else day
        return f"{day} {moment.time().isoformat()}"


@dataclass(frozen=True)
class TimeForm(ValueForm):
    """How a column writes times of day: they are minutes since midnight.

    Attributes
    ----------
    cycle : float
        After how many they begin again.

    Examples
    --------
    >>> form = TimeForm()
    >>> form.read("13:45"), form.read("1:45:30 PM"), form.read("25:00")
    (825.0, 825.5, None)
    """

    kind: ClassVar[str] = "time"
    cycle: ClassVar[float] = 1440.0

    def _printed(self) -> dict[str, Any]:
        return {"patterns": [_CLOCK]}

    def _values(self, layout: Layout) -> Any:
        micros, is_one = time_of(layout.parts, layout.whole)
        return np.where(is_one, micros % 86_400_000_000 / 60e6, np.nan)

    def write(self, value: float) -> str:
        """Return a time of day, to the microsecond.

        Parameters
        ----------
        value : float
            Minutes since midnight.

        Returns
        -------
        str
        """
        return (datetime.min + timedelta(minutes=value)).time().isoformat()


_AMOUNT = r"[0-9]+(?:\.[0-9]+|,[0-9]{1,2})?"
_AND = r"\.?,? *(?:and )?"
_WEEKS = rf"(?:(?P<weeks>{_AMOUNT}) *(?:weeks?|wks?|w){_AND})?"
_DAYS = rf"(?:(?P<days>{_AMOUNT}) *(?:days?|d){_AND})?"
_HOURS = rf"(?P<hours>{_AMOUNT}) *(?:hours?|hrs?|h){_AND}"
_MINUTES = rf"(?P<minutes>{_AMOUNT}) *(?:minutes?|mins?){_AND}"
_M = rf"(?P<minutes>{_AMOUNT}) *m{_AND}"  # months, too, or metres, where it is alone
_SECONDS = rf"(?P<seconds>{_AMOUNT}) *(?:seconds?|secs?|s){_AND}"
_MILLIS = rf"(?:(?P<millis>{_AMOUNT}) *(?:milliseconds?|msecs?|ms){_AND})?"
_MICROS = rf"(?:(?P<micros>{_AMOUNT}) *(?:microseconds?|us|µs|μs)\.?)?"
_FINE = r"(?:[.,](?P<fraction>[0-9]+))?"
_LONG_CLOCK = (
    r"(?P<hour>[0-9]{1,6}):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9])" + _FINE
)


@dataclass(frozen=True)
class DurationForm(ValueForm):
    """How a column writes durations: they count in days.

    Read are ``26:30:00``, ``1 day 2 h``, ``1 days 02:03:04`` and ``P1DT2H``, in English
    and without months and years, whose length differs.

    Parameters
    ----------
    clock : {"h:m", "m:s"}, default="h:m"
        What ``26:30`` is.

    Raises
    ------
    DataError
        If it is neither.

    Examples
    --------
    >>> form = DurationForm()
    >>> form.read("36:00"), form.read("1 day 12 h"), form.read("P1DT12H")
    (1.5, 1.5, 1.5)
    """

    kind: ClassVar[str] = "duration"

    clock: Literal["h:m", "m:s"] = "h:m"

    def __post_init__(self) -> None:
        if self.clock not in ("h:m", "m:s"):
            raise DataError(
                f"The form of a duration has the clock {shown(self.clock)}; use 'h:m' "
                "or 'm:s'."
            )

    def _printed(self) -> dict[str, Any]:
        return {"patterns": list(self._patterns())}

    def _patterns(self) -> Iterator[str]:
        sign = r"(?P<sign>[+-])?"
        two = r"(?P<hour>[0-9]{1,6}):(?P<minute>[0-5][0-9])"
        if self.clock == "m:s":
            two = rf"(?P<minute>[0-9]{{1,6}}):(?P<second>[0-5][0-9]){_FINE}"
        yield f"{sign}{_LONG_CLOCK}"
        yield f"{sign}{two}"
        yield rf"(?P<back>[+-])?(?P<days>[0-9]+) *(?:days?|d),? *\+?{_LONG_CLOCK}"
        yield (
            f"{sign}{_WEEKS}{_DAYS}(?:{_HOURS})?(?:{_MINUTES})?(?:{_SECONDS})?"
            f"{_MILLIS}{_MICROS}"
        )
        yield f"{sign}{_DAYS}{_HOURS}{_M}(?:{_SECONDS})?"
        yield f"{sign}{_M}{_SECONDS}"
        in_iso = [
            f"(?:(?P<{name}>{_AMOUNT}){name[0]})?"
            for name in ("weeks", "days", "hours", "minutes", "seconds")
        ]
        yield f"{sign}p{''.join(in_iso[:2])}(?:t{''.join(in_iso[2:])})?"

    def write(self, value: float) -> str:
        """Return a duration in hours, minutes and seconds, to the microsecond.

        Parameters
        ----------
        value : float
            Days.

        Returns
        -------
        str
        """
        minutes, micros = divmod(round(abs(value) * 86_400e6), 60_000_000)
        seconds = f"{micros / 1e6:09.6f}".rstrip("0").rstrip(".")
        return f"{'-' * (value < 0)}{minutes // 60}:{minutes % 60:02}:{seconds}"


# ------------------------------------------------------------------ what a column tells


def _rows(words: Sequence[str], counts: ArrayLike | None) -> NDArray[np.float64]:
    return np.ones(len(words)) if counts is None else np.asarray(counts, dtype=float)


def _is_read(form: ValueForm, words: Sequence[str]) -> NDArray[np.bool_]:
    return ~np.isnan(form.read_all(words))


def date_orders(words: Sequence[str]) -> frozenset[str]:
    """Return in which orders a column writes dates beyond doubt: "dmy", "mdy".

    `words`: its distinct words, without gaps.

    >>> sorted(date_orders(["1/2/2024", "31/12/2024"])), sorted(date_orders(["1/2/24"]))
    (['dmy'], [])
    """
    values = _values_by_order(words)
    if not values:
        return frozenset()
    is_read = {order: ~np.isnan(found) for order, found in values.items()}
    return frozenset(order for order in ("dmy", "mdy") if _alone(order, is_read).any())


def _values_by_order(words: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return what words say in each order; nothing where none depends on it."""
    rest: list[int] = np.flatnonzero(~_is_read(DateForm(), words)).tolist()
    found: dict[str, NDArray[np.float64]] = {}
    for order in get_args(Order)[1:]:
        found[order] = np.full(len(words), np.nan)
        found[order][rest] = DateForm(order).read_all([words[k] for k in rest])
    return found if any(not np.isnan(v).all() for v in found.values()) else {}


def _alone(order: str, is_read: dict[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Return which words are read in one order only, shape (n_words,)."""
    others = [read for other, read in is_read.items() if other != order]
    return is_read[order] & ~np.logical_or.reduce(others)


def date_form(
    words: Sequence[str],
    counts: ArrayLike | None = None,
    *,
    name: str = "",
    beside: Beside = ALONE,
    order: Order | None = None,
    least: float = MOSTLY,
) -> DateForm | None:
    """Return how a column writes dates; None where it writes none.

    Parameters
    ----------
    words : sequence of str
        Its distinct words, trimmed, without gaps.
    counts : array_like, shape (n_words,), optional
        In how many rows each stands; in one by default.
    name : str, default=""
        Name of the column, for a refusal.
    beside : Beside, optional
        What the other columns of its file tell.
    order : {"dmy", "mdy", "ymd"}, optional
        In which order days and months stand, where it is told.
    least : float, default=0.9
        The share of the rows that hold dates; of fewer there is no form.

    Returns
    -------
    DateForm or None
        Of a column of which most rows hold a date.

    Raises
    ------
    AmbiguousCellError
        If day and month of a cell may be exchanged, and nothing tells which is which.

    Examples
    --------
    >>> date_form(["1/2/2024", "12/31/2024"])
    DateForm(order='mdy', compact=False, monthly=False)
    >>> date_form(["1/2/2024"], order="dmy").read("2/1/1970")
    1.0
    """
    rows, values = _rows(words, counts), _values_by_order(words)
    is_plain = _is_read(DateForm(), words)
    is_read = {o: ~np.isnan(found) for o, found in values.items()}
    enough = max(least * rows.sum(), 1e-9)
    if rows[np.logical_or.reduce([is_plain, *is_read.values()])].sum() < enough:
        return None
    if order is None:
        order = _order(words, rows, values, name, beside) if values else _known(beside)
    is_left = is_read.get(order, np.zeros_like(is_plain))
    return DateForm(order) if rows[is_plain | is_left].sum() >= enough else None


def _known(beside: Beside) -> Order:
    return "mdy" if beside.order == "mdy" else "dmy" if beside.order == "dmy" else ""


def _order(
    words: Sequence[str],
    rows: NDArray[np.float64],
    values: dict[str, NDArray[np.float64]],
    name: str,
    beside: Beside,
) -> Order:
    """Return the order of a column's dates; refuse what stays in doubt."""
    is_read = {order: ~np.isnan(found) for order, found in values.items()}
    n_rows = {order: rows[read].sum() for order, read in is_read.items()}
    alone = {order: _alone(order, is_read) for order in is_read}
    clear = [order for order in alone if alone[order].any()]
    most: Any = max(clear or is_read, key=lambda order: n_rows[order])
    is_any = np.logical_or.reduce(list(is_read.values()))
    if clear and n_rows[most] >= MOSTLY * rows[is_any].sum():
        return most
    if len(clear) > 1:
        cells = [shown(words[int(alone[order].argmax())]) for order in clear]
        raise AmbiguousCellError(
            f"Column {shown(name)} holds {' and '.join(cells)}, whose days and months "
            "stand in different orders; write them alike, as 2024-12-31.",
            words[int(alone[clear[-1]].argmax())],
            {},
        )
    if n_rows.get(beside.order, 0.0):
        return _known(beside)
    for first, second in itertools.combinations(is_read, 2):
        differs = is_read[first] & is_read[second] & (values[first] != values[second])
        if differs.any():
            k = int(differs.argmax())
            raise _doubtful(name, words[k], {o: values[o][k] for o in (first, second)})
    return most


def _doubtful(name: str, cell: str, values: dict[str, float]) -> AmbiguousCellError:
    readings = {f"order='{order}'": DateForm().write(v) for order, v in values.items()}
    return AmbiguousCellError(
        f"Column {shown(name)} holds {shown(cell)}, which may be "
        f"{' or '.join(readings.values())}; say {' or '.join(readings)} "
        "(--date-order).",
        cell,
        readings,
    )


def offered_dates(words: Sequence[str]) -> DateForm | None:
    """Return how words that a person may mean as dates would be read as such.

    Parameters
    ----------
    words : sequence of str
        Of a column, without gaps.

    Returns
    -------
    DateForm or None
        Of ``20241231`` or ``2024-12`` in all cells, from 1900 to 2100; else None.

    Examples
    --------
    >>> offered_dates(["20240131", "20231224"])
    DateForm(order='', compact=True, monthly=False)
    >>> offered_dates(["20240131", "20249999"])
    """
    for form in (DateForm(compact=True), DateForm(monthly=True)):
        days = form.read_all(words)
        # Of the first of January, 1900, and of the last of December, 2100
        if len(words) and bool(((days >= -25_567) & (days < 47_847)).all()):
            plain = _is_read(DateForm(), words)
            return None if plain.any() else form
    return None


def time_form(
    words: Sequence[str],
    counts: ArrayLike | None = None,
    *,
    clock: Literal["h:m", "m:s"] | None = None,
    is_duration: bool = False,
    least: float = MOSTLY,
) -> TimeForm | DurationForm | None:
    """Return how a column writes times of day, or durations; None where neither.

    Parameters
    ----------
    words : sequence of str
        Its distinct words, trimmed, without gaps.
    counts : array_like, shape (n_words,), optional
        In how many rows each stands; in one by default.
    clock : {"h:m", "m:s"}, optional
        What ``26:30`` is, where it is told: then they are durations.
    is_duration : bool, default=False
        Whether they are told to be durations.
    least : float, default=0.9
        The share of the rows that hold such; of fewer there is no form.

    Returns
    -------
    TimeForm, DurationForm or None
        Times of day, unless a cell lies beyond a day or says it in words.

    Examples
    --------
    >>> time_form(["08:30", "23:59"])
    TimeForm()
    >>> time_form(["08:30", "26:15"])
    DurationForm(clock='h:m')
    """
    rows, duration = _rows(words, counts), DurationForm(clock or "h:m")
    is_time, is_long = _is_read(TimeForm(), words), _is_read(duration, words)
    enough = max(least * rows.sum(), 1e-9)
    is_told = is_duration or clock is not None
    if not is_told and rows[is_time].sum() >= enough and not (is_long & ~is_time).any():
        return TimeForm()
    if rows[is_long].sum() >= enough:
        return duration
    return TimeForm() if not is_told and rows[is_time].sum() >= enough else None
