"""Points written to a CSV file as they come: what is killed has lost nothing."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from solvers import ThriftscopeError, all_methods
from solvers.costs.interchange import guarded
from solvers.errors import reason_of, shown


class PointFile:
    """A CSV file that grows by one row a point, each on disk before the next comes.

    The parameters of all methods have a column from the start; where other data have
    further prices or scores, the file is written anew with a column for each.
    """

    def __init__(self, path: Path, methods: Iterable[str]) -> None:
        self._path = path
        self._file = path.open("a", encoding="utf-8", newline="")
        known = all_methods()
        names = dict.fromkeys(knob for name in methods for knob in known[name].knobs)
        self._params = [f"param_{name}" for name in names]
        self._writer: csv.DictWriter[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # every row is flushed, or was told of, by itself
            self._file.close()

    def write(self, row: Mapping[str, Any]) -> None:
        """Append a point, as ``row()`` gives it, and flush it."""
        if self._writer is None:
            self._file.truncate(0)  # what a run before has left, until there is a point
            self._writer = csv.DictWriter(
                self._file, self._columns(row), lineterminator="\n"
            )
            self._writer.writeheader()
        try:
            if new := [name for name in row if name not in self._writer.fieldnames]:
                self._widen(new)
            self._writer.writerow({name: guarded(row[name]) for name in row})
            self._file.flush()
        except OSError as error:
            raise ThriftscopeError(
                f"{shown(self._file.name)} cannot be written ({reason_of(error)}); the "
                "points before this one are in it: make room, and run again."
            ) from error

    def _widen(self, names: list[str]) -> None:
        """Write the file anew with further columns, beside and then in its place."""
        self._file.close()
        wider = self._path.with_name(f"{self._path.name}.wider")
        with self._path.open(encoding="utf-8", newline="") as before:
            rows = csv.DictReader(before)
            columns = [*(rows.fieldnames or ()), *names]
            with wider.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        wider.replace(self._path)
        self._file = self._path.open("a", encoding="utf-8", newline="")
        self._writer = csv.DictWriter(self._file, columns, lineterminator="\n")

    def _columns(self, row: Mapping[str, Any]) -> list[str]:
        others = [name for name in row if not name.startswith("param_")]
        after = others.index("method") + 1
        return [*others[:after], *self._params, *others[after:]]
