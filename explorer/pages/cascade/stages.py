"""Where rows leave a cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import param

from ...figures.cascade_exits import exits_scene
from ...figures.live import SceneView
from ...figures.scene import Scene
from ...widgets.page_layout import HERO
from ...widgets.text import cost_text, unit_text
from ...widgets.theme import PLOT_HEIGHT
from .state import METHODS, CascadeState

# More stops than any cascade has: all of a row's way is shown.
WHOLE_WAY = 100_000


class CascadeStages(SceneView):
    """A column a stage; a row that is clicked is followed."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    called = "stages"
    height = PLOT_HEIGHT
    style = HERO
    has_words = False

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure.name = METHODS[self.method].figures["stages"]
        self.state.watch_moves(self.method, self._draw)
        self.state.param.watch(lambda _: self._draw(), "row")

    def scene(self) -> Scene:
        """Return the stages of what is at hand, and every test row where it leaves."""
        result = self.state.result(self.method)
        if result is None:  # nothing yet, where it will stand
            none = np.empty(0)
            return exits_scene(none.astype(int), none.astype(bool), none, ())
        unit = result.dataset.unit
        return exits_scene(
            result.exits,
            result.is_right,
            result.added,
            result.stage_names,
            first=METHODS[self.method].first_stage,
            told_costs=[cost_text(cost, unit) for cost in result.costs],
            unit=f" ({unit_text(unit)})",
            followed=self.state.followed(self.method),
        )

    def taps(self) -> Mapping[str, Callable[[int], None]]:
        """Follow the row that is tapped."""

        def follows(layer: str) -> Callable[[int], None]:
            def follow(at: int) -> None:
                row = int(self._shown[layer].columns["row"][at])
                self.state.param.update(row=row, step=WHOLE_WAY)

            return follow

        return {name: follows(name) for name in ("right", "wrong")}
