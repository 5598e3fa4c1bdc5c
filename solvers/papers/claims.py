"""Claims of the papers as data: who is ahead of whom, by what, at which setting.

A claim is judged by rows, of a figure or a table, that say for each pair (a seed, a
fold, a data set) what a method's number is. `solvers.papers.verdicts` has the rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from ..errors import ThriftscopeError, shown
from ..values.rounding import rounded
from .verdicts import (
    Finding,
    Outcome,
    Verdict,
    all_hold,
    any_holds,
    outcome_of,
    paired_verdict,
)

# A method, or several of which the better one counts; none for all.
Names: TypeAlias = str | tuple[str, ...] | None
# Columns, and their values or what holds of these.
Setting: TypeAlias = Mapping[str, Any]
Numbers: TypeAlias = dict[tuple[str, ...], float]
# As many numbers are listed, of more the least and the largest.
_LISTED = 10
# What is longer than a reader reads of parts is told in one number.
_LONG = 300
# What binary fractions lose beside printed decimals.
_ROUNDING = Fraction(1, 10**9)


class Row(SimpleNamespace):
    """A row of a study: what it is of, and its numbers."""


@dataclass(frozen=True)
class StudyTable:
    """Rows, with what pairs them."""

    rows: Sequence[Any]
    pair: tuple[str, ...]  # Columns that tell independent pairs from each other
    pairs: str = "pairs"  # What these are called
    who: str = "method"  # The column that says whose number it is
    labels: Mapping[str, str] = field(default_factory=dict)  # What columns are called

    def numbers(
        self,
        by: str,
        at: Setting,
        names: Names = None,
        of_some: Callable[[list[float]], float] = max,
    ) -> Numbers:
        """Return a number for each pair: of its rows the mean, of methods the best.

        `by`: a column, with "-" before it if less is better. Rows without it are of
        another kind.
        """
        column, sign = by.removeprefix("-"), -1.0 if by.startswith("-") else 1.0
        if self.rows and not any(hasattr(row, column) for row in self.rows):
            raise ThriftscopeError(
                f"There is no row with a column {shown(column)}; name one of those "
                "that the study yields."
            )
        wanted = (names,) if isinstance(names, str) else names
        found: dict[tuple[str, ...], dict[str, list[float]]] = {}
        for row in self.at(at):
            name = getattr(row, self.who, "")
            if hasattr(row, column) and (wanted is None or name in wanted):
                pair = tuple(str(getattr(row, key)) for key in self.pair)
                of_pair = found.setdefault(pair, {})
                of_pair.setdefault(name, []).append(sign * getattr(row, column))
        return {
            pair: float(of_some([float(np.mean(v)) for v in of_pair.values()]))
            for pair, of_pair in found.items()
        }

    def at(self, setting: Setting) -> Iterator[Any]:
        """Yield the rows of a setting."""
        for row in self.rows:
            if all(_is_at(getattr(row, k, None), v) for k, v in setting.items()):
                yield row

    def values(self, column: str) -> list[Any]:
        """Return the values of a column, rising."""
        return sorted({getattr(r, column) for r in self.rows if hasattr(r, column)})

    def why_nothing(self, setting: Setting) -> str:
        """Return why there are no numbers at a setting: what its rows call missing."""
        missing = [row.missing for row in self.at(setting) if hasattr(row, "missing")]
        return missing[0] if missing else "not measured here"

    def called(self, column: str) -> str:
        """Return what a column is called."""
        return self.labels.get(column, column)

    def found(self, verdict: Verdict, unit: str = "", sign: str = "+") -> str:
        """Return a mean, of differences unless `sign` is empty, and its noise."""
        factor = 100.0 if unit == "points" or unit[:1] == "%" else 1.0
        mean = f"{rounded(factor * verdict.mean):{sign}g}"
        if verdict.n > 1:  # one pair alone has no spread, and "± inf" tells nobody so
            errors = rounded(factor * verdict.two_standard_errors, 2)
            mean += f" ± {errors:g} over {verdict.n} {self.pairs}"
        return f"{mean} ({unit})" if unit else mean


class Form(ABC):
    """What rows can bear out or not."""

    @abstractmethod
    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Return the outcome, and in words what was measured.

        None, and why, where there is nothing to judge by.
        """


