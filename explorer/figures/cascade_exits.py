"""Where rows leave a cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..widgets.theme import palette
from .backends import framed
from .elements import boxed

HALF = 0.41
KINDS = {"right": "leave right", "wrong": "leave wrong", "on": "go on"}


def cascade_exits(
    model: Any, X: ArrayLike, y: ArrayLike, *, title: str = "", dark: bool = False
) -> hv.Overlay:
    """Draw one bar a stage, of the rows that reach it.

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
    """
    exits = np.asarray(model.exit_stages(X))
    is_right = np.asarray(model.predict(X)) == np.asarray(y)
    n_stages = len(getattr(model, "stage_costs_", ())) or int(exits.max()) + 1
    # The hypergraph cascade has a free answer before any feature: its stage 0.
    first = 1 if hasattr(model, "stage_costs_") else 0
    tops = _tops(exits, is_right, n_stages)
    colours = palette(dark)
    fills = {"right": colours.lit, "wrong": colours.wrong, "on": colours.grid}
    bottom, layers = np.zeros(n_stages), []
    for kind, top in tops.items():
        layers.append(_bars(first, bottom, top, fills[kind], kind, dark))
        bottom = top
    every = 1 if n_stages <= 12 else 5
    return framed(
        hv.Overlay(layers),
        title=title,
        dark=dark,
        legend="top_right",
        xlim=(first - 0.6, first + n_stages - 0.4),
        # Above 100 % stands the legend.
        ylim=(0.0, 128.0),
        xlabel="stage",
        ylabel="rows that reach it (%)",
        xticks=list(range(first, first + n_stages, every)),
        yticks=[0, 20, 40, 60, 80, 100],
    )


def _tops(
    exits: NDArray[np.int_], is_right: NDArray[np.bool_], n_stages: int
) -> dict[str, NDArray[np.float64]]:
    """Return where the piles end, in percent of all rows."""
    leaving = np.bincount(exits, minlength=n_stages)
    right = np.bincount(exits[is_right], minlength=n_stages)
    reach = len(exits) - np.cumsum(leaving) + leaving
    scale = 100.0 / max(len(exits), 1)
    counts = {"right": right, "wrong": leaving, "on": reach}
    return {kind: np.asarray(scale * n, dtype=float) for kind, n in counts.items()}


def _bars(
    first: int,
    bottom: NDArray[np.float64],
    top: NDArray[np.float64],
    fill: str,
    kind: str,
    dark: bool,
) -> Any:
    at = first + np.arange(len(top))
    rows = hv.Dimension("rows", label="rows that reach it", unit="%")
    boxes = hv.Rectangles(
        (at - HALF, bottom, at + HALF, top),
        kdims=["stage", rows, "right", "top"],
        label=KINDS[kind],
    )
    return boxed(boxes, fill, palette(dark).background, hatched=kind == "wrong")
