"""What a word of a cell says, by the form of its column; copied into what is exported.

A form's `printed` data name its kind and its patterns, which are tried in their order;
groups of a pattern name the parts of a word. `parts/values.js` and `parts/values.c`
reckon with the same parts in the same order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def folded(word: str) -> str:
    """Return a word in small letters, with plain blanks, minus and apostrophe.

    Marks of direction count as blanks. Letters beyond ASCII stay: which is the small
    one differs by language.
    """
    if not word.isascii():
        for wide in "\xa0\u2007\u2009\u200a\u200e\u200f\u202f\ufeff":
            word = word.replace(wide, " ")
        word = word.replace("\u2212", "-").replace("\u2019", "'")
    small = word.lower() if word.isascii() else re.sub("[A-Z]+", _small, word)
    return small.strip(" \t\n\v\f\r")


def _small(capitals: re.Match[str]) -> str:
    return capitals[0].lower()


def is_too_long(word: str) -> bool:
    """Return whether a word has too many characters to be a value."""
    return len(word) > 200


def read_word(word: str, form: Mapping[str, Any]) -> float | None:
    """Return the number that a word stands for in a column; None where it says none."""
    if is_too_long(word):
        return None
    text = folded(word)
    for place, pattern in enumerate(form["patterns"]):
        match = re.fullmatch(pattern, text)
        if match is not None:
            if form["kind"] == "yes/no":
                return float(place)
            parts = {k: part for k, part in match.groupdict().items() if part}
            return _value_of(parts, form)
    return None


def _value_of(parts: Mapping[str, str], form: Mapping[str, Any]) -> float | None:
    if form["kind"] == "number":
        (value,) = numbers_of([parts.get("digits", "0")], parts, form)
        return None if math.isnan(value) else value
    if form["kind"] == "duration":
        micros = _duration_of(parts)
        return None if micros is None else micros / 86_400e6

    def whole(name: str) -> int:
        return int(parts[name][:6])

    if form["kind"] == "date":
        micros, is_one = moment_of(parts, whole, form["months"])
        return float(micros) / 86_400e6 if is_one else None
    micros, is_one = time_of(parts, whole)
    # A day ends where the next begins.
    return micros % 86_400_000_000 / 60e6 if is_one else None


def numbers_of(
    digits: Sequence[str], parts: Mapping[str, str], form: Mapping[str, Any]
) -> list[float]:
    """Return the numbers of digits that may stand in groups, NaN for what is too large.

    `parts`: the marks around them, which are alike. Of a percentage the point is moved,
    so that nothing is rounded twice.
    """
    if form["thousands"]:
        digits = [text.replace(form["thousands"], "") for text in digits]
    if form["decimal"] == ",":
        digits = [text.replace(",", ".") for text in digits]
    if "percent" in parts or form["bare"] == "percent":
        digits = [f"{text}e-2" for text in digits]
    values = list(map(float, digits))
    if parts.get("sign") == "-" or "open" in parts:
        values = [-value for value in values]
    if form["bare"] == "zero" and "percent" not in parts:
        return [math.nan if value else value for value in values]
    return [value if math.isfinite(value) else math.nan for value in values]


def _duration_of(parts: Mapping[str, str]) -> float | None:
    """Return microseconds; a sign before days that a time follows is theirs alone."""
    if not parts.keys() - {"sign"}:
        return None
    micros = 0.0
    for unit, size in (
        ("weeks", 604_800e6),
        ("days", 86_400e6),
        ("hours", 3_600e6),
        ("minutes", 60e6),
        ("seconds", 1e6),
        ("millis", 1e3),
        ("micros", 1.0),
    ):
        if unit in parts:
            micros += float(parts[unit].replace(",", ".")) * size
    if parts.get("back") == "-":
        micros = -micros
    if "minute" in parts:
        micros += float(_micros(parts, lambda name: int(parts[name][:6])))
    return -micros if parts.get("sign") == "-" else micros


def time_of(parts: Mapping[str, str], whole: Callable[[str], Any]) -> tuple[Any, Any]:
    """Return microseconds since midnight, and whether a day has such a time.

    `whole`: the number of a part; an array of them where many words are read at once.
    """
    micros, minute = _micros(parts, whole), whole("minute")
    is_one = (micros <= 86_400_000_000) & (minute < 60)
    if "second" in parts:
        is_one &= whole("second") < 60
    if "half" in parts:
        hour = whole("hour")
        # Twelve o'clock begins a half of the day.
        after = 12 * (parts["half"][0] == "p") - 12 * (hour == 12)
        micros = micros + after * 3_600_000_000
        is_one &= (1 <= hour) & (hour <= 12)
    return micros, is_one


def _micros(parts: Mapping[str, str], whole: Callable[[str], Any]) -> Any:
    """Return the microseconds of hours, minutes, seconds; what is finer is cut off."""
    hour = whole("hour") if "hour" in parts else 0
    second = whole("second") if "second" in parts else 0
    micros = ((hour * 60 + whole("minute")) * 60 + second) * 1_000_000
    if "fraction" in parts:
        micros = micros + whole("fraction") * 10 ** (6 - len(parts["fraction"][:6]))
    return micros


def moment_of(
    parts: Mapping[str, str], whole: Callable[[str], Any], months: Mapping[str, int]
) -> tuple[Any, Any]:
    """Return microseconds since 1970, of UTC where a zone is told, and whether it is.

    A moment is one that the calendar from year 1 to 9999 has. Years of two digits are
    those from 1969 to 2068, as POSIX has them.
    """
    if "short" in parts:
        short = whole("short")
        year = short + 1900 + 100 * (short < 69)
    else:
        year = whole("year")
    month = months.get(parts["name"], 0) if "name" in parts else whole("month")
    day = whole("day") if "day" in parts else 1
    first = _day_number(year, month, 1)
    n_days = _day_number(year + (month == 12), month % 12 + 1, 1) - first
    is_one = (1 <= year) & (1 <= month) & (month <= 12) & (1 <= day) & (day <= n_days)
    micros = (first + day - 1) * 86_400_000_000
    if "minute" in parts:
        of_day, is_time = time_of(parts, whole)
        micros, is_one = micros + of_day, is_one & is_time & (of_day < 86_400_000_000)
    if "east" in parts:
        minutes = whole("zone_hour") * 60
        is_one &= whole("zone_hour") < 24
        if "zone_minute" in parts:
            minutes = minutes + whole("zone_minute")
            is_one &= whole("zone_minute") < 60
        micros = micros - (1 if parts["east"] == "+" else -1) * minutes * 60_000_000
    start, end = -719_162 * 86_400_000_000, 2_932_897 * 86_400_000_000
    return micros, is_one & (start <= micros) & (micros < end)


def _day_number(year: Any, month: Any, day: Any) -> Any:
    """Return days since 1970; years begin with March, so that a leap day is last."""
    year = year - (month <= 2)
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + 12 * (month <= 2) - 3) + 2) // 5 + day - 1
    of_days = of_era * 365 + of_era // 4 - of_era // 100 + of_year
    return era * 146_097 + of_days - 719_468