@dataclass(frozen=True)
class Claim:
    """What a paper says, in its words and in a form that rows can bear out or not."""

    says: str  # One sentence
    printed: str  # The numbers of the paper
    form: Form
    where: str = ""  # Where it says so, if not in the figure of the study
    shows: Callable[[StudyTable], str] | None = None  # What else is told of the rows

    def found(self, table: StudyTable, place: str = "") -> Finding:
        """Return what came out; `place`: where it is claimed, if not told."""
        outcome, words = self.form.test(table)
        if self.shows is not None and outcome is not None:
            words = f"{words}; {self.shows(table)}"
        return Finding(self.says, self.printed, words, outcome, self.where or place)


@dataclass(frozen=True)
class _OfPairs(Form):
    """A claim about one number a pair, which is to be above 0."""

    # No chance in it: it is to be so of every pair. With `exceptions` of all but so
    # many, or, where negative, of so many at least.
    certain: bool = field(default=False, kw_only=True)
    exceptions: int = field(default=0, kw_only=True)
    unit: str = field(default="", kw_only=True)  # "points" and "%" are of a hundred

    def _judged(
        self, table: StudyTable, excess: Iterable[float], told: str, margin: float = 0.0
    ) -> tuple[Outcome | None, str]:
        """Judge numbers less a margin; `told`: what is said before."""
        values = list(excess)
        if self.certain:
            right, n = sum(value > margin for value in values), len(values)
            least = -self.exceptions if self.exceptions < 0 else n - self.exceptions
            unit = f" ({self.unit})" if self.unit else ""
            words = f"{right} of {n} {table.pairs}{told}{unit}"
            return outcome_of(right >= least), words
        verdict = paired_verdict(values, margin=margin)
        return verdict.outcome, f"{told}{table.found(verdict, self.unit)}"


@dataclass(frozen=True)
class Ahead(_OfPairs):
    """A method is ahead of another: by a number of its own, pair by pair."""

    method: Names
    of: Names
    by: str  # The column, with "-" before it if less is better
    at: Setting = field(default_factory=dict)
    along: str = ""  # At every value of this column, not in their mean
    anywhere: bool = False  # At some value of it instead
    share: float = 0.0  # By this share of the other's number at least; or not worse by
    margin: float = 0.0  # By so much at least; where negative, not worse by more
    ratio: bool = False  # Whether ratios are compared, as logarithms

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge the differences."""
        if not self.along:
            return self._at(table, self.at)
        tested = {
            value: self._at(table, {**self.at, self.along: value})[0]
            for value in table.values(self.along)
        }
        outcomes = [outcome for outcome in tested.values() if outcome is not None]
        ahead = [f"{v:g}" for v, outcome in tested.items() if outcome == "holds"]
        words = f"{self._names()} at {table.called(self.along)} = "
        words += ", ".join(ahead) or "none"
        return (any_holds if self.anywhere else all_hold)(outcomes), words

    def _names(self) -> str:
        lead = f", by {self.share:.0%} of it," if self.share else ""
        return f"{_in_words(self.method)} ahead of {_in_words(self.of)}{lead}"

    def _at(self, table: StudyTable, at: Setting) -> tuple[Outcome | None, str]:
        # The better of two is lucky beside a single one.
        is_fair = _count(self.of) >= _count(self.method)
        ours = table.numbers(self.by, at, self.method, max if is_fair else np.mean)
        theirs = table.numbers(self.by, at, self.of)
        both = [pair for pair in ours if pair in theirs]
        if not both:
            return None, table.why_nothing(at)
        pairs = np.array([(ours[pair], theirs[pair]) for pair in both])
        return self._judged(table, *self._compared(pairs))

    def _compared(self, pairs: np.ndarray) -> tuple[np.ndarray, str, float]:
        """Return differences, what is said of both, and the margin."""
        told, sign = "", -1.0 if self.by.startswith("-") else 1.0
        if self.ratio:
            logs = sign * np.log(sign * pairs)
            excess = logs[:, 0] - logs[:, 1]
            told = f"{np.exp(excess.mean()):.2f} times, as a logarithm "
        else:
            excess = pairs[:, 0] - (1.0 - self.share) * pairs[:, 1]
            if isinstance(self.method, str) and isinstance(self.of, str):
                means = [f"{rounded(v):g}" for v in sign * pairs.mean(axis=0)]
                told = f"{self.method} {means[0]}, {self.of} {means[1]}: "
        return excess, "" if self.certain else told, self.margin


@dataclass(frozen=True)
class Above(_OfPairs):
    """A number is above a value."""

    by: str
    value: float
    at: Setting = field(default_factory=dict)
    method: Names = None

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge the number less the value."""
        return self._tested(table, 1.0)

    def _tested(self, table: StudyTable, sign: float) -> tuple[Outcome | None, str]:
        numbers = list(table.numbers(self.by, self.at, self.method).values())
        if not numbers:
            return None, table.why_nothing(self.at)
        excess, margin = [sign * number for number in numbers], sign * self.value
        if self.certain:
            # Whether it is so is a 1 or a 0, which the count tells.
            told = "" if {*numbers} <= {0.0, 1.0} else f": {_listed(numbers)}"
            return self._judged(table, excess, told, margin)
        found = paired_verdict(excess, margin=margin)
        mean = replace(found, mean=sign * found.mean)
        told = table.found(mean, self.unit, "" if self.value else "+")
        return found.outcome, told


