"""What all pages of one session share."""

from __future__ import annotations

from functools import cache
from typing import Any

import param

from solvers import Dataset
from solvers.datasets import all_datasets

from ..document.recipes import Recipe, made

__all__ = ["DEFAULT_DATASET", "SessionState", "bundled"]

DEFAULT_DATASET = "signals"


@cache
def bundled(name: str) -> Dataset:
    """Return a bundled data set; the same object each time, since it cannot change."""
    return made(all_datasets()[name](), Recipe(name))


class SessionState(param.Parameterized):
    """The page in front, the theme, and the data set that every page learns from."""

    page = param.String(default="frontier", doc="Name of the page in front.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")
    dataset: Any = param.ClassSelector(class_=Dataset, doc="What is learned.")
    origin = param.Dict(
        default={"dataset_name": DEFAULT_DATASET},
        doc="Where the data come from, as arguments of ViewDescription.",
    )

    def __init__(self, **params: Any) -> None:
        params.setdefault("dataset", bundled(DEFAULT_DATASET))
        params.setdefault("origin", {"dataset_name": params["dataset"].name})
        super().__init__(**params)

    def open_bundled(self, name: str) -> None:
        """Learn from a bundled data set."""
        self.param.update(dataset=bundled(name), origin={"dataset_name": name})
