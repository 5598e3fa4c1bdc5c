"""How far each method is that is being traced, with a button that stops it."""

from __future__ import annotations

from functools import partial
from typing import Any

from solvers import all_methods

from ...compute.query import Asker
from ...widgets.controls import button
from ...widgets.page_layout import cancel_button, from_first_shown
from ...widgets.parts import wide_row
from ...widgets.progress import ProgressBar


def tracing_row(traces: Asker, settled: Any = "") -> Any:
    """Return the row that shows how far each method is.

    `settled`: what it says while nothing is traced, or a reference to that.
    """
    bar = ProgressBar(
        busy=traces.param.is_slow,
        share=traces.param.progress,
        label="Tracing frontiers",
        width=300,
        settled=settled,
    )
    cancel = cancel_button(traces, "Cancel all")
    chips = wide_row(height=46, scroll="x-auto")

    def stop(place: int) -> None:
        shown = list(traces.shares)
        if place < len(shown):  # or it ended while the click was under way
            traces.stop(shown[place])

    def draw(*_: Any) -> None:
        # A button is used again for another method: to put one in or take one out
        # makes Bokeh look through the whole page, which takes longer than the plot.
        shares = traces.shares if traces.is_slow else {}
        for n in range(len(chips), len(shares)):
            press = partial(stop, n)
            chips.append(button("", press, small=True, margin=(2, 3)))
        for chip in chips[len(shares) :]:
            chip.visible = False
        for chip, (name, share) in zip(chips, shares.items(), strict=False):
            title = all_methods()[name].title
            chip.param.update(label=f"Stop {title}, {100 * share:.0f} %", visible=True)

    traces.param.watch(draw, ["shares", "is_slow"])
    # Sent when something first takes a while: most pages open on what is there.
    buttons = wide_row(cancel, chips, visible=traces.is_slow)
    traces.param.watch(lambda _: buttons.param.update(visible=True), "is_slow")
    shown = from_first_shown(buttons)
    return wide_row(bar, shown, height=48, scroll="x-auto")
