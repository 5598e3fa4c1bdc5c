"""All exits of a cascade, sent to a browser once: it moves rows by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS

from ...compute.debounced import Settle
from ...compute.jobs import Job
from ...figures.cascade_exits import ExitPlaces
from ...figures.live import SceneView
from ...widgets.assets import asset
from ...widgets.positions import tidy
from .state import CascadeState
from .tefe_result import TEFE, CascadePicture, ThresholdResult
from .text import answer_markup

# Steps of the threshold's slider, from one end to the other.
STEPS = 200
STEP = tidy(1 / STEPS)
SHARES = tuple(tidy(at * STEP) for at in range(STEPS + 1))
# What is moved: of the figure of exits, and of the figure of cost.
MOVED, CHOSEN = ("reach", "right", "wrong", "here"), "here"
_DRAW = f"""{asset("exits.js")}
table.redraw = () => drawExits(table, {{ reach, right, wrong, here, chosen }})
table.redraw()
"""
_MOVED = "table.moved = source.value; table.answer = answer; table.redraw?.()"
_NUMBER = re.compile(r"(\d[\d.]*)")


class AllExits:
    """What a browser has to know to move rows with the slider, and whether it does.

    A browser that has it says so, and is sent no rows from then on. What it has holds
    for one picture at the places of the slider; elsewhere the server draws.
    """

    def __init__(self, state: CascadeState, job: Job, settle: Settle) -> None:
        self._state, self._job, self._number = state, job, 0
        self._picture: CascadePicture | None = None  # Of which the browser has all
        self.source = ColumnDataSource()
        inputs = [*TEFE.inputs, "way"]
        state.param.watch(lambda *_: settle(self._ask), inputs)
        state.param.watch(lambda *_: self._follow(), "row")

    def wire(
        self, slider: Any, stages: SceneView, tradeoff: SceneView, answer: Any
    ) -> None:
        """Let a slider move rows and rings of two figures, and an answer's words."""
        sources: dict[str, Any] = stages.hand_over(MOVED, self.is_drawn)
        sources["chosen"] = tradeoff.hand_over([CHOSEN], self.is_drawn)[CHOSEN]
        table = {"table": self.source}
        self.source.js_on_change("data", CustomJS(args=sources | table, code=_DRAW))
        slider.jscallback(args=table | {"answer": answer}, value=_MOVED)
        # What the server says of a move is late while the next one is made.
        answer.jscallback(args=table, text="table.redraw?.()")

    def is_drawn(self) -> bool:
        """Return whether the browser draws what is chosen by itself.

        What it has of another picture is taken from it first.
        """
        state = self._state
        is_true = self._picture is state.picture and state.way == TEFE.name
        if self._picture is not None and not is_true:
            self._picture, self.source.data = None, {}
        has_it = self._picture is not None and self.source.tags == [self._number]
        return has_it and state.share in SHARES

    def _ask(self) -> None:
        picture = self._state.picture
        if picture is None or picture is self._picture or self._state.way != TEFE.name:
            return
        self._job.submit(
            lambda: all_exits(picture), lambda found: self._send(picture, found[-1])
        )

    def _send(self, picture: CascadePicture, table: dict[str, Any]) -> None:
        state = self._state
        if picture is state.picture and state.way == TEFE.name:
            self._picture, self._number = picture, self._number + 1
            now = {"number": self._number, "share": state.share}
            now["followed"] = state.followed(TEFE.name)
            # A column that holds one thing each: they are not of one length.
            self.source.data = {name: [one] for name, one in (table | now).items()}

    def _follow(self) -> None:
        if self._picture is not None:
            self.source.data["followed"] = [self._state.followed(TEFE.name)]


def all_exits(picture: CascadePicture) -> Iterator[dict[str, Any]]:
    """Yield what `assets/exits.js` places test rows by, at all places of the slider."""
    test = picture.test
    found = [ThresholdResult(picture, share) for share in SHARES]
    thresholds = np.array([one.threshold for one in found])
    highest = np.maximum.accumulate(test.confidences[:, :-1], axis=1)
    # A row passes a stage where the threshold lies above: from which place on.
    passed = np.searchsorted(thresholds, highest, side="right").astype(np.uint8)
    places = ExitPlaces.of(test.n_rows, found[0].added)
    forms, numbers = parted([escape(answer_markup(one)) for one in found])
    yield {
        **vars(places),
        "first": TEFE.first_stage,
        "steps": STEPS,
        "passed": passed.ravel(),
        "right": test.right.astype(np.uint8).ravel(),
        "cost": np.array([one.cost for one in found]),
        "accuracy": np.array([one.accuracy for one in found]),
        "forms": forms,
        "numbers": numbers,
    }


def parted(texts: Sequence[str]) -> tuple[list[list[str]], list[list[Any]]]:
    """Return texts as the few forms that they have, and the numbers in each.

    Returns
    -------
    forms : list of list of str
        What stands between the numbers.
    numbers : list of list
        Of each text: which form it has, and its numbers.
    """
    forms: dict[tuple[str, ...], int] = {}
    told: list[list[Any]] = []
    for text in texts:
        parts = _NUMBER.split(text)
        told.append([forms.setdefault(tuple(parts[::2]), len(forms)), *parts[1::2]])
    return [[*form] for form in forms], told
