"""One row's way through a cascade: features, scores, where it may go on, its bill."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import panel as pn
import param

from solvers import Dataset
from solvers.deploy import itemised, policy_from
from solvers.deploy.policy import DeployablePolicy
from solvers.errors import DeployError

from ...compute.jobs import Post
from ...figures.cascade_journey import journey_scene
from ...figures.live import SceneView
from ...figures.scene import Axis, Scene
from ...widgets.controls import button
from ...widgets.figure_view import Alone
from ...widgets.markup import markup
from ...widgets.parts import wide_column, wide_row
from ...widgets.tables import bill_markup, plain_table
from ...widgets.text import plain
from .hypergraph_result import PolicyResult
from .state import METHODS, CascadeState
from .take_away import cascade_estimator, shown_result
from .tefe_result import ThresholdResult
from .text import headed_table

# More stops than any cascade has: all of them are shown.
ALL_STOPS = 100_000


class CascadeJourney(SceneView):
    """The stops that have been stepped through."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    called = "journey"
    height = 260
    legend = ""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.state.watch_rests(self.method, self._draw, "row", "step", "images")

    def _build(self) -> None:
        super()._build()
        method = METHODS[self.method]
        self.figure.name = method.figures["journey"]
        self._image = markup("", width=150, sizing_mode="fixed", height=110)
        self._image.visible = False
        self._table = headed_table(method.stops, self.param.dark)

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(wide_row(self._image, self._text), self._pane, self._table)

    def scene(self) -> Scene:
        """Return the stops up to the step that is shown; what is told of them, too."""
        method, result = METHODS[self.method], self.state.result(self.method)
        across, label = method.score_axes
        first = method.first_stage
        if result is None:
            return journey_scene([], [], first, 10, Axis(label, 0, 1), across=across)
        row = self.state.followed(self.method)
        shown = result.drawn_journey(row, self.state.step)
        self._table.rows = shown.table
        self._show_image(shown.image, result.dataset)
        return journey_scene(
            *(shown.stages, shown.scores, first, shown.last_stage),
            Axis(label, *shown.score_range),
            across=across,
            bands=shown.bands,
            threshold=shown.threshold,
            method=method.style,
            said=shown.sentence,
        )

    def _show_image(self, row: int | None, dataset: Dataset) -> None:
        self._image.visible = row is not None
        uri = None if row is None else self.state.images.get(row)
        self._image.object = (
            f'<img src="{uri}" alt="{plain(str(dataset.y[row]))}" width="144" '
            'height="96">'
            if uri
            else ""
        )


def stepping_buttons(state: CascadeState, method: str, post: Post) -> Any:
    """Return the buttons that step through a row's journey, and to other rows."""

    def show(step: int) -> None:
        state.step = step

    def go(change: int) -> None:
        journey = state.journey(method)
        stops = 1 if journey is None else len(journey.stops)
        state.step = max(1, min(state.step, stops) + change)

    def other_row(change: int) -> None:
        result = state.result(method)
        if result is not None:
            row = (state.followed(method) + change) % result.n_rows
            state.param.update(row=row, step=ALL_STOPS)

    def next_wrong() -> None:
        result = state.result(method)
        wrong = np.empty(0, dtype=int) if result is None else result.wrong_rows
        later = wrong[wrong > state.followed(method)]
        if wrong.size:
            row = later[0] if later.size else wrong[0]
            state.param.update(row=int(row), step=ALL_STOPS)

    moves: dict[str, Callable[[], None]] = {
        "Previous row": lambda: other_row(-1),
        "Next row": lambda: other_row(1),
        "Next wrong row": next_wrong,
        "First stage": lambda: show(1),
        "Step back": lambda: go(-1),
        "Step": lambda: go(1),
        "To the exit": lambda: show(ALL_STOPS),
    }
    # All that a press changes is drawn in one message.
    buttons = [
        button(label, partial(post, move), small=True) for label, move in moves.items()
    ]
    return pn.FlexBox(*buttons, align_items="center")


_Result: TypeAlias = PolicyResult | ThresholdResult


class RowBill(Alone):
    """What was bought for the row, as the exported files reckon it."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._text = markup("")
        self._table = plain_table(None)  # a sentence stands below it
        self._policy: tuple[_Result, DeployablePolicy | None] | None = None
        self.state.watch_rests(self.method, self._draw, "row")
        self.state.param.watch(lambda _: self._draw(), "way")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._text, self._table)

    def _draw(self) -> None:
        result = shown_result(self.state)
        if result is None or self.state.way != self.method:
            return
        policy = self._policy_of(result)
        if policy is None:
            self._text.object = "<p>The steps of this cascade cannot be itemised.</p>"
            self._table.object = ""
            return
        row = self.state.followed(self.method)
        own_row = result.split.rows["test"][row]
        bill = itemised(policy, result.dataset.X[own_row])
        number = len(bill.lines)
        told = f"{number} feature{'s' * (number != 1)}"
        said = f"Test row {row}: {told} bought.{result.score_note}"
        self._text.object = f"<p>{plain(said)}</p>"
        self._table.object = bill_markup(bill, result.dataset.unit, policy.classes)

    def _policy_of(self, result: _Result) -> DeployablePolicy | None:
        """Return the steps of a result; None where a foreign classifier answers."""
        if self._policy is None or self._policy[0] is not result:
            try:
                policy = policy_from(cascade_estimator(result))
            except DeployError:
                policy = None
            self._policy = result, policy
        return self._policy[1]
