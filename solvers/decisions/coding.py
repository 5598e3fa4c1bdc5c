"""Values as people have them, as what a policy weighs; copied into what is exported."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from ..values.reading import read_word
from .basket import FeatureValues, without_a_value

# Values as people have them, as what a policy weighs; copied into what is exported.


class CodedValues(FeatureValues):
    """Values that may be words, dates and gaps, as numbers.

    `kinds`: of features that are no numbers, the kind and the words; `gaps`: texts that
    stand for no value where they are none of these words; `forms`: by which words of
    the other features are read; `known`: names of features.
    """

    # Whoever trained with 0 and 1 may be given no and yes, and the other way round.
    twins = ("0", "False", "FALSE", "false"), ("1", "True", "TRUE", "true")

    def __init__(
        self,
        sample: Mapping[str, Any],
        kinds: Mapping[str, tuple[str, Sequence[str]]],
        gaps: Sequence[str],
        forms: Mapping[str, Mapping[str, Any]],
        known: Iterable[str] = (),
    ) -> None:
        super().__init__(sample, known)
        self.kinds, self.gaps, self.forms = kinds, gaps, forms

    def number(self, name: str, given: Any) -> float:
        """Return a word's place, a date's day, a number; NaN where there is none."""
        kind, words = self.kinds.get(name, ("number", ()))
        if _is_nothing(given):
            return math.nan
        if isinstance(given, str) and kind in ("number", "date", "time"):
            read = read_word(given, self.forms[name])
            return math.nan if read is None else read
        if kind == "number":
            return as_number(given)
        if kind == "date":
            return _days(given)
        if kind == "time":
            return _minutes(given)
        word = _word(given)
        if word is None or (word in self.gaps and word not in words):
            return math.nan
        if kind == "hashed":
            return float(zlib.crc32(word.encode()) % len(words))
        if word not in words:
            alike = (twin for pair in self.twins if word in pair for twin in pair)
            word = next((twin for twin in alike if twin in words), word)
        return float(words.index(word) if word in words else len(words))


class ColumnValues(dict[str, float]):
    """What is weighed, by name, made of features when it is asked for.

    `made`: of each column its feature, and what it is made by.
    """

    def __init__(
        self, features: FeatureValues, made: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.features, self.made = features, made
        self.filled: dict[str, None] = {}  # Features that something stood in for

    def __missing__(self, name: str) -> float:
        made = self.made[name]
        code = self.features[made["of"]]
        if math.isnan(code) and "gap" not in made:
            raise without_a_value(made["of"])
        if math.isnan(code):
            self.filled[made["of"]] = None
        value = self[name] = hinged(_encoded(code, made), *made.get("hinge", ("", 0.0)))
        return value


def hinged(value: float, hinge: str, at: float) -> float:
    """Return a column of a value: "fold", "above" or "below" where it hinges."""
    if hinge == "fold":
        return abs(value - at)
    if hinge:
        return max(value - at if hinge == "above" else at - value, 0.0)
    return value


def _encoded(code: float, made: Mapping[str, Any]) -> float:
    if math.isnan(code):
        return made["gap"]
    if "table" in made:
        table = made["table"]
        return table[int(code) if 0.0 <= code < len(table) - 1 else -1]
    if "part" in made:
        return _date_part(code, *made["part"])
    return code


def _is_nothing(given: Any) -> bool:
    """Return whether a value is none: None, or such as equals not even itself."""
    try:
        return given is None or bool(given != given)
    except TypeError:  # pandas' NA leaves open what it equals
        return True


def as_number(given: Any) -> float:
    """Return a number, or days of a duration; NaN of what is infinite."""
    if isinstance(given, timedelta):
        given /= timedelta(days=1)
    number = float(given)
    return number if math.isfinite(number) else math.nan


def _word(given: Any) -> str | None:
    if isinstance(given, float) and given.is_integer() and abs(given) < 2**53:
        given = int(given)
    return str(given).strip() or None


def _days(given: Any) -> float:
    """Return days since 1970, a time of day as its part of a day."""
    if isinstance(given, time):
        given = datetime.combine(date(1970, 1, 1), given)
    elif isinstance(given, date) and not isinstance(given, datetime):
        given = datetime(given.year, given.month, given.day)
    if isinstance(given, datetime):
        if given.tzinfo is not None:
            given = given.astimezone(UTC).replace(tzinfo=None)
        given -= datetime(1970, 1, 1)
    return float(given / timedelta(days=1))


def _minutes(given: Any) -> float:
    """Return minutes since midnight."""
    if isinstance(given, time):
        since = datetime.combine(date(1970, 1, 1), given) - datetime(1970, 1, 1)
        return since / timedelta(microseconds=1) / 60e6
    return float(given)


def _date_part(days: float, part: str, latest: float) -> float:
    """Return the age in days, the month, the weekday (Monday is 0) or the hour.

    Or, of minutes of a day, these, the sine and cosine of their angle in its circle.
    """
    if part == "minute":
        return days
    if part in ("sine", "cosine"):
        angle = days * (2.0 * math.pi / 1440.0)
        return math.sin(angle) if part == "sine" else math.cos(angle)
    if part == "age":
        return latest - days
    if part == "weekday":
        return float((math.floor(days) + 3) % 7)
    if part == "hour":
        return float(math.floor((days % 1.0) * 24.0 + 1e-9))
    return float((datetime(1970, 1, 1) + timedelta(math.floor(days))).month)
