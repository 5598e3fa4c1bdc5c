"""Parts of the cascade page: what one row does, its images, one prediction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn

from ...compute.jobs import Job, Post
from ...widgets.controls import button
from ...widgets.message import Message
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column, wide_row
from .images import examples_of, paint
from .state import CascadeState

__all__ = ["journey_part", "paint_images", "timing_part"]

# More stops than any cascade has: all of them are shown.
ALL_STOPS = 100_000


def _button(post: Post, label: str, do: Callable[[], None], **options: Any) -> Any:
    """Return a button; all that its work changes is drawn in one message."""
    return button(label, lambda: post(do), size="small", margin=(6, 4), **options)


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
            row = (state.followed(method) + change) % result.n_rows
            state.param.update(row=row, step=ALL_STOPS)

    def next_wrong() -> None:
        result = state.result(method)
        wrong = np.empty(0, dtype=int) if result is None else result.wrong_rows
        later = wrong[wrong > state.followed(method)]
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
    return wide_column(bar, view)


def timing_part(
    run: Callable[[], None], job: Job, view: Any, post: Post, need: Any
) -> Any:
    """Return the predictions that really stop early.

    `need`: what has to be chosen first, as it changes; empty where they can run.
    """
    button = _button(post, "Run one prediction", run, icon="speed")
    button.disabled = need != ""
    return wide_column(
        wide_row(button, progress_row(job, "Running")),
        Message(text=need, kind="info"),
        Message(text=job.param.message),
        view,
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
    shown.append(int(picture.cascade.split.rows["test"][state.followed("tefe")]))
    missing = [row for row in dict.fromkeys(shown) if row not in state.images]
    if missing:
        job.submit(lambda: paint(missing), state.take_images)
