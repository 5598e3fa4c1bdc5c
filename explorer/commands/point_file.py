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

    The parameters of all methods have a column from the start, since rows that are
    written cannot be widened.
    """

    def __init__(self, path: Path, methods: Iterable[str]) -> None:
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
            self._writer.writerow({name: guarded(row[name]) for name in row})
            self._file.flush()
        except OSError as error:
            raise ThriftscopeError(
                f"{shown(self._file.name)} cannot be written ({reason_of(error)}); the "
                "points before this one are in it: make room, and run again."
            ) from error

    def _columns(self, row: Mapping[str, Any]) -> list[str]:
        others = [name for name in row if not name.startswith("param_")]
        after = others.index("method") + 1
        return [*others[:after], *self._params, *others[after:]]
