"""One row's way through a cascade: how sure each stage is, until one answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from solvers.methods.tefe import TEFEClassifier

from ..widgets.text import cost_text
from ..widgets.theme import Role, method_style
from .scene import Axis, Layer, Scene, boxes, line, method_dots, ring, words

if TYPE_CHECKING:
    import holoviews as hv

WIDTH, MOST_TICKS = 0.4, 12


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
    from .still import still

    X = np.asarray(row, dtype=float).reshape(1, -1)
    last = int(model.exit_stages(X)[0])
    confidence = model.stage_confidences(X)[0, : last + 1]
    called = model.stage_predictions(X)[0, : last + 1]
    may_answer = np.isfinite(confidence)
    stages, sure = np.flatnonzero(may_answer) + 1, confidence[may_answer]
    n_stages = len(model.stage_costs_)
    marks = [value for value in (*sure, model.threshold) if np.isfinite(value)]
    top = 1.25 * max(marks, default=1.0) or 1.0
    ends = min(0.0, *marks) if marks else 0.0, top
    scene = journey_scene(
        *(stages, sure, 1, n_stages),
        Axis("confidence", *ends),
        threshold=model.threshold,
    )
    answers = _answers(stages, sure + 0.06 * top, called[may_answer])
    if title is None:
        unit = getattr(model.hypergraph, "unit", "")
        title = (
            f"leaves at stage {last + 1} of {n_stages} as {model.predict(X)[0]}, "
            f"for {cost_text(model.prediction_cost(X)[0], unit)}"
        )
    drawn = Scene(scene.x, scene.y, [*scene.layers, answers])
    return still(drawn, title=title, dark=dark, legend="top_right", height=320)


def journey_scene(
    stages: Any,
    scores: Any,
    first: int,
    last: int,
    y: Axis,
    *,
    across: str = "stage",
    bands: Mapping[str, Any] | None = None,
    threshold: float = np.nan,
    method: str = "tefe",
    said: str = "",
) -> Scene:
    """Return the stops of a row, ringed where it leaves.

    Shapes: `stages`, `scores` (n_stops,); a score is NaN where a stage may not answer.
    `first`, `last`: stages there are. `bands`: "stage", "low" and "high", between which
    rows go on. `threshold`: drawn across where it is finite. `said`: the same in words.
    """
    found = bands or {"stage": np.empty(0), "low": np.empty(0), "high": np.empty(0)}
    at = np.asarray(found["stage"], dtype=float)
    edges = (at - WIDTH, at + WIDTH, found["low"], found["high"])
    rim = {"line_color": "quiet_text", "line_width": 1.5, "fill_alpha": 0.28}
    role: Role = "quiet_text"
    layers = [
        boxes("spans", *edges, role, **rim),
        line("way", stages, scores, role, width=1.5),
        method_dots(
            "stops",
            stages,
            scores,
            method_style(method),
            key="a stage's answer",
            fill_alpha=1.0,
        ),
        ring(stages[-1:], scores[-1:], name="last", size=18, key="leaves"),
    ]
    if np.isfinite(threshold):
        ends, at = [first - 0.5, last + 0.5], [float(threshold)] * 2
        look = {"dash": "dashed", "key": "exit threshold"}
        layers.append(line("threshold", ends, at, "budget", **look))
    step = max(1, round((last - first + 1) / MOST_TICKS))
    ticks = {float(stage): f"{stage}" for stage in range(first, last + 1, step)}
    return Scene(Axis(across, first - 0.5, last + 0.5, ticks), y, layers, said=said)


def _answers(stages: Any, above: Any, called: Any) -> Layer:
    # An answer stands where it is new, and at the end; each would hide the next.
    is_new = [k == 0 or called[k] != called[k - 1] for k in range(len(called))]
    rows = [k for k, new in enumerate(is_new) if new or k == len(called) - 1]
    return words("answers", stages[rows], above[rows], [str(called[k]) for k in rows])
