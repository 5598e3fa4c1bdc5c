"""Reading lines and rows from files that people bring, within limits."""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TextIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..checks import refuse_twins
from ..costs.interchange.csv_rows import (
    DELIMITER_HINT,
    LOOKED_AT,
    csv_rows,
    told_delimiter,
    unguarded,
)
from ..errors import InterchangeError, listed, reason_of, shown
from ..values import NumberForm, beside_columns, number_form, plain_number

TextSource: TypeAlias = "str | os.PathLike[str] | TextIO"

MAX_CHARACTERS = 400_000_000  # the public lab file has 150 million
MAX_FIELD = 10_000
_HINT = re.compile(DELIMITER_HINT, re.IGNORECASE)


def source_name(source: TextSource) -> str:
    """Return what to call a file in messages."""
    if isinstance(source, str | os.PathLike):
        return os.path.basename(os.fspath(source))
    return os.path.basename(str(getattr(source, "name", "the file")))


def lines_of(source: TextSource) -> Iterator[str]:
    """Yield the lines of a text file, plain or gzipped."""
    name = source_name(source)
    seen = 0
    try:
        with _opened(source) as stream:
            while line := stream.readline(MAX_FIELD * 10):
                seen += len(line)
                if seen > MAX_CHARACTERS:
                    raise InterchangeError(
                        f"{name} has more than {MAX_CHARACTERS} characters; cut it "
                        "into parts."
                    )
                yield line
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InterchangeError(
            f"{name} cannot be read as text ({reason_of(error)}); give a text file, "
            "plain or gzipped."
        ) from error


def rows_of(
    source: TextSource, required: Iterable[str]
) -> tuple[list[str], Iterator[tuple[int, dict[str, str]]]]:
    """Return the columns of a CSV file, and its rows with their line numbers.

    What parts its cells is told by its first lines, or by a line ``sep=;``.
    """
    name = source_name(source)
    delimiter, lines = _parted(lines_of(source))
    cells, rows = csv_rows(lines, name, delimiter)
    if not cells:
        raise InterchangeError(f"{name} is empty; give a header and rows.")
    columns = [cell.strip().lstrip("\ufeff") for cell in cells]
    missing = [column for column in required if column not in columns]
    if missing:
        raise InterchangeError(
            f"{name} has no column {shown(missing[0])}; its columns are "
            f"{listed(columns)}."
        )
    refuse_twins(columns, f"{name} has the column", InterchangeError)
    cleaned = ((line, [unguarded(cell.strip()) for cell in row]) for line, row in rows)
    return columns, (
        (line, dict(zip(columns, row, strict=True))) for line, row in cleaned
    )


def _parted(lines: Iterator[str]) -> tuple[str, Iterator[str]]:
    """Return what parts cells, and all lines; one that only tells it is empty."""
    first = [*islice(lines, LOOKED_AT)]
    hint = first and _HINT.fullmatch(first[0].lstrip("\ufeff"))
    if hint:
        return hint[1], chain(["\n"], first[1:], lines)
    is_cut = len(first) == LOOKED_AT  # perhaps within quotes
    return told_delimiter("".join(first), is_cut=is_cut), chain(first, lines)


def number_in(row: dict[str, str], column: str, line: int, name: str) -> float:
    """Return a cell that programs write as a number."""
    value = plain_number(row[column])
    if value is None:
        raise _no_number(row[column], column, line, name)
    return value


def number_columns(
    words: Mapping[str, Sequence[str]],
    lines: Sequence[int],
    name: str,
    decimal: str | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Return columns of numbers that people wrote, each (n_rows,), as they tell.

    `words`: the cells of each, trimmed; `lines`: the line of each row; `decimal`: what
    parts decimals, where it is told.
    """
    distinct = {column: [*dict.fromkeys(cells)] for column, cells in words.items()}
    beside = beside_columns(distinct.values())
    found = {}
    for column, cells in words.items():
        form = number_form(
            distinct[column], name=column, beside=beside, decimal=decimal, least=0.0
        )
        found[column] = (form or NumberForm()).read_all(cells)
        wrong = np.flatnonzero(np.isnan(found[column]))
        if wrong.size:
            raise _no_number(cells[wrong[0]], column, lines[wrong[0]], name)
    return found


def _no_number(cell: str, column: str, line: int, name: str) -> InterchangeError:
    return InterchangeError(
        f"Line {line} of {name} has {shown(cell)} in column {shown(column)}; give a "
        "finite number."
    )


def _opened(source: TextSource) -> TextIO:
    if not isinstance(source, str | os.PathLike):
        return io.StringIO(source.read(MAX_CHARACTERS + 1))
    path = os.fspath(source)
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return open(path, encoding="utf-8-sig", newline="")
