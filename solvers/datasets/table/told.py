"""What somebody says of a table: which column is the label, and of the others."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import DataError, listed, shown
from ...naming import first_twin
from ...values import matched_names
from ..columns.schema import Gaps, checked_kinds
from .prices import Missing

__all__ = ["TableOptions"]


@dataclass(frozen=True)
class TableOptions:
    """Arguments of ``read_table`` that are about columns and rows, not about prices."""

    label: str
    name: str | None = None
    positive: Any = None
    leave_out: Collection[str] = ()
    free: Collection[str] = ()
    missing: Missing = "refuse"
    kinds: Mapping[str, Any] = field(default_factory=dict)
    gaps: Gaps = "fill"
    # Column by role: group, time, part, weight; None where there is none
    roles: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", checked_kinds(self.kinds))

    @property
    def uses(self) -> dict[str, str]:
        """The columns that say something of the rows, by their role."""
        return {role: name for role, name in self.roles.items() if name is not None}

    def with_names_of(self, columns: Collection[str]) -> TableOptions:
        """Return them with columns called as in the table, where names look alike."""
        given = [self.label, *self.leave_out, *self.free, *self.kinds]
        alike = matched_names([*given, *self.uses.values()], columns)
        if not alike:
            return self

        def named(name: str) -> str:
            return alike.get(name, name)

        return replace(
            self,
            label=named(self.label),
            leave_out=[*map(named, self.leave_out)],
            free=[*map(named, self.free)],
            kinds={named(name): kind for name, kind in self.kinds.items()},
            roles={role: named(name) for role, name in self.uses.items()},
        )

    def check(self, columns: Collection[str]) -> None:
        """Refuse names of columns that a table does not have, and two uses of one."""
        _refuse_unknown([self.label], columns, "the label")
        _refuse_unknown(self.leave_out, columns, "to leave out")
        _refuse_unknown(self.free, columns, "at no cost")
        _refuse_unknown(self.kinds, columns, "whose kind is given")
        for role, column in self.uses.items():
            _refuse_unknown([column], columns, f"the {role}")
        out = dict.fromkeys([*self.leave_out, *self.uses.values()])
        twin = first_twin([self.label, *out, *dict.fromkeys(self.free)])
        if twin is not None:
            raise DataError(
                f"Column {shown(twin)} is put to two uses; it can be the label, left "
                "out, free or say something of the rows, and only one of them."
            )


def _refuse_unknown(given: Collection[str], known: Collection[Any], what: str) -> None:
    """Refuse names of columns that a table does not have."""
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(str(name), list(known)[:10_000], n=1)
            near = f"its columns are {listed(list(known))}."
            if close:
                near = f"did you mean {shown(close[0])}?"
            raise DataError(f"The table has no column {shown(name)} ({what}); {near}")
