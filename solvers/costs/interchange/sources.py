"""Bytes and text of a file that nobody vouches for."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Never, TypeAlias

from ...checks import refuse_twins
from ...errors import DataError, InterchangeError, listed, reason_of, shown

Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview"

MAX_BYTES = 64 * 2**20
_BLOCK = 2**24  # bytes that are decoded at once
MAX_NAME = 1000  # characters; a name is read by people

_PACKAGE = Path(__file__).resolve().parents[2]
# Where bundled files lie: inside the package in a wheel, beside it in a checkout.
_PLACES = (_PACKAGE / "sample_data", _PACKAGE.parent / "sample_data")

_OTHER_FORMATS = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "save it as text"),
    (b"\x1f\x8b", "compressed with gzip", "unpack it first"),
    (b"\xfd7zXZ", "compressed with xz", "unpack it first"),
    (b"BZh", "compressed with bzip2", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save it as CSV"),
    (b"PAR1", "a Parquet table", "give it where a table is asked for"),
    (b"%PDF", "a PDF document", "give the data themselves"),
    (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
)


def strict_json(text: str) -> Any:
    """Return what a text holds as JSON: whole, each key once, every number finite."""
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_without_twins
        )
    except InterchangeError:
        raise
    except json.JSONDecodeError as error:
        raise InterchangeError(
            f"The file is not JSON, or only a part of it: {error.msg.rstrip(':')} at "
            f"line {error.lineno}, column {error.colno}; export it again."
        ) from error
    except RecursionError as error:
        raise InterchangeError(
            "The JSON is nested too deeply; give the file as it was exported."
        ) from error
    except ValueError as error:  # Python reads integers of 4300 digits at most
        raise InterchangeError(
            f"The JSON holds a number that cannot be read ({error}); write it shorter."
        ) from error


def _refuse_constant(constant: str) -> Never:
    raise InterchangeError(
        f"The file holds {constant}, which JSON does not know; write a finite number."
    )


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        keys = [key for key, _ in pairs]
        refuse_twins(keys, "A JSON object has the key", InterchangeError)
    return record


def these(what: str, names: Sequence[str]) -> str:
    """Return what names are names of, and the first few, for a message."""
    return f"{what}{'s' if len(names) > 1 else ''} {listed(names)}"


def sample_data(*parts: str) -> Path:
    """Return the path of a bundled file or folder.

    Examples
    --------
    >>> sample_data("README.md").name
    'README.md'
    """
    for place in _PLACES:
        path = place.joinpath(*parts)
        if path.exists():
            return path
    raise DataError(
        f"There is no {shown('/'.join(parts))} among the sample data; install the "
        "package again, or name a file that its README lists."
    )


def file_name(source: Source) -> str:
    """Return the name of a file, or "" for bytes that have none.

    Parameters
    ----------
    source : path or bytes
        Where to read.

    Returns
    -------
    str
    """
    return Path(source).name if isinstance(source, str | os.PathLike) else ""


def read_bytes(
    source: Source,
    max_bytes: int = MAX_BYTES,
    remedy: str = "give a smaller one, or raise max_bytes",
) -> bytes:
    """Return what a file holds, unless it is too large.

    Parameters
    ----------
    source : path or bytes
        A path, or the content itself.
    max_bytes : int, default=MAX_BYTES
        The most to read.
    remedy : str, optional
        What to do about one that is larger.

    Returns
    -------
    bytes

    Raises
    ------
    InterchangeError
        If there is no such file, it cannot be read, or it is larger.
    """
    if isinstance(source, str | os.PathLike):
        data = _read_path(source, max_bytes)
    elif isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source[: max_bytes + 1])
    else:
        raise InterchangeError(
            f"A file is a path or bytes, not {shown(source)} of type "
            f"{type(source).__name__}; give one of these."
        )
    if len(data) > max_bytes:
        raise InterchangeError(
            f"The file is larger than {max_bytes:,} bytes; {remedy}."
        )
    return data


def read_beginning(source: Source, n_bytes: int) -> tuple[bytes, int]:
    """Return the first bytes of a file, and how many there are in all."""
    if not isinstance(source, str | os.PathLike):
        data = read_bytes(source, sys.maxsize - 1)
        return data[:n_bytes], len(data)
    data = _read_path(source, n_bytes - 1)
    return data, max(len(data), Path(source).stat().st_size)


def _read_path(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    try:
        if not Path(path).is_file():
            raise InterchangeError(
                f"There is no file {shown(os.fspath(path))}; give the path of one."
            )
        with open(path, "rb") as file:
            return file.read(max_bytes + 1)
    except OSError as error:
        raise InterchangeError(
            f"The file {shown(os.fspath(path))} cannot be read "
            f"({reason_of(error)}); check its path and its permissions."
        ) from error


def as_text(data: bytes) -> str:
    """Return bytes as text, or say which format they are in instead.

    Parameters
    ----------
    data : bytes
        Text in UTF-8, with a byte order mark or without.

    Returns
    -------
    str
        Without the mark, and not empty.

    Raises
    ------
    InterchangeError
        If the bytes are empty, compressed, in another encoding or of a known format
        that is not text.
    """
    refuse_no_text(data)
    return data.decode("utf-8-sig")


def refuse_no_text(data: bytes) -> None:
    """Refuse what ``as_text`` refuses, without a copy of it all."""
    for magic, what, remedy in _OTHER_FORMATS:
        if data.startswith(magic):
            raise InterchangeError(f"The file is {what}, not UTF-8 text; {remedy}.")
    decoder, empty = codecs.getincrementaldecoder("utf-8-sig")(), True
    for start in range(0, max(len(data), 1), _BLOCK):
        block = data[start : start + _BLOCK]
        try:
            text = decoder.decode(block, final=start + _BLOCK >= len(data))
        except UnicodeDecodeError as error:
            # What was pending of the block before stands in front of this one.
            place = start + len(block) - len(error.object) + error.start
            raise InterchangeError(
                f"The file is not UTF-8 text: byte {place} is 0x{data[place]:02x}; "
                "save it with the encoding UTF-8, which Excel calls CSV UTF-8."
            ) from error
        empty = empty and not text.strip()
    if empty:
        raise InterchangeError("The file is empty; give one with content.")


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write text as UTF-8, its line ends as they are, whole or not at all.

    `path`: where to; what is there is replaced.
    """
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InterchangeError(
            f"A name holds {shown(error.object[error.start])}, which is no character; "
            "rename what it names."
        ) from error
    write_whole(content, path)


