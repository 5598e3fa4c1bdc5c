"""Forms printed into other languages: as Python, as JavaScript, as C99.

Python and JavaScript read by the patterns themselves, C by their steps, which a walker
of forty lines takes in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from .base import ValueForm

# The parts of a word that patterns name; those of a duration go from weeks on.
_PARTS = (
    *("sign", "back", "open", "digits", "percent", "nil", "year", "short", "month"),
    *("name", "day", "hour", "minute", "second", "fraction", "half", "east"),
    *("zone_hour", "zone_minute", "weeks", "days", "hours", "minutes", "seconds"),
    *("millis", "micros"),
)
_ROOM = 801  # bytes of the longest word, and its end


def javascript_data(form: ValueForm) -> dict[str, Any]:
    """Return what ``readWord`` reads by; only names of groups are written otherwise."""
    named = [pattern.replace("(?P<", "(?<") for pattern in form.printed["patterns"]]
    return {**form.printed, "patterns": named}


def part_text(name: str) -> str:
    """Return a file of `parts`: source that is exported as it is."""
    return files(__package__).joinpath("parts", name).read_text("utf-8")


class _Step(NamedTuple):
    """A step of a pattern: `x` and `y` count steps onward, or name what is meant."""

    op: str
    x: int = 0
    y: int = 0


def c_reader(forms: Sequence[ValueForm]) -> str:
    """Return C99 source of ``values_read``, and ``values_forms`` that it reads by.

    All that it defines is static; it allocates nothing, and needs ``strtod``.
    """
    sets: dict[str, int] = {}
    steps: list[_Step] = []
    starts: list[int] = []
    rows = []
    for form in forms:
        patterns = form.printed["patterns"]
        rows.append(_c_form(form, len(starts)))
        for pattern in patterns:
            starts.append(len(steps))
            steps += [*_Compiler(pattern, sets).steps(), _Step("END")]
    months: dict[str, int] = next(
        (f.printed["months"] for f in forms if f.kind == "date"), {}
    )
    named = months.items() or [("", 0)]  # C knows no empty table
    names = [f"{{{_c_string(name)}, {number}}}" for name, number in named]
    parts = ", ".join(f"VALUES_{name.upper()}" for name in _PARTS)
    return f"""\
