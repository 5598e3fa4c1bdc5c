"""What all pages of one session share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import param

from solvers import Dataset
from solvers.datasets import all_datasets

from ..document.recipes import DataRecipe, made

DEFAULT_DATASET = "published"
FRAMES = ["", "present", "embed"]


@cache
def bundled(name: str) -> Dataset:
    """Return a bundled data set; the same object each time, since it cannot change."""
    return made(all_datasets()[name](), DataRecipe(name))


class SessionState(param.Parameterized):
    """The page in front, the theme, and the data set that every page learns from.

    The drawing owns the data set, where there is one: what is opened is drawn first,
    and what is learned is its table, priced by what is drawn.
    """

    page = param.String(default="frontier", doc="Name of the page in front.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")
    frame = param.Selector(
        default="",
        objects=FRAMES,
        doc="How much of a page is seen: all, what is presented, what is embedded.",
    )
    dataset: Any = param.ClassSelector(
        class_=Dataset, doc="What is learned. Another one is asked for by `open`."
    )
    origin = param.Dict(
        default={},
        doc="Files that the data come from, as ``export.loading`` takes them.",
    )
    budget = param.Number(
        default=None,
        bounds=(0, None),
        doc="What a prediction may cost, at the price of the data; None until a page "
        "says so. Pages that ask about money stand at it.",
    )
    subjects = param.Dict(
        default={}, doc="What pages ask about, where that is not the open problem."
    )

    def __init__(self, **params: Any) -> None:
        params.setdefault("dataset", bundled(DEFAULT_DATASET))
        super().__init__(**params)
        # Takes a data set and its origin: to draw it, where there is a drawing.
        self.opener: Callable[[Dataset, Mapping[str, Any]], None] = self.learn_from

    def open(self, dataset: Dataset, origin: Mapping[str, Any] | None = None) -> None:
        """Open another data set.

        `origin`: files that it comes from, as ``export.loading`` takes them.
        """
        self.opener(dataset, origin or {})

    def learn_from(self, dataset: Dataset, origin: Mapping[str, Any]) -> None:
        """Let every page learn from a data set; only who owns it says so."""
        self.param.update(dataset=dataset, origin=dict(origin))
