"""What each method buys within a budget, as bars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from solvers import FrontierPoint
from solvers.decisions.row_costs import Accounting
from solvers.values.rounding import fixed

from ..widgets.text import cost_text, counted
from ..widgets.theme import method_style
from .methods import by_method, method_title
from .scene import Axis, Scene, boxes, words

if TYPE_CHECKING:
    import holoviews as hv

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
    from .still import still

    found = by_method(points, accounting)
    names = list(found)[::-1]
    best = {name: found[name].best_within(budget) for name in names}
    ends = [0.0 if p is None else p.scores["test"]["f1"] for p in best.values()]
    bars = [
        boxes(
            name,
            *([0.0], [end], [row - HALF], [row + HALF]),
            method_style(name),
            fill_alpha=0.85,
        )
        for row, (name, end) in enumerate(zip(names, ends, strict=True))
        if best[name] is not None
    ]
    said = [_said(point, accounting, unit) for point in best.values()]
    look = {"text_align": "left"}
    beside = [end + 0.02 for end in ends], list(range(len(names))), said
    ticks = {at: f"{at:g}" for at in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)}
    titles = {float(row): method_title(name) for row, name in enumerate(names)}
    scene = Scene(
        Axis("best F1 within the budget (test rows)", 0.0, LABEL_END, ticks),
        Axis("", -0.7, len(names) - 0.3, titles),
        [*bars, words("said", *beside, **look)],
    )
    return still(
        scene,
        title=f"within {cost_text(budget, unit)}" if title is None else title,
        dark=dark,
        height=110 + 40 * max(len(names), 2),
    )


def _said(point: FrontierPoint | None, accounting: Accounting, unit: str) -> str:
    if point is None:
        return "nothing within the budget"
    f1, cost = point.scores["test"]["f1"], point.charged(accounting)
    bought = counted(point.n_features, "feature")
    return f"{fixed(f1, 3)}: {bought}, {cost_text(cost, unit)}"
