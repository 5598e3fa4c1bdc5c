"""One row's way through a cascade: how sure each stage is, until one answers."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike

from solvers.methods.tefe import TEFEClassifier

from ..widgets.text import cost_text
from ..widgets.theme import method_style, palette
from .backends import framed
from .elements import drawn_line, lettered, marked, ringed


def cascade_journey(
    model: TEFEClassifier,
    row: ArrayLike,
    *,
    title: str | None = None,
    dark: bool = False,
) -> hv.Overlay:
    """Draw the stages that one row passes, and the one at which it leaves.

    Parameters
    ----------
    model : TEFEClassifier
        Fitted.
    row : array_like of float, shape (n_features,)
        The row.
    title : str, optional
        Above the figure; by default where the row leaves, as what and for how much.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        A stage that may not answer has no mark.
    """
    X = np.asarray(row, dtype=float).reshape(1, -1)
    last = int(model.exit_stages(X)[0])
    confidence = model.stage_confidences(X)[0, : last + 1]
    called = model.stage_predictions(X)[0, : last + 1]
    may_answer = np.isfinite(confidence)
    stages, sure = np.flatnonzero(may_answer) + 1, confidence[may_answer]
    axes = (hv.Dimension("stage"), hv.Dimension("confidence", label="confidence"))
    colours, style = palette(dark), method_style("tefe")
    n_stages = len(model.stage_costs_)
    marks = [value for value in (*sure, model.threshold) if np.isfinite(value)]
    top = 1.25 * max(marks, default=1.0) or 1.0
    layers = [
        drawn_line(hv.Curve((stages, sure), *axes), colours.quiet_text, width=1.5),
        marked(
            hv.Scatter((stages, sure), *axes, label="a stage's answer"), style, dark, 9
        ),
        ringed((stages[-1:], sure[-1:]), axes, "leaves", dark),
        _answers(stages, sure + 0.06 * top, called[may_answer], axes, colours.text),
    ]
    if np.isfinite(model.threshold):
        ends = [(0.5, model.threshold), (n_stages + 0.5, model.threshold)]
        line = hv.Curve(ends, *axes, label="exit threshold")
        layers.append(drawn_line(line, colours.shared, "dashed"))
    step = max(1, round(n_stages / 12))
    cost = model.prediction_cost(X)[0]
    unit = getattr(model.hypergraph, "unit", "")
    said = (
        f"leaves at stage {last + 1} of {n_stages} as {model.predict(X)[0]}, "
        f"for {cost_text(cost, unit)}"
    )
    return framed(
        hv.Overlay(layers),
        title=said if title is None else title,
        dark=dark,
        legend="top_right",
        height=320,
        xlim=(0.5, n_stages + 0.5),
        ylim=(min(0.0, *marks) if marks else 0.0, top),
        xticks=list(range(1, n_stages + 1, step)),
    )


def _answers(stages: Any, above: Any, called: Any, axes: Any, colour: str) -> Any:
    # An answer stands where it is new, and at the end; each would hide the next.
    is_new = [k == 0 or called[k] != called[k - 1] for k in range(len(called))]
    rows = [k for k, new in enumerate(is_new) if new or k == len(called) - 1]
    named = [str(called[k]) for k in rows]
    return lettered((stages[rows], above[rows], named), axes, colour)
