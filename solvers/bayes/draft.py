"""What readers of networks share: tokens, and a network as its file lists it."""

from __future__ import annotations

import io
import math
import re
from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from ..errors import InterchangeError, shown
from ..numerics.arrays import Floats
from ..values import plain_number
from .network import BayesianNetwork

# Tokens of a text that nobody vouches for, one at a time and in linear time.
#
# Nothing looks further than the end of a token, a quote or a comment, and none is kept:
# a long file costs time, and neither memory nor other people's turns.


_QUOTED = 'put a name with marks in quotes, as in "[0, 1]"'
END = ""  # what stands after the last token; a quoted empty name is refused before
# Characters that are split at once: others have their turn in between.
SLICE = 2**16
_SPACE = re.compile(r"\s*")
_GAP = re.compile(r"\s")
# Numbers and what parts them, up to the last gap or to what ends their list.
_NUMBERS = re.compile(rf"[-+.,\deE\s]{{0,{SLICE}}}(?:(?<=[\s,])|(?=[;()]))", re.ASCII)


def _token_pattern(marks: str) -> re.Pattern[str]:
    """Match a quoted name, a mark, or a token that ends where a comment begins."""
    marks = re.escape(marks)
    return re.compile(rf'"(?P<quoted>[^"]*)"|[{marks}]|(?:[^\s{marks}"/]|/(?![/*]))+')


class Tokens:
    """Tokens and marks of a text, with one token of outlook; comments are left out.

    `marks`: characters that are tokens of their own.
    `line_comment`: what begins a comment that ends with its line, beside ``//``.
    """

    def __init__(self, text: str, marks: str, line_comment: str = "//") -> None:
        self._text = text
        self._marks, self._pattern = marks, _token_pattern(marks)
        self._comments = ("//", line_comment)
        self.go(0)

    def go(self, place: int) -> None:
        """Go on from a place where `place` was."""
        self._at = self.place = place
        self.is_quoted = False
        self.next = END
        self.take()

    def take(self) -> str:
        """Return the token that is next, and step over it."""
        taken = self.next
        self._step_over_space()
        self.place, self.is_quoted = self._at, False
        if self._at == len(self._text):
            self.next = END
            return taken
        found = self._pattern.match(self._text, self._at)
        if found is None:
            raise InterchangeError(
                f"The file has an open quote: {shown(self._text[self._at :][:60])}; "
                "close it."
            )
        self._at = found.end()
        self.is_quoted = found["quoted"] is not None
        self.next = found["quoted"].strip() if self.is_quoted else found[0]
        if not self.next:
            raise InterchangeError("The file has an empty name; write one.")
        return taken

    def takes(self, mark: str) -> bool:
        """Step over a mark if it is next, and return whether it was."""
        if self.next != mark or self.is_quoted:
            return False
        self.take()
        return True

    def expect(self, mark: str, where: str) -> None:
        """Step over a mark, or refuse what stands in its place."""
        if not self.takes(mark):
            raise InterchangeError(
                f"The file has {self.shown} where {shown(mark)} is expected, in "
                f"{where}; check the format."
            )

    @property
    def shown(self) -> str:
        """The next token as a message shows it."""
        return "its end" if self.next == END else shown(self.next)

    def name(self, where: str) -> str:
        """Return the next token, which is to be no mark."""
        if self._is_mark:
            raise InterchangeError(
                f"The file has {self.shown} where a name is expected, in {where}; "
                f"{'check the format' if self.next == END else _QUOTED}."
            )
        return self.take()

    def names(self, end: str, where: str, most: int) -> list[list[str]]:
        """Return the tokens up to a mark, by the commas between them."""
        parts: list[list[str]] = [[]]
        n_tokens = 0
        while not self.takes(end):
            if self.takes(","):
                parts.append([])
                continue
            parts[-1].append(self.name(where))
            n_tokens += 1
            if n_tokens > most:
                raise InterchangeError(
                    f"The file lists more than {most:,} names in {where}; list fewer."
                )
        return [part for part in parts if part]

    def skip(self, end: str) -> None:
        """Step over everything up to and with a mark."""
        while not self.takes(end):
            if self.next == END:
                raise InterchangeError(
                    f"The file ends where {shown(end)} is expected; it may be cut off."
                )
            self.take()

    def numbers(self, end: str, where: str, skipped: str = ",") -> array[float]:
        """Return the numbers up to a mark, whatever stands in `skipped` left out."""
        found = array("d")
        while not self.takes(end):
            if not self.is_quoted and self.next in tuple(skipped):
                self.take()
            elif not self._is_mark and (run := self._run()):
                found.extend(number_of(token, where) for token in run)
            else:
                found.append(number_of(self.next, where))
                self.take()
        return found

    def _run(self) -> list[str]:
        """Return the next tokens that are all of the characters of numbers, or none."""
        run = _NUMBERS.match(self._text, self.place)
        if run is None:
            return []
        self.go(run.end())
        return run[0].replace(",", " ").split()

    @property
    def _is_mark(self) -> bool:
        return self.next == END or (not self.is_quoted and self.next in self._marks)

    def _step_over_space(self) -> None:
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._text.startswith(self._comments, self._at):
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            elif self._text.startswith("/*", self._at):
                end = self._text.find("*/", self._at + 2)
                if end < 0:
                    raise InterchangeError(
                        "The file has an open comment; close it with */."
                    )
                self._at = end + 2
            else:
                return


