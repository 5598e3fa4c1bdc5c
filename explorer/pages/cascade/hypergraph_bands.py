"""Scores of the rows that reach each stage, and between which of them rows go on."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from ...figures.live import SceneView
from ...figures.scene import Axis, Layer, Scene, boxes
from ...widgets.theme import PLOT_HEIGHT, Role
from .hypergraph_result import PolicyResult
from .result import bound_text
from .state import CascadeState

# How far a band, and the longest bar of a stage, go to either side of its middle.
HALF, REACH = 0.47, 0.44
TOOLTIPS = [
    ("stage", "@name"),
    ("rows of this score", "@count"),
    ("score", "@bottom{0.0} to @top{0.0}"),
]
BAND_TOOLTIPS = [
    ("stage", "@name, @reached rows reach it"),
    ("go on between", "@low and @high"),
]
# Patterns on hundreds of bars are slow: the side tells right from wrong.
SIDES: tuple[tuple[str, str, Role, float], ...] = (
    ("right", "right →", "lit", 1.0),
    ("wrong", "← wrong", "wrong", -1.0),
)
NONE: NDArray[np.float64] = np.empty(0)


class HypergraphBands(SceneView):
    """A column a stage: right answers to the right, wrong ones to the left."""

    state = param.ClassSelector(class_=CascadeState)

    called = "bands"
    height = PLOT_HEIGHT
    has_words = False

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.state.watch_moves("hypergraph", self._draw)

    def scene(self) -> Scene:
        """Return where rows go on, and the scores of those that reach each stage."""
        picture = self.state.policy_result()
        if picture is None:
            bars = [_bars(None, NONE, NONE, side) for side in SIDES]
            x = Axis("stage", -0.6, 10.6, {0.0: "0", 5.0: "5", 10.0: "10"})
            return Scene(x, Axis("score u", -1, 1), [_bands(None), *bars])
        longest = np.maximum(picture.right_scores, picture.wrong_scores).max(axis=1)
        found = (picture.right_scores, picture.wrong_scores)
        bars = [
            _bars(picture, scores, longest, side)
            for scores, side in zip(found, SIDES, strict=True)
        ]
        return Scene(*_axes(picture), [_bands(picture), *bars])


def _axes(picture: PolicyResult) -> tuple[Axis, Axis]:
    """Return room for the stages of this member, and for all scores."""
    edges, n_stages = picture.trained.edges, picture.n_stages
    every = 1 if n_stages <= 16 else 5
    is_binary = picture.trained.replay.is_binary
    return (
        Axis(
            "stage, 0 is the free answer"
            if len(picture.first) == 2
            else "stage; the leaves of the splits one after the other",
            *(-0.6, n_stages - 0.4),
            {float(stage): f"{stage}" for stage in range(0, n_stages, every)},
        ),
        Axis(
            "score u: log-odds of the second class"
            if is_binary
            else "score u: how far the best class leads, in log-odds",
            float(edges[0]),
            float(edges[-1] + 0.03 * (edges[-1] - edges[0])),
        ),
    )


def _bands(picture: PolicyResult | None) -> Layer:
    """Return where rows go on, at the stages that rows reach."""
    at, low, high = np.empty(0, dtype=int), NONE, NONE
    told: dict[str, Any] = {"name": [], "low": [], "high": [], "reached": []}
    if picture is not None:
        edges = picture.trained.edges
        at = np.flatnonzero((picture.reached > 0) & (picture.low < picture.high))
        low, high = (
            np.clip(one[at], edges[0], edges[-1]) for one in (picture.low, picture.high)
        )
        told = {
            "name": [picture.name(place) for place in at],
            "low": [bound_text(value) for value in picture.low[at]],
            "high": [bound_text(value) for value in picture.high[at]],
            "reached": picture.reached[at],
        }
    rim = {"line_color": "quiet_text", "line_width": 1.5, "fill_alpha": 0.28}
    more = {"key": "go on", "hover": BAND_TOOLTIPS, "told": told, **rim}
    return boxes("band", at - HALF, at + HALF, low, high, "quiet_text", **more)


def _bars(
    picture: PolicyResult | None,
    scores: NDArray[Any],
    longest: NDArray[Any],
    side: tuple[str, str, Role, float],
) -> Layer:
    """Return the bars that are there: each stage's longest one is as long."""
    name, key, role, sign = side
    place, low, high, width = np.empty(0, dtype=int), NONE, NONE, NONE
    told: dict[str, Any] = {"count": [], "name": []}
    if picture is not None:
        place, at = np.nonzero(scores)
        counts, edges = scores[place, at], picture.trained.edges
        low, high, width = edges[at], edges[at + 1], REACH * counts / longest[place]
        told = {"count": counts, "name": [picture.name(p) for p in place]}
    end = place + sign * width
    left, right = np.minimum(place, end), np.maximum(place, end)
    more = {"key": key, "hover": TOOLTIPS, "told": told}
    return boxes(name, left, right, low, high, role, **more)
