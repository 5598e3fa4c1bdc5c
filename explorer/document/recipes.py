"""How a data set was made, so that it need not be kept itself."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solvers import Dataset
from solvers.datasets import all_datasets, dataset_options
from solvers.errors import DataError, shown

# By the identity of the rows: edits of costs and names leave these as they are.
_known: dict[int, tuple[weakref.ref[Any], Callable[[], Any], DataRecipe]] = {}


@dataclass(frozen=True)
class DataRecipe:
    """The maker of a data set, and what it is asked for."""

    name: str  # A name of ``all_datasets()``
    options: Mapping[str, Any] = field(default_factory=dict)  # Arguments of the maker

    def check(self) -> None:
        """Refuse a recipe that no maker follows."""
        if self.name not in all_datasets():
            raise DataError(
                f"There is no data set {shown(self.name)}; choose from "
                f"{', '.join(all_datasets())}."
            )
        knobs = dataset_options(self.name)
        for key, value in self.options.items():
            if key not in knobs:
                raise DataError(
                    f"The data set {self.name} cannot be asked for {shown(key)}; "
                    f"choose from {', '.join(knobs) or 'nothing'}."
                )
            knobs[key].check(key, value)


def made(dataset: Dataset, recipe: DataRecipe, *, as_priced: bool = True) -> Dataset:
    """Remember how a data set was made.

    `as_priced`: whether its maker gives it these costs, too.
    """
    key = id(dataset.X)

    def forget(_: Any) -> None:
        _known.pop(key, None)

    _known[key] = (
        weakref.ref(dataset.X, forget),
        weakref.ref(dataset.hypergraph) if as_priced else _not_there,
        recipe,
    )
    return dataset


def _not_there() -> None:
    """Stand for a hypergraph that the maker does not give."""


def recipe_of(dataset: Dataset, *, as_priced: bool = False) -> DataRecipe | None:
    """Return how the rows of a data set were made.

    None where the rows are a person's own, or were changed.
    `as_priced`: whether its hypergraph has to be the maker's as well.
    """
    rows, hypergraph, recipe = _known.get(id(dataset.X), (None, None, None))
    if rows is None or hypergraph is None or rows() is not dataset.X:
        return None
    if as_priced and hypergraph() is not dataset.hypergraph:
        return None
    return recipe
