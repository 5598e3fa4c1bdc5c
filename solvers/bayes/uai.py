"""UAI: networks as plain numbers, the last variable of a table changing fastest.

Read here and not by pgmpy, whose reader takes the last variable as the slowest, loses
the order of parents and knows no exponents.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from itertools import islice

import numpy as np

from ..errors import InterchangeError, shown
from .draft import MAX_PARENTS, MAX_VARIABLES, number_of, plain_tokens
from .network import MAX_TABLE_ENTRIES, BayesianNetwork


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