def plain_tokens(text: str, comment: str) -> Iterator[str]:
    """Yield the tokens between gaps; a comment goes from its mark to its line's end."""
    for line in io.StringIO(text):
        for piece in _pieces(line.partition(comment)[0]):
            yield from piece.split()


def numbers_in(text: str, where: str) -> Floats:
    """Return the numbers that a text lists."""
    tokens = (token for piece in _pieces(text) for token in piece.split())
    return np.array(array("d", (number_of(token, where) for token in tokens)))


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in parts, each of which ends with a gap."""
    at = 0
    while at < len(text):
        gap = _GAP.search(text, at + SLICE)
        end = gap.end() if gap else len(text)
        yield text[at:end]
        at = end


def number_of(token: str, where: str) -> float:
    """Return the number that a token says, or refuse it."""
    value = plain_number(token)
    if value is None:
        what = "its end" if token == END else shown(token)
        raise InterchangeError(
            f"The file has {what} where a number is expected, in {where}; write "
            "numbers such as 0.25 or 1e-3."
        )
    return value


# A network as its file lists it, part by part, and no larger than the file can be.


MAX_VARIABLES = 10_000
MAX_STATES = 100_000
MAX_PARENTS = 64
# A file lists a number in two characters at least; default rows may list some more.
MIN_NUMBERS = 1_000_000


class NetworkDraft:
    """Variables and tables of a file of some length, checked as they come."""

    def __init__(self, n_characters: int) -> None:
        self._most = max(n_characters, MIN_NUMBERS)
        self._size = 0
        self.states: dict[str, tuple[str, ...]] = {}
        self._lower: dict[str, str] = {}
        self._parents: dict[str, tuple[str, ...]] = {}
        self._tables: dict[str, Floats] = {}

    def add_variable(self, name: str, states: Sequence[str]) -> None:
        """Take a variable in, once."""
        if name in self.states:
            raise InterchangeError(
                f"Two variables are called {shown(name)}; rename one."
            )
        if len(self.states) == MAX_VARIABLES:
            raise InterchangeError(
                f"The file lists more than {MAX_VARIABLES:,} variables; list fewer."
            )
        if not states:
            raise InterchangeError(f"{shown(name)} has no states; list one or more.")
        self.states[name] = tuple(states)
        self._lower.setdefault(name.lower(), name)

    def known(self, name: str) -> str:
        """Return the variable of a name, whatever its case, or refuse it."""
        found = name if name in self.states else self._lower.get(name.lower())
        if found is None:
            raise InterchangeError(
                f"A table speaks of {shown(name)}, which is not a variable; list it "
                "with its states before its table."
            )
        return found

    def shape(self, name: str, parents: Sequence[str]) -> tuple[int, ...]:
        """Return the shape of a table, its variable's states last, before it is read.

        Refuses a second one, and one of more numbers than the file can list.
        """
        if name in self._tables:
            raise InterchangeError(f"{shown(name)} has two tables; give it one.")
        if len(parents) > MAX_PARENTS:
            raise InterchangeError(
                f"{shown(name)} has {len(parents)} parents, which makes a table of "
                f"more numbers, more than the file can list; give it {MAX_PARENTS} "
                "at most."
            )
        shape = tuple(len(self.states[of]) for of in (*parents, name))
        size = math.prod(shape)
        self._size += size
        if self._size > self._most:
            raise InterchangeError(
                f"The table of {shown(name)} would have {float(size):.1e} numbers, "
                "more than the file can list; check its parents."
            )
        return shape

    def add_table(self, name: str, parents: Sequence[str], table: Floats) -> None:
        """Take a table in; any that `shape` allowed."""
        self._parents[name] = tuple(parents)
        self._tables[name] = table

    def network(self) -> BayesianNetwork:
        """Return the network, or say what is missing or wrong."""
        if not self.states:
            raise InterchangeError("The file lists no variable; list at least one.")
        return BayesianNetwork(self.states, self._parents, self._tables)


def shaped(numbers: Floats, shape: tuple[int, ...], name: str) -> Floats:
    """Return the numbers of a table in its shape, if they are as many."""
    if numbers.size != math.prod(shape):
        raise InterchangeError(
            f"The table of {shown(name)} lists {numbers.size:,} numbers, but its "
            f"variables have {math.prod(shape):,} joint states; give one for each."
        )
    return numbers.reshape(shape)
