"""Points by their method, and what methods are called."""

from __future__ import annotations

from collections.abc import Iterable

from solvers import Frontier, FrontierPoint, all_methods
from solvers.decisions.row_costs import Accounting


def by_method(
    points: Iterable[FrontierPoint], accounting: Accounting = "mean"
) -> dict[str, Frontier]:
    """Return the frontier of each method, in the order in which they come.

    `accounting`: of points that are no Frontier, which has its own axes.
    """
    whole = points if isinstance(points, Frontier) else Frontier(points, accounting)
    names = dict.fromkeys(point.method for point in whole)
    return {name: whole.of(name) for name in names}


def method_title(name: str) -> str:
    """Return what a method is called; its short name where it is not installed."""
    found = all_methods()
    return found[name].title if name in found else name
