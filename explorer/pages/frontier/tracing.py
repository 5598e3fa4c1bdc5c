"""Traces of several methods, one after another: each says how far it is, and stops."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import param

from solvers import all_methods

from ...compute.jobs import Job
from ...session.context import Context
from ...widgets.controls import button
from ...widgets.page_layout import cancel_button, from_first_shown
from ...widgets.parts import wide_row
from ...widgets.progress import ProgressBar
from .streams import TraceItem, TraceRequest, trace_methods

# How many points a path is expected to have, until it was traced once.
EXPECTED_POINTS = 60
Collect = Callable[[Iterable[TraceItem]], None]


class Tracing(param.Parameterized):
    """The traces that a session has asked for.

    One method at a time: the other worker is left to what a slider asks for, and to
    other sessions.
    """

    busy = param.Boolean(default=False, doc="Whether something is being traced.")
    progress = param.Number(default=0.0, bounds=(0, 1), doc="Share that is done.")
    message = param.String(default="", doc="What went wrong, in a sentence each.")
    shares = param.Dict(default={}, doc="Share that is done, of what is not complete.")

    def __init__(self, context: Context, **params: Any) -> None:
        super().__init__(**params)
        self._context = context
        self._jobs: dict[str, Job] = {}
        self._expected: dict[str, int] = {}
        self._waiting: deque[str] = deque()
        self._running: str | None = None
        self._request: TraceRequest | None = None
        self._collect: Collect = lambda items: None

    def submit(self, request: TraceRequest, collect: Collect) -> None:
        """Trace what is asked for, and forget what was asked before."""
        self.cancel()
        self._request, self._collect = request, collect
        self._waiting = deque(request.methods)
        shares = dict.fromkeys(request.methods, 0.0)
        self.param.update(busy=True, progress=0.0, message="", shares=shares)
        self._next()

    def cancel(self) -> None:
        """Stop everything; what has arrived stays."""
        self._waiting.clear()
        if self._running is not None:
            self._jobs[self._running].cancel()
        self.param.update(busy=False, shares={})

    def stop(self, method: str) -> None:
        """Stop one method; the others go on."""
        if method == self._running:
            self._jobs[method].cancel()
        elif method in self._waiting:
            self._waiting.remove(method)
            self._forget(method)

    # ---------------------------------------------------------------------- one by one

    def _job(self, method: str) -> Job:
        if method not in self._jobs:
            job = self._context.job()
            job.param.watch(lambda event: self._ended(method, event.new), "busy")
            self._jobs[method] = job
        return self._jobs[method]

    def _next(self) -> None:
        if self._request is None or not self._waiting:
            self._running = None
            self.param.update(busy=False, progress=1.0, shares={})
            return
        method = self._running = self._waiting.popleft()
        alone = replace(self._request, methods={method: self._request.methods[method]})
        collect, n_points, trained = self._collect, 0, 0.0

        def arrived(items: list[TraceItem]) -> None:
            nonlocal n_points, trained
            collect(items)
            n_points += sum(item.point is not None for item in items)
            # What trains for long before its first point says how far that is.
            trained = max([trained, *(item.share or 0.0 for item in items)])
            if items[-1].is_end:
                self._expected[method] = n_points
            expected = self._expected.get(method, EXPECTED_POINTS)
            share = max(trained, n_points / max(1, expected))
            self._advance(method, min(0.99, share))

        job = self._job(method)
        job.submit(lambda: trace_methods(alone), arrived, is_long=True)

    def _ended(self, method: str, busy: bool) -> None:
        if busy or method != self._running:
            return
        job = self._jobs[method]
        if job.message:
            sentence = f"{all_methods()[method].title}: {job.message}"
            self.message = f"{self.message} {sentence}".strip()
        self._running = None
        if self.busy:
            self._forget(method)
            self._next()

    def _advance(self, method: str, share: float) -> None:
        self.shares = {**self.shares, method: share}
        self._total()

    def _forget(self, method: str) -> None:
        self.shares = {k: v for k, v in self.shares.items() if k != method}
        self._total()

    def _total(self) -> None:
        if self._request is not None:
            n = len(self._request.methods)
            self.progress = min(
                0.99, (n - sum(1 - s for s in self.shares.values())) / n
            )

    # ------------------------------------------------------------------------- showing

    def row(self, settled: Any = "") -> Any:
        """Return the row that shows how far each method is.

        `settled`: what it says while nothing is traced, or a reference to that.
        """
        bar = ProgressBar(
            busy=self.param.busy,
            share=self.param.progress,
            label="Tracing frontiers",
            width=300,
            settled=settled,
        )
        cancel = cancel_button(self, "Cancel all")
        chips = wide_row(height=46, scroll="x-auto")

        def draw(*_: Any) -> None:
            # A button is used again for another method: to put one in or take one out
            # makes Bokeh look through the whole page, which takes longer than the plot.
            missing = len(self.shares) - len(chips)
            if missing > 0:
                n = len(chips)
                chips.extend([self._stop_button(n + k) for k in range(missing)])
            for chip in chips[len(self.shares) :]:
                chip.visible = False
            for chip, (name, share) in zip(chips, self.shares.items(), strict=False):
                title = all_methods()[name].title
                chip.param.update(
                    label=f"Stop {title}, {100 * share:.0f} %", visible=True
                )

        self.param.watch(draw, "shares")
        # Sent when something is first traced: most pages open on what is there.
        buttons = wide_row(cancel, chips, visible=self.busy)
        self.param.watch(lambda _: buttons.param.update(visible=True), "busy")
        shown = from_first_shown(buttons)
        return wide_row(bar, shown, height=48, scroll="x-auto")

    def _stop_button(self, place: int) -> Any:
        def stop() -> None:
            shown = list(self.shares)
            if place < len(shown):  # or it ended while the click was under way
                self.stop(shown[place])

        return button("", stop, small=True, margin=(2, 3))
