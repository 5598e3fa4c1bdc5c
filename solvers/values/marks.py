"""What a person says of the marks of a whole file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from ..errors import DataError, shown
from .base import Beside
from .words import GAP_MARKS


@dataclass(frozen=True)
class FileMarks:
    """What marks a gap in a file, and what its cells leave open.

    Parameters
    ----------
    gaps : tuple of str, optional
        The words of cells that hold nothing; an empty cell is a gap anyway.
    decimal : {"", ".", ","}, default=""
        What parts decimals in columns that do not tell it themselves.
    order : {"", "dmy", "mdy"}, default=""
        In which order day, month and year stand in columns that do not tell it.

    Raises
    ------
    DataError
        If a mark is none of these.

    Examples
    --------
    >>> FileMarks.of({"gaps": ["-"], "decimal": ","})
    FileMarks(gaps=('', '-'), decimal=',', order='')
    """

    gaps: tuple[str, ...] = GAP_MARKS
    decimal: str = ""
    order: str = ""

    def __post_init__(self) -> None:
        for what, value, allowed in [
            ("decimal", self.decimal, (".", ",")),
            ("order", self.order, ("dmy", "mdy")),
        ]:
            if value not in ("", *allowed):
                raise DataError(
                    f"The marks of a file have {what}={shown(value)}; use one of "
                    f"{', '.join(map(shown, allowed))}."
                )
        if isinstance(self.gaps, str) or not all(isinstance(g, str) for g in self.gaps):
            raise DataError(
                f"The marks of gaps are {shown(self.gaps)}; give a list of words."
            )
        # An empty cell holds nothing in every file.
        words = dict.fromkeys(["", *(mark.strip() for mark in self.gaps)])
        object.__setattr__(self, "gaps", tuple(words))

    @classmethod
    def of(cls, given: MarksGiven) -> FileMarks:
        """Return marks that are given as such, or as plain data.

        Parameters
        ----------
        given : FileMarks, mapping of str to object or None
            None of the usual ones.

        Returns
        -------
        FileMarks
        """
        if isinstance(given, FileMarks):
            return given
        known = [field.name for field in fields(cls)]
        if not isinstance(given or {}, Mapping) or not {*(given or {})} <= {*known}:
            raise DataError(
                f"The marks of a file are {shown(given)}; give some of "
                f"{', '.join(known)}."
            )
        return cls(**(given or {}))

    @property
    def data(self) -> dict[str, Any]:
        """They as JSON holds them: what is not as it is by default."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        changed = {k: v for k, v in found.items() if v != getattr(USUAL_MARKS, k)}
        return {k: list(v) if isinstance(v, tuple) else v for k, v in changed.items()}

    def beside(self, found: Beside) -> Beside:
        """Return what the columns of a file tell of each other, or a person of all.

        Parameters
        ----------
        found : Beside
            What the columns tell.

        Returns
        -------
        Beside
        """
        if self.decimal:
            found = replace(found, told=self.decimal)
        return replace(found, orders=frozenset({self.order})) if self.order else found


USUAL_MARKS = FileMarks()
MarksGiven: TypeAlias = FileMarks | Mapping[str, Any] | None
