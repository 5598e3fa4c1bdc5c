"""Files that a person opened, kept with the session as they were given."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from solvers.errors import InterchangeError

__all__ = ["MAX_FILES", "MAX_PACKED", "OpenedFile", "opened_file", "read_files"]

#: Characters that one packed file may take in a session.
MAX_PACKED = 1_500_000
#: Bytes of one file once unpacked: no page takes larger ones.
MAX_BYTES = 16 * 2**20
MAX_FILES = 6
MAX_NAME = 200
_BROKEN = "The session holds a file that cannot be read; save it again."


@dataclass(frozen=True)
class OpenedFile:
    """A file as a person gave it."""

    role: str  # What it is to the page, as "nodes"
    name: str  # What it is called
    content: bytes = field(repr=False)  # What is in it

    @cached_property
    def packed(self) -> str:
        """The content as text."""
        return base64.b64encode(zlib.compress(self.content, 6)).decode()

    @property
    def is_kept(self) -> bool:
        """Whether it is small enough for a session."""
        return len(self.packed) <= MAX_PACKED

    def plain(self) -> dict[str, str]:
        """Return it in the types of JSON."""
        return {"role": self.role, "name": self.name, "packed": self.packed}


def opened_file(role: str, name: str, content: bytes) -> OpenedFile:
    """Return a file that a person gives, under a name that can be shown and kept."""
    name = "".join(filter(str.isprintable, name))[:MAX_NAME]
    return OpenedFile(role, name or role, content)


def read_files(given: Any) -> list[OpenedFile]:
    """Return the files that somebody's session holds.

    `given`: A list of what `OpenedFile.plain` gave, and JSON gave back.
    """
    if not isinstance(given, list) or len(given) > MAX_FILES:
        raise InterchangeError(_BROKEN)
    return [_file(item) for item in given]


def _file(given: Any) -> OpenedFile:
    if not isinstance(given, dict) or set(given) != {"role", "name", "packed"}:
        raise InterchangeError(_BROKEN)
    if not all(isinstance(text, str) for text in given.values()):
        raise InterchangeError(_BROKEN)
    name, packed = given["name"], given["packed"]
    is_named = 0 < len(name) <= MAX_NAME and name.isprintable()
    if not is_named or len(given["role"]) > MAX_NAME or len(packed) > MAX_PACKED:
        raise InterchangeError(_BROKEN)
    return OpenedFile(given["role"], name, _unpacked(packed))


def _unpacked(text: str) -> bytes:
    """Return the content, or refuse: what is packed may want to be endless."""
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(
            base64.b64decode(text, validate=True), MAX_BYTES + 1
        )
    except (ValueError, binascii.Error, zlib.error) as error:
        raise InterchangeError(_BROKEN) from error
    if len(content) > MAX_BYTES or not unpacker.eof:
        raise InterchangeError(_BROKEN)
    return content
