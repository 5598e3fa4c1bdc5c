"""Files that a person opened, kept with the session as they were given."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .checked import demand, is_text, packed, unpacked

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
        return packed(self.content, 6)

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
    demand(isinstance(given, list) and len(given) <= MAX_FILES, _BROKEN)
    return [_file(item) for item in given]


def _file(given: Any) -> OpenedFile:
    is_file = isinstance(given, dict) and set(given) == {"role", "name", "packed"}
    demand(is_file, _BROKEN)
    role, name, text = given["role"], given["name"], given["packed"]
    demand(is_text(role, MAX_NAME) and is_text(text, MAX_PACKED), _BROKEN)
    demand(is_text(name, MAX_NAME) and name, _BROKEN)
    return OpenedFile(role, name, unpacked(text, MAX_BYTES, _BROKEN))
