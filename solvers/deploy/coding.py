"""Values as people have them, as what a policy weighs; copied into what is exported."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from .machine import Basket

__all__ = ["CodedBasket"]


class CodedBasket(Basket):
    """A basket of words, dates and gaps, of which several columns may be made.

    `kinds`: of features that are no numbers, the kind and the words.
    `columns`: of each column its feature, and what it is made by.
    """

    def __init__(
        self,
        sample: Mapping[str, Any],
        needs: Mapping[str, Sequence[str]],
        costs: Mapping[str, float],
        kinds: Mapping[str, tuple[str, Sequence[str]]],
        columns: Mapping[str, Mapping[str, Any]],
    ) -> None:
        super().__init__(sample, needs, costs)
        self.kinds, self.columns = kinds, columns

    def number(self, name: str, given: Any) -> float:
        """Return a word's place, a date's day, a number; NaN where there is none."""
        kind, words = self.kinds.get(name, ("number", ()))
        if kind == "number":
            return _number(given)
        if kind == "date":
            return _days(given)
        word = _word(given)
        if word is None:
            return math.nan
        if kind == "hashed":
            return float(zlib.crc32(word.encode()) % len(words))
        return float(words.index(word) if word in words else len(words))

    def column(self, name: str) -> float:
        """Return a column, made of its feature."""
        made = self.columns[name]
        code = self.feature(made["of"])
        if math.isnan(code) and "gap" not in made:
            raise ValueError(f"Feature {made['of']!r} is nan; give a finite number.")
        value = _encoded(code, made)
        bend, at = made.get("bend", ("", 0.0))
        if bend == "fold":
            return abs(value - at)
        if bend:
            return max(value - at if bend == "above" else at - value, 0.0)
        return value

    def added_by(self, columns: Sequence[str]) -> float:
        """Return what columns would add to the bill."""
        features = dict.fromkeys(self.columns[name]["of"] for name in columns)
        return super().added_by(list(features))


def _encoded(code: float, made: Mapping[str, Any]) -> float:
    if math.isnan(code):
        return made["gap"]
    if "table" in made:
        table = made["table"]
        return table[int(code) if 0.0 <= code < len(table) - 1 else -1]
    if "part" in made:
        return _date_part(code, *made["part"])
    return code


def _number(given: Any) -> float:
    try:
        text = given.strip().replace(",", ".") if isinstance(given, str) else given
        number = math.nan if text is None else float(text)
    except ValueError:
        number = math.nan
    return number if math.isfinite(number) else math.nan


def _word(given: Any) -> str | None:
    if given is None or given != given:
        return None
    if isinstance(given, float) and given.is_integer() and abs(given) < 2**53:
        given = int(given)
    return str(given).strip() or None


def _days(given: Any) -> float:
    """Return days since 1970, a time of day as its part of a day."""
    if isinstance(given, str):
        given = datetime.fromisoformat(given.strip())
    if given is None or given != given:
        return math.nan
    if isinstance(given, time):
        given = datetime.combine(date(1970, 1, 1), given)
    elif isinstance(given, date) and not isinstance(given, datetime):
        given = datetime(given.year, given.month, given.day)
    if isinstance(given, datetime):
        if given.tzinfo is not None:
            given = given.astimezone(UTC).replace(tzinfo=None)
        given -= datetime(1970, 1, 1)
    return float(given / timedelta(days=1))


def _date_part(days: float, part: str, latest: float) -> float:
    """Return the age in days, the month, the weekday (Monday is 0) or the hour."""
    if part == "age":
        return latest - days
    if part == "weekday":
        return float((math.floor(days) + 3) % 7)
    if part == "hour":
        return float(math.floor((days % 1.0) * 24.0 + 1e-9))
    return float((datetime(1970, 1, 1) + timedelta(math.floor(days))).month)
