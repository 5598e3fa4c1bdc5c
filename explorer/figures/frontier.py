"""A score against prediction cost: a line a method, the budget, and what it buys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers import Frontier, FrontierPoint, all_methods
from solvers.decisions.row_costs import Accounting
from solvers.frontier.bands import Band
from solvers.values.rounding import fixed

from ..widgets.lights import FEATURE, things, together
from ..widgets.text import cost_text, counted, params_text, score_text, unit_text
from ..widgets.theme import Role, method_style
from .axes import CostAxis, cost_label, score_axis, score_ends
from .scene import (
    Axis,
    End,
    Layer,
    Scene,
    boxes,
    dots,
    level,
    method_dots,
    ring,
    stairs,
    upright,
    words,
)

if TYPE_CHECKING:
    import holoviews as hv


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


# What the pointer is told of a point.
TOOLTIPS = [
    ("method", "@title"),
    ("test", "@score"),
    ("validation", "@validation"),
    ("cost", "@cost"),
    ("buys", "@buys"),
    ("settings", "@params"),
]
MethodLayers = tuple[Layer, Layer]  # Of a method: its line, and its models as marks
# Of more features the names would be most of what is sent.
MOST_LIT = 60
# More hues cannot be told apart: further methods are grey, each with mark and name.
MOST_COLOURED = 4
# The axis of scores ends at such steps, this far beyond what is drawn.
STEP, ROOM = 0.1, 0.02
FREE_OTHERWISE = "Nothing computed"


def frontier(
    points: Iterable[FrontierPoint],
    *,
    accounting: Accounting = "mean",
    unit: str = "",
    full_cost: float | None = None,
    budget: float | None = None,
    chosen: FrontierPoint | None = None,
    title: str = "",
    dark: bool = False,
) -> hv.Overlay:
    """Draw points of any methods, and the best that each buys at every cost.

    Parameters
    ----------
    points : iterable of FrontierPoint
        Of one method or several; a `Frontier` is one, too.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over test rows is the axis; a `Frontier` has its own axes.
    unit : str, default=""
        Of costs.
    full_cost : float, optional
        Right end of the axis; the costliest point by default.
    budget : float, optional
        Where the budget stands.
    chosen : FrontierPoint, optional
        The point that is ringed.
    title : str, default=""
        Above the figure.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
    """
    from .still import still

    fronts = by_method(points, accounting)
    axes = points if isinstance(points, Frontier) else Frontier((), accounting)
    costs = [axes.cost(p) for front in fronts.values() for p in front]
    end = full_cost or max(costs, default=1.0) or 1.0
    axis = CostAxis(end)
    scores = [p.scores["test"][axes.score] for f in fronts.values() for p in f]
    layers = [
        layer
        for name, front in fronts.items()
        for layer in method_layers(name, front, axis, unit, method_style(name))
    ]
    if budget is not None:
        layers.append(upright(budget, line_width=2.5))
    if chosen is not None:
        layers.append(chosen_ring([chosen], axes, axis, key="chosen"))
    scene = Scene(
        Axis(_in_unit(cost_label(axes), unit), 0.0, 1.02 * end),
        score_axis(axes, *score_ends(scores), unit),
        layers,
    )
    return still(scene, title=title, dark=dark)


def frontier_scene(
    layers: Mapping[str, MethodLayers],
    axes: Frontier,
    axis: CostAxis,
    *,
    unit: str,
    floor: float,
    free: str = "",
    stops: FrontierPoint | None = None,
    marks: Sequence[FrontierPoint] = (),
    chosen: FrontierPoint | None = None,
    bands: Mapping[str, Band] | None = None,
    pinned: Sequence[Layer] = (),
    brought: Sequence[Layer] = (),
) -> Scene:
    """Return what the frontier page shows.

    `layers`: of each method, as `method_layers` makes them; `axes`: what is charged and
    scored; `floor`: the score of what computes nothing, and `free` what that is called;
    `stops`: where testing stops paying; `marks`: points at exactly λ;
    `pinned`, `brought`: what stands behind these, and in front.
    """
    layers = _told_together(layers)
    low, high = (1.1 * floor, -0.02 * floor)
    if floor >= 0:
        top = max((max(y) for y in _drawn_scores(layers) if len(y)), default=1.0)
        # What is below nothing computed is bought by no line, or stands at its end.
        lines = [line.columns["y"] for line, _ in layers.values() if len(line)]
        low, high = _wide_steps(min([floor, *map(min, lines)]), float(top))
    edge = [axis.start], [axis.edge], [low - 1], [high + 1]
    nothing = boxes("nothing", *edge, "quiet_text", fill_alpha=0.12, level="underlay")
    free = free or FREE_OTHERWISE
    drawn = [
        *([nothing] if axis.is_log else []),
        *(_band(name, band, axis) for name, band in (bands or {}).items()),
        *([level(floor, name="floor", key=free)] if floor else []),
        *pinned,
        *(layer for parts in layers.values() for layer in parts),
        *brought,
        _crosses(marks, axes, axis),
        *_stops(stops, axes, axis),
        chosen_ring([chosen] if chosen else [], axes, axis),
    ]
    ends = [End(free, floor, "quiet_text")] if floor else []
    ends += [
        End(one.key, one.columns["y"][-1], "quiet_text")
        for one in (*pinned, *brought)
        if len(one)
    ]
    ends += [
        End(method_title(name), parts[0].columns["y"][-1], parts[0].look["line_color"])
        for name, parts in layers.items()
        if len(parts[0])
    ]
    return Scene(
        axis.axis(_in_unit(cost_label(axes), unit)),
        score_axis(axes, low, high, unit),
        drawn,
        ends,
    )


def method_layers(
    name: str,
    front: Frontier,
    axis: CostAxis,
    unit: str,
    role: Role,
    features: Sequence[str] = (),
) -> MethodLayers:
    """Return a method's line, and its models as marks.

    `role`: the method's own style, or a role of the theme. `features`: the names of
    all, of which a mark lights those that its model computes.
    """
    style, title = method_style(name), method_title(name)
    best = [*front.undominated()]
    steps = axis.stairs([front.cost(point) for point in best], _scores(best, front))
    line = stairs(f"{name} line", *steps, role, key=title, dash=style.dash)
    points = front.points
    costs = [front.cost(point) for point in points]
    columns: dict[str, Any] = {
        "cost": [cost_text(cost, front.unit or unit) for cost in costs],
        "score": [score_text(point, front.score) for point in points],
        "validation": [score_text(p, front.score, "validation") for p in points],
        "title": [title] * len(points),
        "buys": [_buys_text(point) for point in points],
        "params": [params_text(point, front.unit) for point in points],
        "thing": [f"model:{name}:{k}" for k in range(len(points))],
    }
    names = np.array(things(FEATURE, features), dtype=object)
    if 0 < len(names) <= MOST_LIT:
        columns["lights"] = [
            together([thing, *names[point.features]])
            for thing, point in zip(columns["thing"], points, strict=True)
        ]
    marks = method_dots(
        name,
        axis.places(costs).tolist(),
        _scores(points, front),
        style,
        hover=TOOLTIPS,
        told=columns,
        fill_color=role,
        line_color=role,
    )
    return line, marks


def chosen_ring(
    points: Sequence[FrontierPoint], axes: Frontier, axis: CostAxis, key: str = ""
) -> Layer:
    """Return a ring around what is chosen, if anything is."""
    costs = axis.places([axes.cost(point) for point in points])
    return ring(costs.tolist(), _scores(points, axes), name="chosen", key=key)


def _crosses(marks: Sequence[FrontierPoint], axes: Frontier, axis: CostAxis) -> Layer:
    costs = axis.places([axes.cost(point) for point in marks]).tolist()
    styles = {"colour": [method_style(point.method) for point in marks]}
    return dots(
        "at λ",
        costs,
        _scores(marks, axes),
        "colour",
        marker="x",
        size=15,
        line_width=3,
        told=styles,
    )


def _stops(
    point: FrontierPoint | None, axes: Frontier, axis: CostAxis
) -> tuple[Layer, Layer]:
    """Return a mark where testing stops paying, and its words."""
    points = [] if point is None else [point]
    costs = axis.places([axes.cost(one) for one in points]).tolist()
    scores, said = _scores(points, axes), ["testing stops paying"] * len(points)
    look = {"text_baseline": "top", "text_align": "left", "x_offset": 8, "y_offset": 9}
    return (
        ring(costs, scores, name="stops", size=13, key="testing stops paying"),
        words("stops, in words", costs, scores, said, **look),
    )


def _band(name: str, band: Band, axis: CostAxis) -> Layer:
    """Return mean and standard error as stairs, up to the end of the axis."""
    costs = axis.places(band.costs)
    x = np.append(np.repeat(costs, 2)[1:], max(axis.end, costs[-1]))
    columns = {"x": x, "y1": np.repeat(band.lower, 2), "y2": np.repeat(band.upper, 2)}
    look = {
        "fill_color": method_style(name),
        "fill_alpha": 0.18,
        "level": "underlay",
    }
    return Layer(f"band {name}", "varea", columns, look)


def _scores(points: Iterable[FrontierPoint], axes: Frontier) -> list[float]:
    return [point.scores["test"][axes.score] for point in points]


def _drawn_scores(layers: Mapping[str, MethodLayers]) -> Iterable[Any]:
    return (layer.columns["y"] for parts in layers.values() for layer in parts)


def _buys_text(point: FrontierPoint) -> str:
    components = counted(point.n_components, "component")
    return f"{counted(point.n_features, 'feature')}, {components}"


def _told_together(
    layers: Mapping[str, MethodLayers],
) -> Mapping[str, MethodLayers]:
    """Return marks of which each tells all methods that have one at its place."""
    at: dict[tuple[float, float], list[str]] = {}
    for name, (_, marks) in layers.items():
        for place in dict.fromkeys(_places(marks)):
            at.setdefault(place, []).append(method_title(name))
    if max(map(len, at.values()), default=0) < 2:
        return layers
    told = {}
    for name, (line, marks) in layers.items():
        titles = [", ".join(at[place]) for place in _places(marks)]
        columns = {**marks.columns, "title": titles}
        is_alone = titles == marks.columns["title"]
        told[name] = line, marks if is_alone else replace(marks, columns=columns)
    return told


def _places(marks: Layer) -> list[tuple[float, float]]:
    return [*zip(marks.columns["x"], marks.columns["y"], strict=True)]


def _wide_steps(floor: float, top: float) -> tuple[float, float]:
    """Return where an axis ends that holds all scores: in steps, so it moves seldom."""
    low = STEP * np.floor((floor - ROOM) / STEP)
    high = STEP * np.ceil((top + ROOM) / STEP)
    return max(0.0, float(low)), min(1.01, float(high))


def _in_unit(label: str, unit: str) -> str:
    return f"{label} ({unit_text(unit)})" if unit else label


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
