"""What all pages of one session share, where a budget stands, and how both begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import param

from solvers import Dataset
from solvers.datasets import all_datasets, from_frame
from solvers.errors import DataError, listed

from ..document.recipes import DataRecipe, made, recipe_of
from .own_files import refuse_unlearnable

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


# Of what all features cost.
_OPENING_SHARE = 0.1
# By data set as it comes: where its best model shares, or what its question asks.
_OPENING = {"published": 10.5, "heart": 50.0}


def opening_budget(dataset: Dataset) -> float:
    """Return where the budget stands at first: it buys one feature in two, not all.

    Each by itself: what is shared has to be paid before anything that needs it.
    """
    recipe = recipe_of(dataset, as_priced=True)
    if recipe is not None and recipe.name in _OPENING:
        return _OPENING[recipe.name]
    prices, total = dataset.hypergraph.marginal_costs(), dataset.hypergraph.total_cost
    paid = prices[prices > 0]
    usual = np.quantile(paid, 0.5, method="lower") if len(paid) else total
    return float(max(_OPENING_SHARE * total, usual))


def repriced(budget: float, before: float, after: float) -> float:
    """Return a budget at other prices: the same share of what there is to pay.

    `before`, `after`: what all features cost together; before, above 0.
    """
    return min(budget * (after / before), after)


def opened_with(
    data: Any,
    target: str | None,
    session: SessionState | None,
    options: Mapping[str, Any],
) -> SessionState:
    """Return a session whose data set is a frame, or a data set that was given.

    `target`: the label column of a frame; `options`: for ``from_frame``.
    """
    if session is not None:
        raise DataError("Both data and a session are given; give one of them.")
    is_dataset = isinstance(data, Dataset)
    if is_dataset and (target is not None or options):
        told = [*(["target"] if target is not None else []), *options]
        raise DataError(
            f"A data set knows its labels and prices; leave out {listed(told)}."
        )
    if data is None or (not is_dataset and target is None):
        absent = "a DataFrame" if data is None else "the label column as target"
        raise DataError(f"The app opens a table by data and target; give {absent}.")
    dataset = data if is_dataset else from_frame(data, str(target), **options)
    refuse_unlearnable(dataset)
    return SessionState(dataset=dataset)
