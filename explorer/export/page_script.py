"""What the scripts of pages share: where their data come from, and their constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solvers import Dataset
from solvers.datasets import reading_options
from solvers.errors import DataError

from ..document.recipes import recipe_of
from .bundle import HYPERGRAPH, TABLE

_COSTS = f"read_hypergraph({HYPERGRAPH!r}).hypergraph"
_FILES = '# The bundle of the Frontier page, "Everything", has {} beside its script.\n'


@dataclass(frozen=True)
class GivenData:
    """How a script comes by `dataset`."""

    imports: str  # Names of ``solvers``, with commas between
    lines: str  # What makes it
    first: str = ""  # Another import, above those of packages


def bundled_data(name: str, options: Mapping[str, Any]) -> GivenData:
    """Return how a script makes a bundled data set."""
    asked = assignments({"DATASET": name, "OPTIONS": dict(options)})
    made = f"{asked}\ndataset = all_datasets()[DATASET](**OPTIONS)"
    return GivenData("all_datasets", made)


def session_data(dataset: Dataset | None) -> GivenData:
    """Return how a script makes the session's data set.

    A table, or costs, of a person's own are read from the files of the bundle.
    """
    if dataset is None:
        raise DataError("There are no data yet; open a table or bundled data first.")
    recipe = recipe_of(dataset)
    if recipe is None:
        options = reading_options(dataset)
        asked = assignments(
            {
                "TABLE": TABLE,
                "OPTIONS": {k: v for k, v in options.items() if v or v == 0},
            }
        )
        return GivenData(
            "read_hypergraph, read_table",
            _FILES.format("both files")
            + f"{asked}\ndataset = read_table(TABLE, hypergraph={_COSTS}, **OPTIONS)",
        )
    made = bundled_data(recipe.name, recipe.options)
    if recipe_of(dataset, as_priced=True) is not None:
        return made
    return GivenData(
        "all_datasets, read_hypergraph",
        f"{_FILES.format('this file')}{made.lines}\n"
        f"dataset = replace(dataset, hypergraph={_COSTS})",
        "from dataclasses import replace\n\n",
    )


def assignments(constants: Mapping[str, Any]) -> str:
    """Return constants as lines of Python: text from people stands in literals."""
    return "\n".join(f"{name} = {value!r}" for name, value in constants.items())
