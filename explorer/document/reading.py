"""What a person says of the columns of a table, and how it is read by that."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from solvers import Dataset, read_table
from solvers.datasets import TableFile
from solvers.datasets.columns import Encoding, Gaps, Kind
from solvers.datasets.table import Role
from solvers.errors import DataError, shown

# Of these there is one column at most.
_SINGLE = ("label", "group", "time", "part", "weight")
_MAX_VALUES = 1_000
_CHOICES: Mapping[str, tuple[Any, ...]] = {
    "role": get_args(Role),
    "kind": get_args(Kind),
    "gaps": get_args(Gaps),
    "encoding": get_args(Encoding),
}


@dataclass(frozen=True)
class TableUse:
    """Roles and kinds of columns; whatever is not said is detected."""

    roles: Mapping[str, Role] = field(default_factory=dict)
    # Fields of ``Column`` by name
    kinds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    positive: Any = None  # The label that counts as positive; None for the usual one

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> TableUse:
        """Return what arguments of ``read_table`` say."""
        roles: dict[str, Role] = {}
        for role in _SINGLE:
            if options.get(role) is not None:
                roles[options[role]] = role
        roles |= dict.fromkeys(options.get("leave_out", ()), "left out")
        roles |= dict.fromkeys(options.get("free", ()), "free")
        return cls(roles, dict(options.get("kinds", {})), options.get("positive"))

    @property
    def label(self) -> str | None:
        """The column of the labels, where one is named."""
        return self._named("label")

    def of_column(self, name: str) -> tuple[Any, Any]:
        """Return what is said of a column."""
        return self.roles.get(name, "feature"), self.kinds.get(name)

    def options(self) -> dict[str, Any]:
        """Return arguments of ``read_table``."""
        options: dict[str, Any] = {role: self._named(role) for role in _SINGLE}
        options = {role: name for role, name in options.items() if name is not None}
        for role, argument in (("left out", "leave_out"), ("free", "free")):
            names = [name for name, used in self.roles.items() if used == role]
            options |= {argument: names} if names else {}
        options |= {"kinds": dict(self.kinds)} if self.kinds else {}
        return options | ({} if self.positive is None else {"positive": self.positive})

    def changed(
        self, name: str, key: str, value: Any, kind: Kind = "number"
    ) -> TableUse:
        """Return the use where a person says something else of a column.

        `key`: "role", "kind", "gaps", "encoding" or "values"; the last two are said of
        a `kind`, the one that the column is taken for now.
        """
        if key == "values":
            return self._told(name, {"kind": kind, "values": _values(value)})
        if key not in _CHOICES or value not in _CHOICES[key]:
            raise DataError(
                f"Column {shown(name)} cannot have the {shown(key)} {shown(value)}; "
                "choose one that is offered."
            )
        if key == "role":
            return self._with_role(name, value)
        if key == "kind":
            gaps = self._fields(name).get("gaps")
            told = {"kind": value} | ({"gaps": gaps} if gaps else {})
            return replace(self, kinds={**self.kinds, name: told})
        said = {"kind": kind} if key == "encoding" else {}
        return self._told(name, {**said, key: value})

    def left_out(self, names: Collection[str]) -> TableUse:
        """Return the use without some columns."""
        return replace(self, roles={**self.roles, **dict.fromkeys(names, "left out")})

    def _with_role(self, name: str, role: Role) -> TableUse:
        others = {
            other: used
            for other, used in self.roles.items()
            if other != name and not (used == role and role in _SINGLE)
        }
        positive = None if "label" in (role, self.roles.get(name)) else self.positive
        return replace(self, roles={**others, name: role}, positive=positive)

    def _told(self, name: str, fields: Mapping[str, Any]) -> TableUse:
        return replace(
            self, kinds={**self.kinds, name: {**self._fields(name), **fields}}
        )

    def _fields(self, name: str) -> Mapping[str, Any]:
        told = self.kinds.get(name, {})
        return {"kind": told} if isinstance(told, str) else told

    def _named(self, role: str) -> str | None:
        return next((name for name, used in self.roles.items() if used == role), None)


def _values(text: Any) -> list[str]:
    """Return the values of an ordered category, as a person writes them."""
    if not isinstance(text, str):
        raise DataError("The values of an ordered category are text; type them.")
    words = [word.strip() for word in text.split("<")]
    words = [word for word in words if word]
    if len(words) != len(set(words)) or not 2 <= len(words) <= _MAX_VALUES:
        raise DataError(
            f"{shown(text)} is no order of values; write each once, as in "
            "low < middle < high."
        )
    return words


@dataclass(frozen=True, eq=False)
class Reading:
    """A table as it was given, what is said of its columns, and what they cost."""

    file: TableFile
    use: TableUse
    # ``hypergraph``, ``costs``, ``unit`` and ``missing`` of ``read_table``
    prices: Mapping[str, Any] = field(default_factory=dict)
    filename: str = ""  # What a person calls it; empty where it is none of theirs
    # ``sheet``, ``has_header`` and ``marks``, where they are not the usual ones
    opening: Mapping[str, Any] = field(default_factory=dict)

    def dataset(self) -> Dataset:
        """Return the data set that is read."""
        name = self.filename.rpartition(".")[0] or self.filename
        return read_table(
            self.file, name=name or None, **self.use.options(), **self.prices
        )

    def origin(self, dataset: Dataset) -> dict[str, Any]:
        """Return how a script reads it, for ``export.loading``.

        `dataset`: what was read; the script reads costs from a file beside it.
        """
        if not self.filename:
            return {}
        options = self.use.options()
        label, positive = options.pop("label"), dataset.positive
        used = {*dataset.feature_names, *self.use.roles}
        options["leave_out"] = [
            *options.get("leave_out", ()),
            *(name for name in self.file.columns if name not in used),
        ]
        options.pop("free", None)  # they stand in the file of costs
        options |= {"positive": positive} if positive is not None else {}
        said = {key: value for key, value in options.items() if value}
        return {
            "table_file": self.filename,
            "label": label,
            "dataset_options": {**self.opening, **said},
            "hypergraph_file": "hypergraph.json",
        }

    def without(self, names: Collection[str]) -> Reading:
        """Return how the table is read without some columns."""
        return replace(self, use=self.use.left_out(names))
