"""Coefficients along a path of models, by state: zero, on the boundary, in use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solvers.errors import ThriftscopeError
from solvers.methods.selective_ridge import SelectiveRidgeFit

from ..widgets.theme import MethodStyle, Role
from .scene import Axis, Layer, Scene, line, links, words

if TYPE_CHECKING:
    import holoviews as hv

N_LINES = 20
# So many names fit beside the ends of their lines.
N_NAMED = 8
# Of coefficients that are kept as large as they are by the boundary alone.
BOUNDARY = MethodStyle("#8a6d00", "#F0E442", "triangle", "dashed")
# Of each state: what it is called, dash, width and colour.
LOOKS: dict[str, tuple[str, str, float, Role]] = {
    "zero": ("zero", "dotted", 1.0, "faded"),
    "boundary": ("on the boundary", "dashed", 2.0, BOUNDARY),
    "ridge": ("ridge", "solid", 2.0, "lit"),
}
TOLD = (("", "@name"), ("at", "@x1{0.0000}"), ("coefficient", "@y1{0.0000}"))


def regularisation_path(
    fits: Iterable[Any],
    names: Sequence[str] | None = None,
    *,
    n_lines: int = N_LINES,
    title: str | None = None,
    dark: bool = False,
) -> hv.Overlay:
    """Draw the largest coefficients as they grow while the penalty falls.

    Parameters
    ----------
    fits : iterable of SelectiveRidgeFit, or of fitted classifiers
        As `selective_ridge_path` or a linear method's `path` gives them: two or more,
        with `mu` and `coef`, or with `alpha` and `coef_`.
    names : sequence of str, optional
        Of the features; their numbers by default.
    n_lines : int, default=20
        So many coefficients, the largest ones.
    title : str, optional
        Above the figure; by default how many are drawn.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay

    Raises
    ------
    ThriftscopeError
        If there are fewer than two models at a positive strength.
    """
    from .still import still

    strength, coef, states, symbol = _gathered(list(fits))
    chosen = np.argsort(-np.abs(coef).max(axis=0), kind="stable")[:n_lines]
    shown = [str(j) if names is None else str(names[j]) for j in chosen]
    low, high = float(strength.min()), float(strength.max())
    # Names stand left of the last model.
    x = Axis(symbol, low * (low / high) ** 0.35, high, is_log=True)
    lines = coef[:, chosen]
    scene = path_scene(x, strength, lines, states[:, chosen], shown)
    layers = [*scene.layers, _names(strength[-1], lines[-1], shown, np.ptp(lines))]
    if title is None:
        title = f"the {len(chosen)} largest of {coef.shape[1]} coefficients"
    drawn = Scene(scene.x, scene.y, layers)
    return still(drawn, title=title, dark=dark, legend="right")


def path_scene(
    x: Axis,
    strength: NDArray[np.float64],
    coef: NDArray[np.float64],
    states: NDArray[np.str_],
    names: Sequence[str],
    *,
    beyond: Sequence[Layer] = (),
    limit: NDArray[np.float64] | None = None,
    said: str = "",
) -> Scene:
    """Return coefficients by state, along a falling strength.

    Shapes: `strength` (n_models,); `coef`, `states` (n_models, n_lines).
    `limit`: strengths at which the boundary |a| = strength is drawn. `beyond`: further
    layers. `said`: the same in words.
    """
    named = np.array(names, dtype=object)
    layers = []
    for state, (title, dash, width, role) in LOOKS.items():
        # A piece has the state of its end of less strength.
        i, k = np.nonzero(states[1:] == state)
        starts = np.column_stack([strength[i], coef[i, k]])
        ends = np.column_stack([strength[i + 1], coef[i + 1, k]])
        layers.append(
            links(
                state,
                *(starts, ends, role),
                width=width,
                line_dash=dash,
                key=title,
                told={"name": named[k].tolist()},
                hover=TOLD if state != "zero" else (),
            )
        )
    at = np.zeros(0) if limit is None else limit
    for side in (1.0, -1.0):
        look = {"dash": "dotdash", "width": 1.5}
        layers.append(line(f"limit {side:+g}", at, side * at, "quiet_text", **look))
    room = 0.08 * float(np.ptp(coef)) or 1.0
    low, high = min(float(coef.min()), 0.0), max(float(coef.max()), 0.0)
    y = Axis("coefficient (training rows)", low - room, high + room)
    return Scene(x, y, [*layers, *beyond], said=said)


def _gathered(
    fits: list[Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.str_], str]:
    """Return strengths by falling order, coefficients and states, one row a model."""
    is_selective = bool(fits) and isinstance(fits[0], SelectiveRidgeFit)
    strength = np.array([fit.mu if is_selective else fit.alpha for fit in fits])
    fits = [fits[i] for i in np.argsort(-strength, kind="stable") if strength[i] > 0]
    if len(fits) < 2:
        raise ThriftscopeError(
            f"A path has two models or more at a positive λ or μ, but {len(fits)} came."
        )
    if is_selective:
        coef = np.array([fit.coef for fit in fits])
        states = np.array([fit.states for fit in fits])
        return np.array([fit.mu for fit in fits]), coef, states, "selectivity μ"
    coef = np.array([np.ravel(fit.coef_) for fit in fits])
    states = np.where(coef == 0, "zero", "ridge")
    return np.array([fit.alpha for fit in fits]), coef, states, "trade-off λ"


def _names(
    at: float, last: NDArray[np.float64], names: Sequence[str], spread: float
) -> Layer:
    """Return names beside the ends of the longest lines."""
    rows: list[tuple[float, str]] = []
    for k in np.argsort(-np.abs(last), kind="stable"):
        # A name that would lie on a larger one's is left out.
        room = 0.05 * (spread or 1.0)
        if all(abs(last[k] - y) > room for y, _ in rows) and len(rows) < N_NAMED:
            rows.append((float(last[k]), f"{names[k]} "))
    y, text = zip(*rows, strict=True)
    return words("names", [0.97 * at] * len(rows), y, text, text_align="right")
