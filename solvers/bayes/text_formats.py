"""BIF, NET and UAI: networks as words, marks and numbers.

BIF has variables with named states, and tables by the states of their parents::

    variable rain { type discrete [ 2 ] { yes, no }; }
    variable wet { type discrete [ 2 ] { yes, no }; }
    probability ( rain ) { table 0.2, 0.8; }
    probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.05, 0.95; }

Names stand bare or in quotes, parted by commas or by spaces; `property` is passed over.
In a `table` of a variable with parents its own state changes slowest.

NET, of Hugin, has nodes with named states, and potentials as nested lists::

    net { }
    node rain { states = ("yes" "no"); }
    node wet { states = ("yes" "no"); }
    potential ( rain ) { data = ( 0.2 0.8 ); }
    potential ( wet | rain ) { data = (( 0.9 0.1 )( 0.05 0.95 )); }

The variable's own state changes fastest. Other attributes are passed over; nodes of
decisions, of utilities and of continuous variables are refused.

UAI has plain numbers, the last variable of a table changing fastest. It is read here,
not by pgmpy, whose reader takes the last variable as the slowest, loses the order of
parents and knows no exponents.

References
----------
Cozman, "The interchange format for Bayesian networks", version 0.15, 1998.
Hugin Expert, "The Hugin file format", in: Hugin API Reference Manual, 2011.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

import numpy as np

from ..errors import InterchangeError, shown
from ..numerics.arrays import Floats
from .draft import (
    END,
    MAX_PARENTS,
    MAX_STATES,
    MAX_VARIABLES,
    NetworkDraft,
    Tokens,
    number_of,
    plain_tokens,
    shaped,
)
from .network import MAX_TABLE_ENTRIES, BayesianNetwork


def network_from_bif(text: str) -> BayesianNetwork:
    """Return the network that a BIF text describes.

    Examples
    --------
    >>> coin = "variable c { type discrete [2] { h, t }; } "
    >>> coin += "probability ( c ) { table .5, .5; }"
    >>> network_from_bif(coin).states
    {'c': ('h', 't')}
    """
    tokens, draft = Tokens(text, "{}()[];,|"), NetworkDraft(len(text))
    words = "network", "variable", "probability"
    for is_table in _blocks(tokens, "BIF", *words):
        if is_table:
            _Table(tokens, draft).read()
        else:
            _variable(tokens, draft)
    return draft.network()


def _blocks(
    tokens: Tokens, form: str, head: str, variable: str, table: str, before: str = ""
) -> Iterator[bool]:
    """Come to each block, behind its word, and tell whether it is of a table.

    All tables come after all variables, which may stand below them in the file.
    `before`: a word that may stand before that of a variable.
    """
    tables = []
    while tokens.next != END:
        if before and tokens.takes(before):
            tokens.expect(variable, "the file")
            yield False
        elif tokens.takes(variable):
            yield False
        elif tokens.takes(table):
            tables.append(tokens.place)
            tokens.skip("}")
        elif tokens.takes(head):
            tokens.skip("{")
            tokens.skip("}")
        else:
            raise InterchangeError(
                f"The file has {tokens.shown} where {form} has {head}, {variable} or "
                f"{table} of discrete variables; check the format."
            )
    for place in tables:
        tokens.go(place)
        yield True


def _variable(tokens: Tokens, draft: NetworkDraft) -> None:
    parts = tokens.names("{", "the name of a variable", 100)
    if len(parts) != 1:
        raise InterchangeError("A variable has no name, or several; give it one.")
    name = " ".join(parts[0])
    where = f"variable {shown(name)}"
    states: Sequence[str] = ()
    while not tokens.takes("}"):
        if tokens.takes("property"):
            tokens.skip(";")
            continue
        tokens.expect("type", where)
        tokens.expect("discrete", where)
        tokens.expect("[", where)
        announced = tokens.name(where)
        tokens.expect("]", where)
        tokens.expect("{", where)
        states = _joined(tokens.names("}", where, MAX_STATES))
        tokens.expect(";", where)
        if announced != str(len(states)):
            raise InterchangeError(
                f"The {where} announces {shown(announced)} states and lists "
                f"{len(states)}; make them agree."
            )
    draft.add_variable(name, states)


class _Table:
    """What stands after the word probability."""

    def __init__(self, tokens: Tokens, draft: NetworkDraft) -> None:
        self._tokens, self._draft = tokens, draft
        self.name, self.parents = self._header()
        self._where = f"the table of {shown(self.name)}"
        self._shape = draft.shape(self.name, self.parents)
        self._places = [
            {state: k for k, state in enumerate(draft.states[parent])}
            for parent in self.parents
        ]
        self._filled: dict[int, int] = {}  # where the row of a condition is listed
        self._listed = array("d")
        self._default: Floats | None = None

    def read(self) -> None:
        """Read the table, in one of its forms."""
        table: Floats | None = None
        tokens = self._tokens
        tokens.expect("{", self._where)
        while not tokens.takes("}"):
            if tokens.takes("table"):
                table = self._whole()
            elif tokens.takes("default"):
                self._default = self._row()
            elif tokens.takes("property"):
                tokens.skip(";")
            else:
                tokens.expect("(", self._where)
                self._conditioned()
        if table is None:
            table = self._from_rows()
        self._draft.add_table(self.name, self.parents, table)

    def _header(self) -> tuple[str, list[str]]:
        tokens, draft, where = self._tokens, self._draft, "a table's header"
        tokens.expect("(", where)
        parts: list[list[str]] = [[]]
        bars = 0
        while not tokens.takes(")"):
            if tokens.takes("|"):
                bars += 1
                parts.append([])
            elif tokens.takes(","):
                parts.append([])
            else:
                parts[-1].append(tokens.name(where))
                if len(parts) > 10_000 or len(parts[-1]) > 10_000:
                    raise InterchangeError(
                        "A table's header has more than 10,000 names; list fewer."
                    )
        given = [part for part in parts if part]
        if not given or bars > 1:
            raise InterchangeError(
                "A table's header names no variable, or has two bars; write "
                "probability ( variable | parent, parent )."
            )
        first, *others = given
        if not bars and not others:  # the old form: (variable parent parent)
            name, *names = _apart(first, draft.states)
        else:
            name, names = " ".join(first), _joined(others, draft.states)
        return draft.known(name), [draft.known(parent) for parent in names]

    def _whole(self) -> Floats:
        numbers = np.array(self._tokens.numbers(";", self._where))
        own, others = self._shape[-1], self._shape[:-1]
        return np.moveaxis(shaped(numbers, (own, *others), self.name), 0, -1)

    def _row(self) -> Floats:
        numbers = np.array(self._tokens.numbers(";", self._where))
        return shaped(numbers, self._shape[-1:], self.name)

    def _conditioned(self) -> None:
        known = self._places[0] if len(self._places) == 1 else ()
        states = _joined(self._tokens.names(")", self._where, 64 * 100), known)
        if len(states) != len(self.parents):
            raise InterchangeError(
                f"A row of {self._where} names {len(states)} states for "
                f"{len(self.parents)} parents; name one of each."
            )
        at = 0
        for state, places in zip(states, self._places, strict=True):
            if state not in places:
                raise InterchangeError(
                    f"A row of {self._where} is for {shown(state)}, which is no state "
                    "of its parent; check its spelling."
                )
            at = at * len(places) + places[state]
        if at in self._filled:
            raise InterchangeError(
                f"Two rows of {self._where} are for the same states; drop one."
            )
        self._filled[at] = len(self._filled)
        self._listed.extend(self._row())

    def _from_rows(self) -> Floats:
        own = self._shape[-1]
        n_rows = int(np.prod(self._shape[:-1], dtype=np.int64))
        if len(self._filled) < n_rows and self._default is None:
            raise InterchangeError(
                f"The table of {shown(self.name)} has {len(self._filled):,} of "
                f"{n_rows:,} rows; give one for each joint state of its parents."
            )
        rows = np.empty((n_rows, own))
        if self._default is not None:
            rows[:] = self._default
        places = np.fromiter(self._filled, dtype=np.intp, count=len(self._filled))
        rows[places] = np.array(self._listed).reshape(-1, own)
        return rows.reshape(self._shape)


def _joined(parts: Sequence[Sequence[str]], known: Collection[str] = ()) -> list[str]:
    """Return names: what commas part, or else what spaces part and nobody knows."""
    if len(parts) == 1:
        return _apart(parts[0], known)
    return [" ".join(part) for part in parts]


def _apart(tokens: Sequence[str], known: Collection[str]) -> list[str]:
    together = " ".join(tokens)
    return [together] if together in known else list(tokens)


def network_from_net(text: str) -> BayesianNetwork:
    """Return the network that a NET text describes.

    Examples
    --------
    >>> coin = 'net { } node c { states = ("h" "t"); } '
    >>> coin += "potential ( c ) { data = ( .5 .5 ); }"
    >>> network_from_net(coin).tables["c"].tolist()
    [0.5, 0.5]
    """
    tokens = Tokens(text, "{}()[];,|=", line_comment="%")
    draft = NetworkDraft(len(text))
    words = "net", "node", "potential"
    for is_table in _blocks(tokens, "NET", *words, before="discrete"):
        if is_table:
            _potential(tokens, draft)
        else:
            _node(tokens, draft)
    return draft.network()


def _attributes(tokens: Tokens, read: str, where: str) -> Iterator[None]:
    """Come to each value of an attribute in a block of NET; pass over all others."""
    tokens.expect("{", where)
    while not tokens.takes("}"):
        attribute = tokens.name(where)
        tokens.expect("=", where)
        if attribute == read:
            yield
        else:
            tokens.skip(";")


def _node(tokens: Tokens, draft: NetworkDraft) -> None:
    name = tokens.name("the name of a node")
    where = f"node {shown(name)}"
    states: list[str] = []
    for _ in _attributes(tokens, "states", where):
        tokens.expect("(", where)
        parts = tokens.names(")", where, MAX_STATES)
        states = [state for part in parts for state in part]
        tokens.expect(";", where)
    draft.add_variable(name, states)


def _potential(tokens: Tokens, draft: NetworkDraft) -> None:
    tokens.expect("(", "a potential")
    name = draft.known(tokens.name("a potential"))
    where = f"the potential of {shown(name)}"
    parents: list[str] = []
    tokens.takes("|")
    for part in tokens.names(")", where, MAX_PARENTS):
        parents += map(draft.known, part)
    shape = draft.shape(name, parents)
    for _ in _attributes(tokens, "data", where):
        numbers = np.array(tokens.numbers(";", where, skipped="(),"))
        draft.add_table(name, parents, shaped(numbers, shape, name))


def network_from_uai(text: str) -> BayesianNetwork:
    """Return the network that a UAI text describes.

    `text`: "BAYES", the number of variables and their cardinalities, the variables of
    each table, the child last, and then each table: its size and its numbers.

    Examples
    --------
    >>> network_from_uai("BAYES 1 2 1 1 0 2 .25 .75").tables["x0"].tolist()
    [0.25, 0.75]
    """
    tokens = plain_tokens(text, comment="#")
    kind = next(tokens, "")
    if kind.upper() != "BAYES":
        raise InterchangeError(
            f"The file begins with {shown(kind)}; a UAI network begins with BAYES."
        )
    n_variables = _count(tokens, MAX_VARIABLES)
    cardinalities = [_count(tokens, MAX_TABLE_ENTRIES) for _ in range(n_variables)]
    scopes = [_scope(tokens, n_variables) for _ in range(_count(tokens, MAX_VARIABLES))]
    parents, tables = {}, {}
    for scope in scopes:
        shape = [cardinalities[place] for place in scope]
        child = f"x{scope[-1]}"
        if child in tables:
            raise InterchangeError(
                f"The file has two tables for variable {scope[-1]}; give one for each."
            )
        tables[child] = _table(tokens, shape, child)
        parents[child] = tuple(f"x{place}" for place in scope[:-1])
    if len(tables) < n_variables:
        missing = next(k for k in range(n_variables) if f"x{k}" not in tables)
        raise InterchangeError(f"Variable {missing} has no table; give one for each.")
    states = {
        f"x{place}": tuple(map(str, range(cardinality)))
        for place, cardinality in enumerate(cardinalities)
    }
    return BayesianNetwork(states, parents, tables)


def _scope(tokens: Iterator[str], n_variables: int) -> list[int]:
    scope = [
        _count(tokens, n_variables - 1) for _ in range(_count(tokens, MAX_PARENTS))
    ]
    if not scope:
        raise InterchangeError("A table is over no variable; name its child.")
    return scope


def _table(tokens: Iterator[str], shape: list[int], child: str) -> np.ndarray:
    size = _count(tokens, MAX_TABLE_ENTRIES)
    if size != math.prod(shape):
        raise InterchangeError(
            f"The table of {child} says that it has {size} numbers, but its variables "
            f"have {math.prod(shape)} joint states."
        )
    where = f"the table of {child}"
    numbers = array("d", (number_of(token, where) for token in islice(tokens, size)))
    if len(numbers) < size:
        raise InterchangeError(
            f"The file ends after {len(numbers)} of the {size} numbers of {child}."
        )
    return np.array(numbers).reshape(shape)


def _count(tokens: Iterator[str], most: int) -> int:
    word = next(tokens, "the end")
    if not word.isascii() or not word.isdigit() or len(word) > 12 or int(word) > most:
        raise InterchangeError(
            f"The file has {shown(word)} where a count up to {most} is expected."
        )
    return int(word)
