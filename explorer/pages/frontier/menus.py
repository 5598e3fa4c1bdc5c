"""Which methods a data set leaves on the menu."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from sklearn.utils import get_tags

from solvers import Dataset, all_methods
from solvers.scores import LABEL_SCORES, RANK_SCORES

__all__ = ["left_out", "menu_of", "scores_of", "ticked_on"]

DEFAULT_METHODS = ("acafh", "forward_selection", "reweighted_l1", "l1")
# Where there are more than two classes.
DEFAULT_OF_MANY = ("hypergraph_cascade", "tefe", "static_prefix", "csdt")


@cache
def _tell_many_apart() -> tuple[str, ...]:
    methods = all_methods().items()
    tags = {name: get_tags(method()).classifier_tags for name, method in methods}
    return tuple(name for name, tag in tags.items() if tag and tag.multi_class)


def menu_of(dataset: Dataset) -> list[str]:
    """Return the methods that can learn a data set.

    All methods where there are two classes, else those that tell more apart.
    """
    if len(dataset.classes) <= 2:
        return list(all_methods())
    return list(_tell_many_apart())


def ticked_on(dataset: Dataset, ticked: Iterable[str] = ()) -> list[str]:
    """Return which methods of a data set's menu are ticked."""
    menu = menu_of(dataset)
    left = [name for name in ticked if name in menu]
    usual = DEFAULT_METHODS if len(menu) == len(all_methods()) else DEFAULT_OF_MANY
    return left or [name for name in usual if name in menu]


def left_out(dataset: Dataset) -> list[str]:
    """Return the titles of the methods that cannot learn a data set."""
    menu = menu_of(dataset)
    return [kind.title for name, kind in all_methods().items() if name not in menu]


def scores_of(dataset: Dataset) -> tuple[str, ...]:
    """Return the scores that a data set leaves: some tell only two classes apart."""
    if len(dataset.classes) <= 2:
        return (*LABEL_SCORES, *RANK_SCORES)
    return LABEL_SCORES