/* How words of a table are read: made from the forms of its columns. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {{ VALUES_ROOM = {_ROOM}, VALUES_MONTHS = {len(names)} }};
enum {{ VALUES_NUMBER, VALUES_DATE, VALUES_TIME, VALUES_DURATION, VALUES_YES_NO }};
enum {{ VALUES_BYTE, VALUES_SET, VALUES_EITHER, VALUES_JUMP, VALUES_NOTE, VALUES_END }};
enum {{ {parts}, VALUES_PARTS }};

typedef struct {{
    uint8_t op;
    int16_t x, y;
}} values_step;

typedef struct {{
    uint8_t kind;
    char thousands, bare;
    int first, patterns;
}} values_form;

static const struct {{
    const char *name;
    int number;
}} values_months[] = {{
{_c_list(names, 4)}
}};

static const uint32_t values_sets[][8] = {{
{_c_list(map(_c_set, sets or [""]), 1)}
}};

static const values_step values_steps[] = {{
{_c_list((f"{{VALUES_{s.op}, {s.x}, {s.y}}}" for s in steps or [_Step("END")]), 4)}
}};

static const int values_starts[] = {{
{_c_list(map(str, starts or [0]), 12)}
}};

static const values_form values_forms[] = {{
{_c_list(rows or ["{0}"], 1)}
}};

{part_text("values.c")}"""


class _Compiler:
    """The steps of a pattern, as far as forms need patterns: no look ahead or back."""

    def __init__(self, pattern: str, sets: dict[str, int]) -> None:
        self.rest, self.sets = pattern, sets

    def steps(self) -> list[_Step]:
        """Return the steps of what is tried in turn, up to its end or a bracket."""
        found = self._sequence()
        while self._takes("|"):
            other = self._sequence()
            head = _Step("EITHER", 1, len(found) + 2)
            found = [head, *found, _Step("JUMP", len(other) + 1), *other]
        return found

    def _sequence(self) -> list[_Step]:
        found: list[_Step] = []
        while self.rest and self.rest[0] not in "|)":
            found += self._repeated(self._atom())
        return found

    def _takes(self, beginning: str) -> bool:
        is_there = self.rest.startswith(beginning)
        self.rest = self.rest.removeprefix(beginning)
        return is_there

    def _atom(self) -> list[_Step]:
        group = re.match(r"\((?:\?:|\?P<(\w+)>)", self.rest)
        if group:
            self.rest = self.rest[group.end() :]
            inner = self.steps()
            self._takes(")")
            if group[1]:
                place = 2 * _PARTS.index(group[1])
                return [_Step("NOTE", place), *inner, _Step("NOTE", place + 1)]
            return inner
        letters = re.match(r"\[([^]]+)\]", self.rest)
        if letters:
            self.rest = self.rest[letters.end() :]
            return [_Step("SET", self.sets.setdefault(letters[1], len(self.sets)))]
        self._takes("\\")
        letter, self.rest = self.rest[0], self.rest[1:]
        return [_Step("BYTE", byte) for byte in letter.encode()]

    def _repeated(self, inner: list[_Step]) -> list[_Step]:
        """Return the steps of what may stand more or less than once; more is better."""
        once = [_Step("EITHER", 1, len(inner) + 1), *inner]
        loop = [
            _Step("EITHER", 1, len(inner) + 2),
            *inner,
            _Step("JUMP", -len(inner) - 1),
        ]
        if self._takes("?"):
            return once
        if self._takes("*"):
            return loop
        if self._takes("+"):
            return [*inner, *loop]
        times = re.match(r"\{(\d+)(?:,(\d+))?\}", self.rest)
        if not times:
            return inner
        self.rest = self.rest[times.end() :]
        found: list[_Step] = []
        for _ in range(int(times[2] or times[1]) - int(times[1])):
            found = [_Step("EITHER", 1, len(inner) + len(found) + 1), *inner, *found]
        return [*inner * int(times[1]), *found]


def _c_form(form: ValueForm, first: int) -> str:
    kind = {"yes/no": "YES_NO"}.get(form.kind, form.kind.upper())
    thousands = form.printed.get("thousands") or "\0"
    bare = form.printed.get("bare", "number")[0]
    n_patterns = len(form.printed["patterns"])
    return f"{{VALUES_{kind}, {ord(thousands)}, '{bare}', {first}, {n_patterns}}}"


def _c_set(letters: str) -> str:
    """Return which bytes a set of letters holds, as bits; of ASCII, or all but some."""
    is_other = letters.startswith("^")
    named, held = letters[is_other:], set[int]()
    while named:
        is_range = len(named) > 2 and named[1] == "-"
        last = named[2] if is_range else named[0]
        held |= {*range(ord(named[0]), ord(last) + 1)}
        named = named[3 if is_range else 1 :]
    held = {*range(1, 256)} - held if is_other else held
    bits = sum(1 << byte for byte in held)
    words = (f"{bits >> 32 * k & 0xFFFFFFFF:#x}u" for k in range(8))
    return f"{{{', '.join(words)}}}"


def _c_string(text: str) -> str:
    """Return a string of C; what is no letter of ASCII is written in octal."""
    raw = (
        chr(b) if chr(b).isalpha() and b < 128 else f"\\{b:03o}" for b in text.encode()
    )
    return f'"{"".join(raw)}"'


def _c_list(items: Any, on_a_line: int) -> str:
    words = list(items)
    lines = [words[k : k + on_a_line] for k in range(0, len(words), on_a_line)]
    return ",\n".join(f"    {', '.join(line)}" for line in lines)
