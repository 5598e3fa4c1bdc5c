"""Reading lines and rows from files that people bring, within limits."""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeAlias

from ..errors import InterchangeError

__all__ = ["TextSource", "lines_of", "number_in", "rows_of", "source_name"]

TextSource: TypeAlias = "str | os.PathLike[str] | TextIO"

MAX_CHARACTERS = 400_000_000  # the public lab file has 150 million
MAX_FIELD = 10_000


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
            f"{name} cannot be read as text ({error}); give a text file, plain or "
            "gzipped."
        ) from error


def rows_of(
    source: TextSource, required: Iterable[str]
) -> tuple[list[str], Iterator[tuple[int, dict[str, str]]]]:
    """Return the columns of a CSV file, and its rows with their line numbers."""
    name = source_name(source)
    reader = csv.reader(lines_of(source), strict=True)
    cells = _next_row(reader, name)
    if cells is None:
        raise InterchangeError(f"{name} is empty; give a header and rows.")
    columns = [cell.strip().lstrip("\ufeff") for cell in cells]
    missing = [column for column in required if column not in columns]
    if missing:
        raise InterchangeError(
            f"{name} has no column {missing[0]!r}; its columns are "
            f"{', '.join(columns[:10])}."
        )
    twice = [column for column in columns if columns.count(column) > 1]
    if twice:
        raise InterchangeError(
            f"{name} has two columns {twice[0]!r}; give every column a name of its own."
        )

    def rows() -> Iterator[tuple[int, dict[str, str]]]:
        while (row := _next_row(reader, name)) is not None:
            if not row:
                continue
            if len(row) != len(columns):
                raise InterchangeError(
                    f"Line {reader.line_num} of {name} has {len(row)} cells for "
                    f"{len(columns)} columns; give one cell for each."
                )
            cleaned = [cell.strip() for cell in row]
            yield reader.line_num, dict(zip(columns, cleaned, strict=True))

    return columns, rows()


def number_in(row: dict[str, str], column: str, line: int, name: str) -> float:
    """Return a cell as a finite number."""
    try:
        value = float(row[column])
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise InterchangeError(
            f"Line {line} of {name} has {row[column][:40]!r} in column {column!r}; "
            "give a finite number."
        )
    return value


def _next_row(reader: Iterator[list[str]], name: str) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        raise InterchangeError(
            f"{name} is not comma-separated text ({error}); save it as CSV."
        ) from error


def _opened(source: TextSource) -> TextIO:
    if not isinstance(source, str | os.PathLike):
        return io.StringIO(source.read(MAX_CHARACTERS + 1))
    path = os.fspath(source)
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return open(path, encoding="utf-8-sig", newline="")