@dataclass(frozen=True)
class Below(Above):
    """A number is below a value."""

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge the value less the number."""
        return self._tested(table, -1.0)


@dataclass(frozen=True)
class Equal(_OfPairs):
    """A number is a value, or that of another column."""

    by: str
    to: float | str
    within: float = 0.0  # How far from it is still the same
    at: Setting = field(default_factory=dict)

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge from both sides that it is within."""
        numbers = table.numbers(self.by, self.at)
        values = np.array(list(numbers.values()))
        if isinstance(self.to, str):
            to = np.array(list(table.numbers(self.to, self.at).values()))
            off = np.abs(values - to) <= self.within
            words = f"{off.sum()} of {len(off)} {table.pairs}: {_listed(values)}"
            return outcome_of(off.all()), words
        if self.certain:
            told, off = f": {_listed(values)}", np.abs(values - self.to)
            return self._judged(table, self.within - off, told)
        sides = [
            paired_verdict(sign * values, margin=sign * self.to - self.within)
            for sign in (1.0, -1.0)
        ]
        outcome = all_hold(side.outcome for side in sides)
        return outcome, table.found(sides[0], self.unit, "")


@dataclass(frozen=True)
class AsPrinted(Form):
    """A number rounds, half either way, to what is printed of it."""

    by: str
    at: Setting
    printed: str

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Compare without chance."""
        (value,) = table.numbers(self.by, self.at).values()
        return outcome_of(rounds_to(value, self.printed)), f"{value:.4f}"


@dataclass(frozen=True)
class Grows(_OfPairs):
    """A method's number is larger at one end of a column than at the other."""

    by: str
    of: str
    along: str
    start: Any
    to: Any

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge the differences of both ends."""
        ends = [
            table.numbers(self.by, {self.along: value}, self.of)
            for value in (self.start, self.to)
        ]
        said = (f"{rounded(float(np.mean([*end.values()]))):g}" for end in ends)
        at = f"{table.called(self.along)} = {self.start:g} and {self.to:g}"
        told = f"{self.of} {' and '.join(said)} at {at}: "
        return self._judged(table, [ends[1][p] - v for p, v in ends[0].items()], told)


class Every(Form):
    """Several forms at once."""

    def __init__(self, *parts: Form) -> None:
        self.parts = parts

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge each; one that does not hold decides."""
        return self._of_parts(table, all_hold)

    def _of_parts(
        self, table: StudyTable, of: Callable[[Iterable[Outcome]], Outcome]
    ) -> tuple[Outcome | None, str]:
        tested = [part.test(table) for part in self.parts]
        outcomes = [outcome for outcome, _ in tested if outcome is not None]
        words = "; ".join(dict.fromkeys(words for _, words in tested))
        if len(words) > _LONG:
            words = f"{outcomes.count('holds')} of {len(tested)} parts hold"
        return (of(outcomes) if outcomes else None), words


class Either(Every):
    """One of several forms."""

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge each; one that holds decides."""
        return self._of_parts(table, any_holds)


def _is_at(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return value is not None and bool(wanted(value))
    return value == wanted


def rounds_to(value: float, printed: str) -> bool:
    """Return whether a number rounds, half either way, to what is printed."""
    number = printed.removesuffix(" %")
    scale = 100 if printed.endswith("%") else 1
    last = Fraction(1, 10 ** len(number.partition(".")[2]))
    return abs(Fraction(value) * scale - Fraction(number)) <= last / 2 + _ROUNDING


def _in_words(names: Names) -> str:
    return names if isinstance(names, str) else " and ".join(names or ("all",))


def _count(names: Names) -> int:
    return 1 if isinstance(names, str) else len(names or ())


def _listed(values: Iterable[float]) -> str:
    said = [f"{rounded(value):g}" for value in values]
    if len(said) <= _LISTED:
        return ", ".join(said)
    return f"{min(said, key=float)} to {max(said, key=float)}"
