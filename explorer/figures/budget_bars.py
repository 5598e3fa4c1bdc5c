"""What each method buys within a budget, as bars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import holoviews as hv

from solvers import FrontierPoint
from solvers.decisions.row_costs import Accounting
from solvers.values.rounding import fixed

from ..widgets.text import cost_text, counted
from ..widgets.theme import method_style, palette
from .backends import framed
from .elements import boxed, lettered
from .methods import by_method, method_title

HALF = 0.31
# Right of 1 stands what a bar says.
LABEL_END = 1.62


def budget_bars(
    points: Iterable[FrontierPoint],
    budget: float,
    *,
    accounting: Accounting = "mean",
    unit: str = "",
    title: str | None = None,
    dark: bool = False,
) -> hv.Overlay:
    """Draw the best F1 on test rows that each method buys within a budget.

    Parameters
    ----------
    points : iterable of FrontierPoint
        Of one method or several.
    budget : float
        In the unit of the costs; held against validation rows, as everywhere.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over rows the budget is for.
    unit : str, default=""
        Of costs.
    title : str, optional
        Above the figure; by default the budget.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        A method that buys nothing within the budget has no bar, and says so.
    """
    found = by_method(points, accounting)
    names = list(found)[::-1]
    best = {name: found[name].best_within(budget) for name in names}
    bars = [
        _bar(row, point, method_style(name).colour(dark))
        for row, (name, point) in enumerate(best.items())
        if point is not None
    ]
    said = [_said(point, accounting, unit) for point in best.values()]
    ends = [0.0 if p is None else p.scores["test"]["f1"] for p in best.values()]
    beside = ([end + 0.02 for end in ends], range(len(names)), said)
    colour = palette(dark).text
    text = lettered(beside, ["f1", "row"], colour, align="left", size=12)
    return framed(
        hv.Overlay([*bars, text]),
        title=f"within {cost_text(budget, unit)}" if title is None else title,
        dark=dark,
        height=110 + 40 * max(len(names), 2),
        xlim=(0.0, LABEL_END),
        ylim=(-0.7, len(names) - 0.3),
        xlabel="best F1 within the budget (test rows)",
        ylabel="",
        xticks=[0, 0.2, 0.4, 0.6, 0.8, 1.0],
        yticks=[(row, method_title(name)) for row, name in enumerate(names)],
    )


def _bar(row: int, point: FrontierPoint, colour: str) -> Any:
    f1 = hv.Dimension("f1", label="best F1 within the budget (test rows)")
    box = hv.Rectangles(
        [(0.0, row - HALF, point.scores["test"]["f1"], row + HALF)],
        kdims=[f1, "row", "end", "top"],
        label=method_title(point.method),
    )
    return boxed(box, colour, colour, alpha=0.85)


def _said(point: FrontierPoint | None, accounting: Accounting, unit: str) -> str:
    if point is None:
        return "nothing within the budget"
    f1, cost = point.scores["test"]["f1"], point.charged(accounting)
    bought = counted(point.n_features, "feature")
    return f"{fixed(f1, 3)}: {bought}, {cost_text(cost, unit)}"
