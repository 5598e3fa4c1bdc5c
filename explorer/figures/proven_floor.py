"""The training objective against cost: the proven floor, and what methods chose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.certify import FloorStep
from solvers.errors import ThriftscopeError

from ..widgets.text import charge_text, objective_text, unit_text
from ..widgets.theme import Role, method_style
from .frontier import method_title
from .scene import (
    Axis,
    Columns,
    End,
    Hover,
    Layer,
    Scene,
    boxes,
    dots,
    links,
    ring,
    upright,
    words,
)

if TYPE_CHECKING:
    import holoviews as hv

OBJECTIVE = "training objective (loss + ridge)"
# Name, role, dash and width of a floor, and its entry in the legend.
CLOSED = ("closed", "text", "solid", 3.5, "floor, gap closed")
UNPROVEN = ("unproven", "quiet_text", "dashed", 1.5, "floor so far, gap open")
BASE = ("base", "quiet_text", "dotted", 2.0, "floor, nothing ruled out")
# What methods mark that are not drawn one by one, under one name.
OTHERS = "others"
OTHERS_TITLE = "columns of other methods"
# Where on the axis a word ends within the band, from this share of the height on: at
# the right, where few budgets have their handle and its number.
WORD_ENDS, ROOM = 0.98, 0.07
# What the pointer is told of steps.
BUDGETS: Hover = [
    ("budgets", "@budgets"),
    ("no linear model below", "@lower"),
    ("best selection known", "@upper"),
]


def proven_floor(
    steps: Iterable[FloorStep],
    points: Iterable[tuple[str, float, float]] = (),
    *,
    unit: str = "",
    budget: float | None = None,
    title: str = "",
    dark: bool = False,
) -> hv.Overlay:
    """Draw what no linear model can be below, and where models are.

    Parameters
    ----------
    steps : iterable of FloorStep
        The staircase that `solvers.certify.floor_steps` gives.
    points : iterable of (str, float, float), optional
        Name of a method, cost and objective of a model: `solvers.certify.
        RidgeObjective` tells it of any columns.
    unit : str, default=""
        Of costs.
    budget : float, optional
        Where the budget stands.
    title : str, default=""
        Above the figure.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        A hatched band up to the floor; its edge is solid where the gap is closed and
        dashed, below a shaded gap, where it is open.

    Raises
    ------
    ThriftscopeError
        If there is no step.
    """
    from .still import still

    drawn = list(steps)
    if not drawn:
        raise ThriftscopeError("There is no step to draw; prove at least two budgets.")
    found: dict[str, dict[str, list[Any]]] = defaultdict(
        lambda: {"x": [], "y": [], "title": []}
    )
    for name, cost, objective in points:
        for key, value in zip(
            ("x", "y", "title"), (cost, objective, method_title(name)), strict=True
        ):
            found[name][key].append(value)
    top = max(step.upper for step in drawn)
    x = cost_axis(drawn[-1].end, unit)
    scene = floor_scene(drawn, x, objective_axis(drawn[-1].lower, top), points=found)
    layers = [*scene.layers, *([] if budget is None else [upright(budget)])]
    return still(
        Scene(scene.x, scene.y, layers), title=title, dark=dark, legend="top_right"
    )


def cost_axis(end: float, unit: str) -> Axis:
    """Return the axis of costs, up to where everything is bought."""
    told = f" ({unit_text(unit)})" if unit else ""
    return Axis(f"cost of a row, shared work once{told}", 0.0, 1.02 * end)


def objective_axis(bottom: float, top: float) -> Axis:
    """Return an axis that holds all floors: what everything and nothing reaches."""
    room = 0.06 * (top - bottom) or 0.01
    return Axis(OBJECTIVE, bottom - 2 * room, top + room)


def floor_scene(
    steps: Sequence[FloorStep],
    x: Axis,
    y: Axis,
    *,
    base: Sequence[FloorStep] = (),
    points: Mapping[str, Columns] | None = None,
    known: tuple[float, float] | None = None,
    is_true: bool = True,
    unit: str = "",
    said: str = "",
) -> Scene:
    """Return what cannot be, what may be, and what was found.

    `base`: floors of nothing ruled out. `points`: by method, or `OTHERS`, cost ("x"),
    objective ("y") and "title" of models, and what else the pointer is told ("above").
    `known`: cost and objective of the best selection known; `is_true`: whether it is
    one of what is asked. `said`: the same in words.
    """
    marks = [_marks(name, found, unit) for name, found in (points or {}).items()]
    open_ = [step for step in steps if not step.closed]
    band = _spans(steps, [(y.low, step.lower) for step in steps])
    gaps = _spans(open_, [(step.lower, step.upper) for step in open_])
    look: dict[str, Any] = {"hatch_color": "quiet_text", "hatch_alpha": 0.5}
    look |= {"hatch_pattern": "right_diagonal_line", "hatch_scale": 14}
    layers = [
        boxes(
            "band",
            *band,
            "faded",
            key="impossible: proven",
            hover=BUDGETS,
            told=_words(steps, unit),
            fill_alpha=0.35,
            hatch_weight=0.6,
            **look,
        ),
        boxes(
            "open",
            *gaps,
            "quiet_text",
            key="gap still open",
            hover=BUDGETS,
            told=_words(open_, unit),
            fill_alpha=0.18,
        ),
        _floor(base, BASE),
        _floor(open_, UNPROVEN),
        _floor([step for step in steps if step.closed], CLOSED),
        _impossible(steps, x, y),
        *marks,
        _ring(known, is_true),
    ]
    ends = [_end(one) for one in marks if len(one)]
    return Scene(x, y, layers, ends, said)


def _end(marks: Layer) -> End:
    """Return a method's name beside its costliest model."""
    last = int(np.argmax(marks.columns["x"]))
    return End(
        str(marks.key), float(marks.columns["y"][last]), marks.look["line_color"]
    )


