"""What every form has: it reads words, one or many, and is plain data."""

from __future__ import annotations

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, shown
from .reading import folded, is_too_long, read_word

MOSTLY = 0.9  # of the rows hold what a column writes: the others are slips

_ALL_DIGITS = str.maketrans("012345678", "9" * 9)
# A zero that begins a number: behind a digit, or what parts digits, stands none.
_LEADING = re.compile(r"(?<![0-9.,'])(?<![0-9] )0")


class AmbiguousCellError(DataError):
    """A cell that may be read in two ways, and nothing in its file tells which.

    Parameters
    ----------
    message : str
        Names the column, the cell, both readings and the remedy.
    cell : str, default=""
        The word.
    readings : mapping of str to str, optional
        What it would say, by what is to be told: ``{"decimal=','": "1.234"}``.
    """

    def __init__(
        self, message: str, cell: str = "", readings: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.cell, self.readings = cell, dict(readings or {})

    @property
    def doubt(self) -> str:
        """The cell and its readings, for who tells another remedy."""
        return f"{shown(self.cell)} may be {' or '.join(self.readings.values())}"


@dataclass(frozen=True)
class Beside:
    """What the other columns of a file tell of what its marks mean.

    Parameters
    ----------
    decimals : collection of str, default=()
        The marks that part decimals beyond doubt, of ``"."`` and ``","``.
    orders : collection of str, default=()
        In which order days, months and years stand beyond doubt, of ``"dmy"`` and
        ``"mdy"``.
    told : {"", ".", ","}, default=""
        What parts decimals where a column does not tell it, as a person says.
    """

    decimals: Collection[str] = ()
    orders: Collection[str] = ()
    told: str = ""

    @property
    def decimal(self) -> str:
        """The one mark that parts decimals; empty where none does, or both do."""
        if self.told:
            return self.told
        return min(self.decimals) if len(set(self.decimals)) == 1 else ""

    @property
    def order(self) -> str:
        """The one order of dates; where no date tells it, a decimal comma does."""
        if self.orders:
            return min(self.orders) if len(set(self.orders)) == 1 else ""
        return "dmy" if self.decimal == "," else ""


ALONE = Beside()


@dataclass(frozen=True)
class Layout:
    """Words of one shape: their digits differ, and nothing else."""

    places: list[int]  # Where they stand among all
    texts: list[str]  # The words, folded
    match: re.Match[str]  # Of one of them

    @property
    def parts(self) -> dict[str, str]:
        """The parts of that one, without what is empty."""
        return {name: part for name, part in self.match.groupdict().items() if part}

    @cached_property
    def _letters(self) -> NDArray[np.int64]:
        """The codes of all letters, shape (n_words, n_letters)."""
        codes = np.array(self.texts).view(np.uint32)
        return codes.reshape(len(self.texts), -1).astype(np.int64)

    def whole(self, name: str) -> NDArray[np.int64]:
        """Return the number in a part of each word, six digits at most.

        Shape: (n_words,).
        """
        start, stop = self.match.span(name)
        digits = self._letters[:, start : min(stop, start + 6)] - ord("0")
        return digits @ 10 ** np.arange(digits.shape[1])[::-1]


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of some words, the longest first."""
    longest = sorted({folded(word) for word in words}, key=len, reverse=True)
    escaped = (re.sub(r"[\^$.*+?()\[\]{}|\\]", r"\\\g<0>", word) for word in longest)
    return f"(?:{'|'.join(escaped)})"


def shapes_of(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return words folded, and the shape of each: 9 for a digit, 0 where one leads."""
    if is_too_long(max(words, key=len)):
        words = ["\0" if is_too_long(word) else word for word in words]
    joined = "\n".join(words)
    if joined.count("\n") >= max(1, len(words)):  # no value holds the end of a line
        joined = "\n".join(word.strip().replace("\n", "\0") for word in words)
    # A mark on both sides: the ends of each word are trimmed, not those of all.
    small = folded(f"|{joined}|")[1:-1]
    texts = small.split("\n")
    if any(blank in small for blank in " \t\v\f\r"):
        texts = [text.strip(" \t\v\f\r") for text in texts]
    marked = _LEADING.sub("\x01", "\n".join(texts)).translate(_ALL_DIGITS)
    return texts, marked.replace("\x01", "0").split("\n")


class ShapedWords(list[Any]):
    """Words of a column, whose shapes are found once however often they are read."""

    @cached_property
    def shapes(self) -> dict[str, tuple[list[int], list[str]]]:
        """By each shape where its words stand, and these words, folded."""
        rows = [k for k, word in enumerate(self) if word is not None]
        if not rows:
            return {}
        texts, shapes = shapes_of([word for word in self if word is not None])
        found: dict[str, tuple[list[int], list[str]]] = {}
        for row, text, shape in zip(rows, texts, shapes, strict=True):
            if shape not in found:
                found[shape] = [], []
            places, held = found[shape]
            places.append(row)
            held.append(text)
        return found

    @classmethod
    def of(cls, words: Sequence[Any]) -> ShapedWords:
        """Return words with their shapes: these, where they have them."""
        return words if isinstance(words, ShapedWords) else cls(words)


def layouts(words: Sequence[str | None], patterns: Sequence[str]) -> Iterator[Layout]:
    """Yield the words that match a pattern, those of one shape together."""
    for places, texts in ShapedWords.of(words).shapes.values():
        matches = (re.fullmatch(pattern, texts[0]) for pattern in patterns)
        match = next(filter(None, matches), None)
        if match is not None:
            yield Layout(places, texts, match)


@dataclass(frozen=True)
class ValueForm(ABC):
    """How the words of a column are read, and written back."""

    kind: ClassVar[str]

    @abstractmethod
    def _printed(self) -> dict[str, Any]:
        """Return what readers in every language need beside the kind."""

    @property
    def printed(self) -> dict[str, Any]:
        """What ``read_word`` reads by: plain data, the same in every language."""
        return _printed(self)

    @property
    def data(self) -> dict[str, Any]:
        """The form as JSON holds it: its kind, and what is not as it is by default."""
        given = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in given.items()}
        return {"kind": self.kind, **plain}

    def read(self, word: str) -> float | None:
        """Return what a word says as a number; None where it says nothing.

        Parameters
        ----------
        word : str
            As it stands in a cell.

        Returns
        -------
        float or None
        """
        return read_word(word, self.printed)

    def read_all(self, words: Sequence[str | None]) -> NDArray[np.float64]:
        """Return what words say as numbers, NaN where one says nothing.

        Parameters
        ----------
        words : sequence of str or None, shape (n_words,)
            As they stand in cells.

        Returns
        -------
        ndarray of float, shape (n_words,)
        """
        found = np.full(len(words), np.nan)
        for layout in layouts(words, self.printed["patterns"]):
            found[layout.places] = self._values(layout)
        return found

    def _values(self, layout: Layout) -> Any:
        """Return what words of one shape say, shape (n_words,); NaN for nothing."""
        read: Callable[[str], float | None] = self.read
        return [np.nan if value is None else value for value in map(read, layout.texts)]

    @abstractmethod
    def write(self, value: float) -> str:
        """Return a word that reads as a number.

        Parameters
        ----------
        value : float
            A finite one.

        Returns
        -------
        str
        """


@lru_cache(maxsize=1024)
def _printed(form: ValueForm) -> dict[str, Any]:
    return {"kind": form.kind, **form._printed()}
