"""Parts of the cascade page: what one row does, the paper's figures, one prediction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui

from solvers.cascades import FIGURES, Figure, trace_figure

from ...compute.jobs import Job, Post
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import progress_row
from .images import examples_of, figure_6, paint
from .paper_figure import CascadeFigure
from .state import CascadeState

__all__ = [
    "figures_part",
    "journey_part",
    "paint_images",
    "timing_part",
]

WIDE = {"sizing_mode": "stretch_width"}
# More stops than any cascade has: all of them are shown.
ALL_STOPS = 100_000


def _button(post: Post, label: str, do: Callable[[], None], **options: Any) -> Any:
    """Return a button; all that its work changes is drawn in one message."""
    return pmui.Button(
        label=label,
        variant="outlined",
        size="small",
        margin=(6, 4),
        on_click=lambda _: post(do),
        **options,
    )


def journey_part(state: CascadeState, method: str, view: Any, post: Post) -> Any:
    """Return one row's journey, with the buttons that step through it."""

    def show(step: int) -> None:
        state.step = step

    def go(change: int) -> None:
        journey = state.journey(method)
        stops = 1 if journey is None else len(journey.stops)
        state.step = max(1, min(state.step, stops) + change)

    def other_row(change: int) -> None:
        result = state.result(method)
        if result is not None:
            row = (state.row + change) % result.n_rows
            state.param.update(row=row, step=ALL_STOPS)

    def next_wrong() -> None:
        result = state.result(method)
        wrong = np.empty(0, dtype=int) if result is None else result.wrong_rows()
        later = wrong[wrong > state.row]
        if wrong.size:
            row = later[0] if later.size else wrong[0]
            state.param.update(row=int(row), step=ALL_STOPS)

    bar = pn.FlexBox(
        _button(post, "Previous row", lambda: other_row(-1)),
        _button(post, "Next row", lambda: other_row(1)),
        _button(post, "Next wrong row", next_wrong),
        _button(post, "First stage", lambda: show(1)),
        _button(post, "Step back", lambda: go(-1)),
        _button(post, "Step", lambda: go(1)),
        _button(post, "To the exit", lambda: show(ALL_STOPS)),
        align_items="center",
    )
    return pn.Column(bar, view, **WIDE)


def figures_part(
    state: CascadeState,
    job: Job,
    painting: Job,
    view: CascadeFigure,
    post: Post,
) -> Any:
    """Return the paper's figures, each one click away."""
    done: dict[str, Figure] = {}

    def draw(found: Figure) -> None:
        state.figure = found
        rows = [row for column in figure_6(found.rounds).values() for row in column]
        missing = [row for row in rows if row not in state.images]
        if missing:
            painting.submit(lambda: paint(missing), state.take_images)

    def arrived(figures: list[Figure]) -> None:
        draw(figures[-1])
        job.progress = figures[-1].share
        if figures[-1].claims:
            done[figures[-1].name] = figures[-1]

    def show(name: str) -> None:
        if name in done:
            job.cancel()
            draw(done[name])
        else:
            job.submit(lambda: trace_figure(name), arrived)

    ask = _asking(state, show)
    buttons = [
        _button(post, title.split(":")[0], partial(ask, name))
        for name, title in FIGURES.items()
    ]
    about = (
        "<p>Each is computed here, on our scenes at the paper's costs; what the paper "
        "states in numbers stands beside. Its photographs are not free to copy.</p>"
    )
    return pn.Column(
        markup(about),
        pn.FlexBox(*buttons),
        progress_row(job, "Computing the figure"),
        Message(text=job.param.message),
        view,
        **WIDE,
    )


def _asking(state: CascadeState, show: Callable[[str], None]) -> Callable[[str], None]:
    """Return what asks for a figure; one that a link asks for is shown as well."""

    def follow(*_: Any) -> None:
        if state.asked:
            show(state.asked)

    def ask(name: str) -> None:
        if state.asked == name:
            show(name)
        state.asked = name

    state.param.watch(follow, "asked")
    return ask


def timing_part(run: Callable[[], None], job: Job, view: Any, post: Post) -> Any:
    """Return the predictions that really stop early."""
    button = _button(post, "Run one prediction", run, icon="speed")
    return pn.Column(
        pn.Row(button, progress_row(job, "Running"), **WIDE),
        Message(text=job.param.message),
        view,
        **WIDE,
    )


def paint_images(state: CascadeState, job: Job) -> None:
    """Paint the pictures that are on the page and not there yet."""
    picture = state.picture
    if picture is None or not state.has_images:
        return
    threshold = picture.threshold(state.share)
    shown = [
        example.row
        for found in state.rounds()
        for example in examples_of(picture.cascade, picture.test, found, threshold)
    ]
    shown.append(int(picture.cascade.split.rows["test"][state.row]))
    missing = [row for row in dict.fromkeys(shown) if row not in state.images]
    if missing:
        job.submit(lambda: paint(missing), state.take_images)
