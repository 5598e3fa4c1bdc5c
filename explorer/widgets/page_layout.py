"""What every page is laid out with: frames, grids, a row that shows progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ..compute.jobs import Job
from .controls import button
from .markup import Message, markup, told_together
from .parts import wide_column, wide_row
from .text import plain
from .ui import pmui

FRAME = {
    "background": "var(--panel-surface-color, transparent)",
    "border": "1px solid rgb(128 128 128 / 0.35)",
    "border-radius": "4px",
}
# Up to this width a window is a phone's, held upright; from these on, parts stand side
# by side, and a picture is twice as wide as what stands beside it.
NARROW, BESIDE, LARGE = 600, 980, 1200
# The picture that answers takes so much of the window's height.
HERO_SHARE = "58vh"


def high(share: str, least: int, on_phones: int) -> str:
    """Return the style of a figure whose height follows the window's."""
    return f"""
:host {{ flex: none !important; height: max({share}, {least}px) !important; }}
@media (max-width: {NARROW}px) {{ :host {{ height: {on_phones}px !important; }} }}
"""


# No lower than one can read, or a phone's thumb needs; beside it room for words.
HERO = high(HERO_SHARE, 380, 380)
# Below a row of buttons that play it.
PLAYED = high(f"calc({HERO_SHARE} - 60px)", 320, 320)
SIDE = high(f"calc({HERO_SHARE} - 200px)", 290, 300)
# Above a sentence, and no higher than leaves room for the answer in a low window.
TOLD = high(f"min({HERO_SHARE} - 80px, 100vh - 430px)", 300, 300)
HERO_TOLD = high(f"min({HERO_SHARE}, 100vh - 388px)", 300, 380)


def page_body(*parts: Any) -> Any:
    """Return a whole page, from its head down."""
    return wide_column(*parts, margin=(0, 8))


def messages(*said: Job | Message) -> list[Any]:
    """Return where jobs say what went wrong; nothing is seen of them before.

    With them stand messages that come from elsewhere.
    """
    each = (
        one if isinstance(one, Message) else Message(text=one.param.message)
        for one in said
    )
    return [told_together(*each)]


def framed(view: Any, title: str = "") -> Any:
    """Return a view in the frame that all views stand in."""
    heading = [markup(f"<h2>{title}</h2>", margin=(2, 10))] if title else []
    return wide_column(*heading, view, styles=FRAME, css_classes=["frame"])


def pictures(*cells: tuple[Any, int]) -> Any:
    """Return framed views in a grid of twelve columns, below each other if narrow."""
    return _side_by_side(cells, BESIDE)


def _side_by_side(cells: Sequence[tuple[Any, int]], from_width: int) -> Any:
    """Return views in a grid of twelve columns; on a narrower window, in one.

    Plain CSS: a Material layout looks through all models below it as it is opened.
    """
    widths = "".join(
        f"div:nth-of-type({number}) {{ grid-column: span {width}; }}"
        for number, (_, width) in enumerate(cells, 1)
    )
    style = (
        ":host { display: grid !important; gap: 8px;"
        " grid-template-columns: minmax(0, 1fr); }"
        "div { align-self: stretch; height: auto; }"  # frames of a row end together
        f"@media (min-width: {from_width}px) {{"
        " :host { grid-template-columns: repeat(12, minmax(0, 1fr)); }"
        f" {widths} }}"
    )
    return wide_column(*[view for view, _ in cells], stylesheets=[style])


def progress_row(job: Job, label: str, cancel: Callable[[], None] | None = None) -> Any:
    """Return a row that shows how far a job has come, with a button that stops it.

    `cancel`: stops it, where more is to be done than that.

    Until the job first runs the row is empty, and as high as it will be.
    """
    row = wide_row(min_height=35)

    def fill() -> None:
        bar = ProgressBar(busy=job.param.is_slow, share=job.param.progress, label=label)
        row.objects = [bar, cancel_button(job, act=cancel)]

    _once(job, "is_slow", fill)
    return row


def cancel_button(
    work: Any, label: str = "Cancel", act: Callable[[], None] | None = None
) -> pmui.Button:
    """Return a button, seen while work is slow, that calls its `cancel`, or `act`."""
    return button(
        label,
        act or work.cancel,
        variant="text",
        size="small",
        margin=0,
        visible=work.param.is_slow,
    )


def from_first_shown(content: Any, flag: str = "visible") -> Any:
    """Return a column of something that is sent when it is first visible, or open."""
    column = wide_column()
    _once(content, flag, lambda: column.param.update(objects=[content]))
    return column


def _once(owner: param.Parameterized, flag: str, act: Callable[[], None]) -> None:
    """Act when a flag is first set, or at once."""
    if getattr(owner, flag):
        act()
        return

    def first(event: Any) -> None:
        if event.new:
            owner.param.unwatch(watcher)
            act()

    watcher = owner.param.watch(first, flag)


class ProgressBar(Viewer):
    """A determinate bar with its name; as high at rest."""

    busy = param.Boolean(default=False, allow_refs=True)
    share = param.Number(default=0.0, allow_refs=True, doc="Share that is done.")
    label = param.String(default="Computing", doc="What is being computed.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", margin=(8, 10, 0, 10), min_height=22)
        self.param.watch(lambda *_: self._write(), ["busy", "share"])
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        if not self.busy:
            self._pane.object = ""
            return
        label = plain(self.label)
        self._pane.object = (
            f'<div class="progress"><progress aria-label="{label}" max="100" '
            f'value="{100 * self.share:.0f}"></progress><span>{label}, '
            f"{100 * self.share:.0f} %</span></div>"
        )
