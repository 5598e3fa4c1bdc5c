"""How a table was read, so that it can be read again in another way."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from solvers import Dataset, read_table
from solvers.datasets import TableFile

from .table_use import TableUse


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
