"""Where rows leave a cascade; one row's way through it, and its bill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import panel as pn
import param
from numpy.typing import NDArray

from solvers import Dataset
from solvers.deploy import itemised, policy_from
from solvers.deploy.policy import DeployablePolicy
from solvers.errors import DeployError
from solvers.papers.cascades import CascadeRows, ExitRound

from ...compute.jobs import Post
from ...figures.cascade_exits import exits_scene
from ...figures.cascade_journey import journey_scene
from ...figures.live import SceneView
from ...figures.scene import Axis, Layer, Scene, boxes
from ...widgets.controls import button
from ...widgets.figure_view import Alone, TextView
from ...widgets.markup import markup
from ...widgets.page_layout import HERO
from ...widgets.parts import wide_column, wide_row
from ...widgets.tables import bill_markup, plain_table
from ...widgets.text import cost_text, plain, unit_text
from ...widgets.theme import PLOT_HEIGHT, Role
from .hypergraph_result import PolicyResult
from .result import bound_text
from .state import METHODS, CascadeState
from .take_away import cascade_estimator, shown_result
from .tefe_result import ThresholdResult
from .text import headed_table
from .training import TrainedCascade

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


# How far a band, and the longest bar of a stage, go to either side of its middle.
HALF, REACH = 0.47, 0.44
TOOLTIPS = [
    ("stage", "@name"),
    ("rows of this score", "@count"),
    ("score", "@bottom{number} to @top{number}"),
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


# Examples of each round: those that leave right, and those that leave wrong.
N_RIGHT, N_WRONG = 4, 2


@dataclass(frozen=True)
class Example:
    """An image that leaves in a round."""

    row: int  # Row of the data set
    truth: str  # What it is, and what it is called
    called: str
    stage: int  # Stage at which it leaves, from 1

    @property
    def is_right(self) -> bool:
        """Whether it is called what it is."""
        return self.truth == self.called


def examples_of(
    cascade: TrainedCascade, rows: CascadeRows, found: ExitRound, threshold: float
) -> list[Example]:
    """Return examples of those that leave in a round.

    At most four that are right, then at most two that are wrong.
    """
    exits, classes = rows.exits(threshold), cascade.model.classes_
    shown = [*found.right_rows[:N_RIGHT], *found.wrong_rows[:N_WRONG]]
    return [
        Example(
            int(cascade.split.rows["test"][i]),
            str(classes[rows.truth[i]]),
            str(classes[rows.called[i, exits[i]]]),
            int(exits[i]) + 1,
        )
        for i in shown
    ]


class CascadeExamples(TextView):
    """Images that leave early, late and last; right and wrong."""

    state = param.ClassSelector(class_=CascadeState)
    follows = ("cascade", "confidence", "cap", "rests", "images")

    def _markup(self) -> str:
        if not self.state.has_images:
            return "<p>Only rows of “Images” can be shown; choose these data above.</p>"
        picture = self.state.picture
        threshold = picture.threshold(self.state.share)
        parts = []
        for found in self.state.rounds():
            shown = examples_of(picture.cascade, picture.test, found, threshold)
            heading = f"{found.title}: {found.n_rows} rows, {found.n_right} right"
            parts.append(_gallery(heading, shown, self.state.images))
        return "".join(parts)


def _gallery(
    heading: str, examples: Sequence[Example], images: Mapping[int, str]
) -> str:
    drawn = "".join(_drawn(example, images.get(example.row)) for example in examples)
    body = f'<div class="gallery">{drawn}</div>' if drawn else "<p>None.</p>"
    return f"<h3>{plain(heading[:1].upper() + heading[1:])}</h3>{body}"


def _drawn(example: Example, uri: str | None) -> str:
    truth, called = plain(example.truth), plain(example.called)
    words = "right" if example.is_right else f"called {called}"
    kind = "right" if example.is_right else "wrong"
    image = (
        f'<img src="{uri}" alt="" width="96" height="64">'
        if uri
        else '<div class="waiting"></div>'
    )
    return (
        f'<figure class="{kind}">{image}<figcaption>{truth}: {words}, stage '
        f"{example.stage}</figcaption></figure>"
    )


# ------------------------------------------------------------------------- the journey


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
            state.param.update(row=row, step=WHOLE_WAY)

    def next_wrong() -> None:
        result = state.result(method)
        wrong = np.empty(0, dtype=int) if result is None else result.wrong_rows
        later = wrong[wrong > state.followed(method)]
        if wrong.size:
            row = later[0] if later.size else wrong[0]
            state.param.update(row=int(row), step=WHOLE_WAY)

    moves: dict[str, Callable[[], None]] = {
        "Previous row": lambda: other_row(-1),
        "Next row": lambda: other_row(1),
        "Next wrong row": next_wrong,
        "First stage": lambda: show(1),
        "Step back": lambda: go(-1),
        "Step": lambda: go(1),
        "To the exit": lambda: show(WHOLE_WAY),
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
