"""Measured against predicted time, one mark a selection of features."""

from __future__ import annotations

from typing import Any

import param

from solvers.features.verification import Verification

from ..figures.live import SceneView
from ..figures.scene import Axis, Scene, dots, line, links

TOOLTIPS = [
    ("selection", "@name"),
    ("predicted", "@x{0.00} µs"),
    ("measured", "@y{0.00} µs"),
]


class VerificationPlot(SceneView):
    """Marks on the diagonal took what the hypergraph says."""

    result: Any = param.ClassSelector(
        class_=Verification, allow_None=True, doc="What was measured."
    )
    names = param.List(default=[], doc="What each selection is called.")

    called = "verification"
    legend = ""
    has_words = False
    follows = ("result",)

    def scene(self) -> Scene | None:
        """Return marks with the spread of what was measured; None before it was."""
        return None if self.result is None else verification(self.result, self.names)


def verification(found: Verification, names: list[str]) -> Scene:
    """Return what was measured against what was predicted, and where both agree."""
    x, y, half = found.predicted, found.measured, found.spread / 2
    top = 1.1 * max(float(x.max()), float((y + half).max()))
    low, high = [[*zip(x, y + way * half, strict=True)] for way in (-1, 1)]
    return Scene(
        Axis("predicted by the measured components (µs per sample)", 0.0, top),
        Axis("measured (µs per sample)", 0.0, top),
        [
            line("alike", [0.0, top], [0.0, top], "faded", dash="dashed", width=1.5),
            links("spread", low, high, "quiet_text"),
            dots(
                "selections", x, y, "lit", size=9, hover=TOOLTIPS, told={"name": names}
            ),
        ],
    )
