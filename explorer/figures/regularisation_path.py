"""Coefficients along a path of models, by state: zero, on the boundary, in use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from solvers.errors import ThriftscopeError
from solvers.methods.selective_ridge import SelectiveRidgeFit

from ..widgets.theme import MethodStyle, palette
from .backends import framed
from .elements import drawn_line, lettered

N_LINES = 20
# So many names fit beside the ends of their lines.
N_NAMED = 8
# Of coefficients that are kept as large as they are by the boundary alone.
BOUNDARY = MethodStyle("#8a6d00", "#F0E442", "triangle", "dashed")
LOOKS = {
    "zero": ("zero", "dotted", 1.0),
    "boundary": ("on the boundary", "dashed", 2.0),
    "ridge": ("ridge", "solid", 2.0),
}


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
    strength, coef, states, symbol = _gathered(list(fits))
    chosen = np.argsort(-np.abs(coef).max(axis=0), kind="stable")[:n_lines]
    shown = [str(j) if names is None else str(names[j]) for j in chosen]
    looks = dict(zip(LOOKS, ("faded", "shared", "lit"), strict=True))
    x = hv.Dimension("strength", label=symbol)
    y = hv.Dimension("coefficient", label="coefficient (training rows)")
    colours, layers = palette(dark), []
    for state, (said, dash, width) in LOOKS.items():
        pieces = _pieces(strength, coef[:, chosen], states[:, chosen] == state)
        if not pieces and state == "boundary":
            continue
        segments = hv.Segments(pieces, kdims=[x, y, "x1", "y1"])
        colour = getattr(colours, looks[state])
        layers.append(drawn_line(segments, colour, dash, width))
        # A legend shows lines; the pieces themselves are a collection.
        key = hv.Curve([(np.nan, np.nan)], x, y, label=said)
        layers.append(drawn_line(key, colour, dash, width))
    layers.append(_names(strength, coef[:, chosen], shown, colours.text, (x, y)))
    room = 0.08 * float(np.ptp(coef)) or 1.0
    low, high = float(strength.min()), float(strength.max())
    return framed(
        hv.Overlay(layers),
        title=(
            f"the {len(chosen)} largest of {coef.shape[1]} coefficients"
            if title is None
            else title
        ),
        dark=dark,
        legend="right",
        logx=True,
        # Names stand left of the last model.
        xlim=(low * (low / high) ** 0.35, high),
        ylim=(min(coef.min(), 0.0) - room, max(coef.max(), 0.0) + room),
    )


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


def _pieces(
    strength: NDArray[np.float64], coef: NDArray[np.float64], is_so: NDArray[np.bool_]
) -> list[tuple[float, ...]]:
    # A piece has the state of its end of less strength.
    i, k = np.nonzero(is_so[1:])
    ends = (strength[i], coef[i, k], strength[i + 1], coef[i + 1, k])
    return list(zip(*(end.tolist() for end in ends), strict=True))


def _names(
    strength: NDArray[np.float64],
    coef: NDArray[np.float64],
    names: Sequence[str],
    colour: str,
    axes: Any,
) -> Any:
    last, room = coef[-1], 0.05 * (float(np.ptp(coef)) or 1.0)
    rows: list[tuple[float, float, str]] = []
    for k in np.argsort(-np.abs(last), kind="stable"):
        # A name that would lie on a larger one's is left out.
        if all(abs(last[k] - y) > room for _, y, _ in rows) and len(rows) < N_NAMED:
            rows.append((float(strength[-1]) * 0.97, float(last[k]), f"{names[k]} "))
    return lettered(rows, axes, colour, align="right")
