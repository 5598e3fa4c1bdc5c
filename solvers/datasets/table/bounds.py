"""How much of a file is read, and what is said of one that is damaged."""

from __future__ import annotations

import io
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from ...errors import InterchangeError, shown

MAX_COLUMNS = 20_000  # a column costs its reader some 10 kB before its first cell
MAX_CELLS = 25_000_000  # 200 MB as floats
MAX_UNPACKED = 2**30  # bytes of all columns, unpacked
# What reading a damaged archive raises; RuntimeError: a part is encrypted, ValueError:
# it begins before the file does.
DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError),
    *(RuntimeError, ValueError, LookupError, TypeError),
    *(SyntaxError, tokenize.TokenError),  # of XML, and of an array's head
)


@contextmanager
def whole_file(what: str, remedy: str, *damages: type[Exception]) -> Iterator[None]:
    """Say of whatever is wrong with a file that it is no whole one, in one sentence."""
    try:
        yield
    except InterchangeError:
        raise
    except MemoryError as error:  # pyarrow's own is one of its damages, too
        raise InterchangeError(
            "The file unpacks to more than the memory that it may take; leave columns "
            "out."
        ) from error
    except damages as error:
        raise InterchangeError(
            f"The file is {what}, or only a part of it ({shown(str(error))}); {remedy}."
        ) from error


def zipped_names(data: bytes) -> Collection[str]:
    """Return the names of the parts of a zip archive, none where it is none."""
    if not data.startswith(b"PK\x03\x04"):
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return ()  # damaged: whoever is to read it says so


def refuse_huge_shape(n_rows: int, n_columns: int, max_cells: int = MAX_CELLS) -> None:
    """Refuse a table that would not fit into memory."""
    if n_columns > MAX_COLUMNS:
        raise InterchangeError(
            f"The table has {n_columns:,} columns; at most {MAX_COLUMNS:,} are read, "
            "so leave some out."
        )
    if n_rows * n_columns > max_cells:
        raise InterchangeError(
            f"The table has {n_rows:,} rows of {n_columns:,} columns; at most "
            f"{max_cells:,} cells are read, so leave some out."
        )


def refuse_bomb(unpacked: int, max_cells: int = MAX_CELLS) -> None:
    """Refuse what would unpack to more than the memory holds, before it is unpacked."""
    most = MAX_UNPACKED * max(1, max_cells // MAX_CELLS)
    if unpacked > most:
        raise InterchangeError(
            f"The file unpacks to {unpacked:,} bytes; at most {most:,} are read, so "
            "leave columns out."
        )