def write_whole(content: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file whole or not at all: until then what was there stays.

    Parameters
    ----------
    content : bytes
        What it is to hold.
    path : str or path-like
        Where to; what is there is replaced.

    Raises
    ------
    InterchangeError
        If it cannot be written; half a file is not left.
    """
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():  # a pipe, or a folder
            target.write_bytes(content)
            return
        # Threads of one process may write into one folder.
        own = f"{os.getpid()}-{threading.get_ident()}"
        growing = target.with_name(f".thriftscope-{own}.tmp")
        try:
            growing.touch()
            if target.exists():  # what only its owner may read stays so
                shutil.copymode(target, growing)
            growing.write_bytes(content)
            growing.replace(target)
        finally:
            with suppress(OSError):
                growing.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InterchangeError(
            f"The file {shown(os.fspath(path))} cannot be written "
            f"({reason_of(error)}); check its folder, its permissions and the room "
            "that is left."
        ) from error


def refuse_odd_names(names: Sequence[str], what: str) -> None:
    """Refuse names that no screen and no file could hold."""
    longest = max(names, key=len, default="")
    if len(longest) > MAX_NAME:
        raise InterchangeError(
            f"The {what} {shown(longest)} has a name of {len(longest):,} characters; "
            f"use {MAX_NAME:,} at most."
        )
    try:
        "".join(names).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InterchangeError(
            f"The name of a {what} holds {shown(error.object[error.start])}, which is "
            "no character; rename it."
        ) from error
