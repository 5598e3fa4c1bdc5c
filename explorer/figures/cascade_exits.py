"""Where rows leave a cascade: a column a stage, as wide as what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..widgets.text import cut_text
from ..widgets.theme import Role
from .scene import Axis, Layer, Scene, boxes, dots, ring

if TYPE_CHECKING:
    import holoviews as hv

# No column is narrower than this share of all: one could not see who leaves there.
LEAST_WIDTH = 0.012
# The first and the widest columns have their names below, no two nearer than this share
# of all; a browser leaves out those for which it has no room.
NAMED, MOST_NAMED = 0.12, 8
LETTERS = 12
# Rows of a column are spread over its width by this irrational share.
GOLDEN = 0.618033988749895
TICKS = {float(k): f"{k}" for k in range(0, 101, 20)}
HOVER = [
    ("stage", "@stage: @name"),
    ("leave right", "@leave_right{0.[0]} %"),
    ("leave wrong", "@leave_wrong{0.[0]} %"),
    ("go on", "@go_on{0.[0]} %"),
    ("cost so far", "@cost"),
]
# How rows that are decided right, and wrong, are drawn.
LOOKS: dict[str, tuple[Role, dict[str, Any]]] = {
    "right": ("lit", {"marker": "circle", "size": 5, "line_width": 0}),
    "wrong": ("wrong", {"marker": "x", "size": 7, "line_width": 2}),
}
ROW_HOVER = [("test row", "@row"), ("leaves at stage", "@stage"), ("", "@verdict")]


def cascade_exits(
    model: Any, X: ArrayLike, y: ArrayLike, *, title: str = "", dark: bool = False
) -> hv.Overlay:
    """Draw a column a stage, and in it the rows that leave there.

    Parameters
    ----------
    model : TEFEClassifier or HypergraphCascadeClassifier
        Fitted; has `exit_stages` and `predict`.
    X : array_like of float, shape (n_samples, n_features)
        Rows, best not those of training.
    y : array_like, shape (n_samples,)
        Their labels.
    title : str, default=""
        Above the figure.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        A column is as wide as what its stage adds to the cost, where the model knows.
    """
    from .still import still

    exits = np.asarray(model.exit_stages(X))
    is_right = np.asarray(model.predict(X)) == np.asarray(y)
    costs = np.asarray(getattr(model, "stage_costs_", ()), dtype=float)
    # The hypergraph cascade has a free answer before any feature: its stage 0.
    first = 1 if len(costs) else 0
    n_stages = len(costs) or int(exits.max()) + 1
    added = np.diff(costs, prepend=0.0) if len(costs) else np.ones(n_stages)
    names = [str(first + stage) for stage in range(n_stages)]
    scene = exits_scene(exits, is_right, added, names, first=first)
    return still(scene, title=title, dark=dark, legend="top_right")


@dataclass(frozen=True, eq=False)
class ExitPlaces:
    """Where rows may stand, and what is said of many of them, whoever leaves where.

    `assets/exits.js` places rows by the same numbers while a threshold is dragged.
    """

    left: NDArray[
        np.float64
    ]  # (n_stages,) Where each column begins, and how wide it is
    widths: NDArray[np.float64]
    scale: float  # A row in percent
    spread: NDArray[np.float64]  # (n_rows,) By rank: where in the width of its column
    told: NDArray[np.float64]  # (n_rows + 1,) So many rows in percent, for the pointer

    @classmethod
    def of(cls, n_rows: int, added: NDArray[np.float64]) -> ExitPlaces:
        """Return the places of rows in columns as wide as what a stage adds."""
        total = float(added.sum()) or 1.0
        widths = np.maximum(added, LEAST_WIDTH * total)
        left, scale = np.cumsum(widths) - widths, 100.0 / max(n_rows, 1)
        rank = np.arange(n_rows)
        spread = 0.08 + 0.84 * np.mod(GOLDEN * (rank + 1), 1.0)
        told = (scale * np.arange(n_rows + 1)).round(1)
        return cls(left, widths, scale, spread, told)


def exits_scene(
    exits: NDArray[np.int_],
    is_right: NDArray[np.bool_],
    added: NDArray[np.float64],
    names: Sequence[str],
    *,
    first: int = 1,
    told_costs: Sequence[str] = (),
    unit: str = "",
    followed: int | None = None,
) -> Scene:
    """Return a column a stage, as high as the rows that reach it.

    Shapes: `exits` and `is_right` (n_rows,), `added` (n_stages,): what each stage adds
    to the cost. `first`: the number of the first stage. `told_costs`: the cost so far.
    `followed`: the row that is ringed.
    """
    n_stages, places = len(added), ExitPlaces.of(len(exits), added)
    leaving = np.bincount(exits, minlength=n_stages)
    right = np.bincount(exits[is_right], minlength=n_stages)
    reach = len(exits) - np.cumsum(leaving) + leaving
    left, widths = places.left, places.widths
    end = float(widths.sum()) or 1.0
    told: dict[str, Any] = {
        "stage": (first + np.arange(n_stages)).tolist(),
        "name": list(names),
        "leave_right": places.told[right].tolist(),
        "leave_wrong": places.told[leaving - right].tolist(),
        "go_on": places.told[reach - leaving].tolist(),
        "cost": list(told_costs) or [""] * n_stages,
    }
    columns = boxes(
        "reach",
        *(left, left + widths, np.zeros(n_stages), places.scale * reach),
        "grid",
        key="rows that reach the stage",
        hover=HOVER,
        told=told,
        line_color="background",
        line_width=1,
    )
    x, y = _placed(exits, is_right, places)
    marks = [
        _marks("right", is_right, exits + first, x, y),
        _marks("wrong", ~is_right, exits + first, x, y),
    ]
    here = np.empty(0, dtype=int) if followed is None else np.array([followed])
    around = ring(x[here], y[here], size=14)
    named = _named(names, left + widths / 2, widths, NAMED * end)
    # Above 100 % stands the legend, in print; below 0 there is room for a ring.
    return Scene(
        Axis(f"stages, as wide as what they add{unit}", 0.0, end, named),
        Axis("test rows (%)", -2.5, 104.0, TICKS),
        [columns, *marks, around],
    )


def _marks(
    name: str,
    chosen: NDArray[np.bool_],
    stages: NDArray[np.int_],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> Layer:
    """Return the rows that are decided so, each where it leaves."""
    role, look = LOOKS[name]
    rows = np.flatnonzero(chosen)
    told = {
        "row": rows.tolist(),
        "stage": stages[rows].tolist(),
        "verdict": [name] * len(rows),
    }
    return dots(
        name,
        x[rows],
        y[rows],
        role,
        key=f"leave {name}",
        hover=ROW_HOVER,
        told=told,
        fill_alpha=0.7,
        **look,
    )


def _named(
    names: Sequence[str],
    middles: NDArray[np.float64],
    widths: NDArray[np.float64],
    apart: float,
) -> dict[float, str]:
    """Return the names below, from left to right: the first, then of the widest."""
    ticks: dict[float, str] = {}
    widest = np.argsort(-widths, kind="stable")[:MOST_NAMED]
    for stage in [*range(len(widths))[:1], *widest.tolist()]:
        if all(abs(middles[stage] - other) >= apart for other in ticks):
            ticks[float(middles[stage])] = cut_text(names[stage], LETTERS)
    return dict(sorted(ticks.items()))


def _placed(
    exits: NDArray[np.int_], is_right: NDArray[np.bool_], places: ExitPlaces
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where each row stands: in its column, from below, wrong ones on top."""
    order = np.lexsort([np.arange(len(exits)), ~is_right, exits])
    ranked = exits[order]
    rank = np.empty(len(exits), dtype=int)
    rank[order] = np.arange(len(exits)) - np.searchsorted(ranked, ranked)
    x = places.left[exits] + places.spread[rank] * places.widths[exits]
    return x, places.scale * (rank + 0.5)
