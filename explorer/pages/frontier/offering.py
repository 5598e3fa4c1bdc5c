"""What the frontier page offers of a data set: methods, scores, prices and limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from sklearn.utils import get_tags

from solvers import Dataset, Frontier, FrontierPoint, ThriftscopeError, all_methods
from solvers.datasets import charging, within_limits
from solvers.decisions.scores import scores_of_classes

from ...widgets.text import price_text

DEFAULT_METHODS = ("acafh", "forward_selection", "reweighted_l1", "l1")
# Where there are more than two classes.
DEFAULT_OF_MANY = ("hypergraph_cascade", "tefe", "static_prefix", "csdt")


@cache
def _tell_many_apart() -> tuple[str, ...]:
    methods = all_methods().items()
    tags = {name: get_tags(method()).classifier_tags for name, method in methods}
    return tuple(name for name, tag in tags.items() if tag and tag.multi_class)


def is_of_many(dataset: Dataset) -> bool:
    """Return whether a data set has more than two classes."""
    return len(dataset.classes) > 2


def menu_of(dataset: Dataset) -> list[str]:
    """Return the methods that can learn a data set.

    All methods where there are two classes, else those that tell more apart.
    """
    return list(_tell_many_apart() if is_of_many(dataset) else all_methods())


def ticked_on(dataset: Dataset, ticked: Iterable[str] = ()) -> list[str]:
    """Return which methods of a data set's menu are ticked."""
    menu = menu_of(dataset)
    left = [name for name in ticked if name in menu]
    usual = DEFAULT_OF_MANY if is_of_many(dataset) else DEFAULT_METHODS
    return left or [name for name in usual if name in menu]


def left_out(dataset: Dataset) -> list[str]:
    """Return the titles of the methods that cannot learn a data set."""
    menu = menu_of(dataset)
    return [kind.title for name, kind in all_methods().items() if name not in menu]


def scores_of(dataset: Dataset) -> tuple[str, ...]:
    """Return the scores that a data set leaves: some tell only two classes apart."""
    return scores_of_classes(len(dataset.classes))


def chargeable(dataset: Dataset) -> dict[str, str]:
    """Return the units of prices that can be charged; the first is charged now."""
    hypergraph = dataset.hypergraph
    further = {p.name: p.unit for p in hypergraph.prices if p.rule == "sum"}
    return {hypergraph.charged: hypergraph.unit, **further}


def offered(
    dataset: Dataset, price: str, limits: Mapping[str, float]
) -> tuple[Dataset, str]:
    """Return the data set that price and limits leave, and what was refused of them.

    Names that the data set does not know ask for nothing.
    """
    charged = charging(dataset, price) if price in chargeable(dataset) else dataset
    known = {one.name for one in charged.hypergraph.prices}
    try:
        held = {name: limit for name, limit in limits.items() if name in known}
        return within_limits(charged, held), ""
    except ThriftscopeError as error:
        return charged, str(error)


def prices_text(point: FrontierPoint, dataset: Dataset, axes: Frontier) -> str:
    """Return what a point pays of every further price on test rows, in a sentence."""
    paid = [
        price_text(price, point.prices[price.name][axes.accounting])
        for price in dataset.hypergraph.prices
        if price.name in point.prices
    ]
    return f"Beside that: {', '.join(paid)}." if paid else ""


def limits_text(dataset: Dataset, axes: Frontier) -> str:
    """Return the limits that hold, to follow a budget."""
    return "".join(
        f" and {price_text(price, axes.limits[price.name])}"
        for price in dataset.hypergraph.prices
        if price.name in axes.limits
    )