def _floor(
    steps: Sequence[FloorStep], look: tuple[str, Role, str, float, str]
) -> Layer:
    name, role, dash, width, key = look
    starts = [(step.start, step.lower) for step in steps]
    ends = [(step.end, step.lower) for step in steps]
    return links(name, starts, ends, role, width=width, line_dash=dash, key=key)


def _impossible(steps: Sequence[FloorStep], x: Axis, y: Axis) -> Layer:
    """Return what the band means, written where it is high enough."""
    lower = [one.lower for one in steps if one.start <= WORD_ENDS * x.high <= one.end]
    tall = [one for one in lower[:1] if one - y.low > ROOM * (y.high - y.low)]
    return words(
        "impossible",
        [WORD_ENDS * x.high for _ in tall],
        [(y.low + one) / 2 for one in tall],
        ["impossible (proved)" for _ in tall],
        "text",
        text_align="right",
        text_font_size="14px",
    )


def _marks(name: str, found: Columns, unit: str) -> Layer:
    is_others = name == OTHERS
    style = None if is_others else method_style(name)
    role: Role = "quiet_text" if style is None else style
    hover: Hover = [
        ("method", "@title"),
        ("cost", "@cost"),
        ("objective of its columns", "@y{0.0000}"),
    ]
    told = {key: found[key] for key in ("title", "above") if key in found}
    told["cost"] = [charge_text(x, unit) for x in found["x"]]
    if "above" in told:
        hover = [*hover, ("above the proven floor", "@above")]
    return dots(
        name,
        found["x"],
        found["y"],
        role,
        key=OTHERS_TITLE if is_others else method_title(name),
        marker="x" if style is None else style.marker,
        size=5 if is_others else 7,
        hover=hover,
        told=told,
        fill_alpha=0.4,
    )


def _ring(known: tuple[float, float] | None, is_true: bool) -> Layer:
    x, y = ([], []) if known is None else ([known[0]], [known[1]])
    role: Role = "ring" if is_true else "faded"
    return ring(x, y, size=18, key="best known", role=role)


def _spans(
    steps: Sequence[FloorStep], heights: Sequence[tuple[float, float]]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return left, right, bottom and top of boxes."""
    return (
        [step.start for step in steps],
        [step.end for step in steps],
        [low for low, _ in heights],
        [high for _, high in heights],
    )


def _words(steps: Sequence[FloorStep], unit: str) -> dict[str, list[str]]:
    return {
        "budgets": [
            f"{charge_text(step.start, unit)} to {charge_text(step.end, unit)}"
            for step in steps
        ],
        "lower": [objective_text(step.lower) for step in steps],
        "upper": [objective_text(step.upper) for step in steps],
    }
