"""What the scripts of pages share: where their data come from, and their constants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvers import Dataset
from solvers.errors import DataError

from ..document.recipes import DataRecipe, recipe_of

__all__ = ["assignments", "session_recipe"]


def session_recipe(dataset: Dataset | None) -> DataRecipe:
    """Return how a script makes the session's data set.

    Raises DataError where no maker makes it: a table, or costs, of a person's own.
    """
    recipe = None if dataset is None else recipe_of(dataset, as_priced=True)
    if recipe is None:
        raise DataError(
            "A script cannot make the session's own data; choose bundled data, or take "
            "the bundle of the Frontier page, which has the table in it."
        )
    return recipe


def assignments(constants: Mapping[str, Any]) -> str:
    """Return constants as lines of Python: text from people stands in literals."""
    return "\n".join(f"{name} = {value!r}" for name, value in constants.items())
