"""The frame of a page: question, control strip, hero and side, work, answer, the rest.

What is played with and what it moves stand in one window; words come after. Parts carry
the classes ``question``, ``strip``, ``hero``, ``side``, ``answer`` and ``drawer``.

The drawer at the right holds what is set once. It lies over the page, which stays where
it is, and below the picture where the window is narrow; what stands in it is sent when
it is opened. What tells of work, a line below the strip and words beside the answer,
has its place at rest as well, so that nothing moves when work begins or ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import panel as pn
import param

from ..widgets.controls import button
from ..widgets.folds import Fold
from ..widgets.markup import glossary_markup, markup
from ..widgets.page_layout import (
    BESIDE,
    HERO_SHARE,
    LARGE,
    NARROW,
    framed,
    from_first_shown,
    page_body,
)
from ..widgets.parts import wide_column, wide_row
from ..widgets.text import plain
from ..widgets.theme import STYLES
from ..widgets.ui import pmui
from .presenting import ASIDE, CORNER, LARGER, REST

# The class of what opens the drawer, and closes it, when it is pressed.
OPENS_TUNE = "opens-tune"
TUNE_WIDTH = 330
# Of the bar, in CSS pixels.
BAR_HEIGHT = 48
_BAR = f"var(--bar-height, {BAR_HEIGHT}px)"
# Of the page's own style: the template would make room for the drawer, and name a
# button in the bar for it.
DRAWER = {
    "& .MuiAppBar-root [aria-label$=contextbar]": {"display": "none"},
    "& > .main": {"marginRight": "0 !important"},
    "& > nav:has(.contextbar)": {
        "width": "0 !important",
        "position": "sticky",
        "top": _BAR,
        "height": 0,
        "zIndex": "drawer",
    },
    "& .contextbar": {
        "position": "absolute !important",
        "right": 0,
        "height": f"calc(100vh - {_BAR}) !important",
        "boxShadow": 8,
        "& > .MuiToolbar-root": {"display": "none"},
        f"@media (max-width: {NARROW}px)": {
            "position": "fixed !important",
            "top": "auto",
            "bottom": 0,
            "width": "100vw !important",
            "height": "46vh !important",
        },
    },
}
_STAYS = {
    "position": "sticky",
    "top": "0",
    "z-index": "2",
    "background": "var(--mui-palette-background-paper)",
}


def tune_button(label: str = "Tune", icon: str = "tune", **look: Any) -> pmui.Button:
    """Return what opens the drawer; it stands last in a strip."""
    look = {"margin": (6, 8)} | look
    return button(label, lambda: None, icon=icon, css_classes=[OPENS_TUNE], **look)


def tuned(controls: Any, title: str = "Tune") -> list[Any]:
    """Return what stands in the drawer: its name, what closes it, and controls."""
    close = pmui.IconButton(
        icon="close",
        description=f"Close {title}",
        margin=0,
        css_classes=[OPENS_TUNE],
    )
    heading = markup(f"<h2>{title}</h2>", margin=(6, 12))
    head = wide_row(heading, close, styles=_STAYS)
    return [head, wide_column(controls, margin=(0, 0, 16, 0))]


# Whatever computes, as a `Job` does, and what is said while it does.
Work = tuple[Any, str]
_PLACE = f"""
:host {{ height: 44px !important; }}
@media (min-width: {BESIDE}px) {{ :host {{ grid-column: 2; grid-row: 1; }} }}
"""
_BESIDE = f"""
:host {{ display: grid !important; grid-template-columns: minmax(0, 1fr); }}
@media (min-width: {BESIDE}px) {{
 :host {{ grid-template-columns: minmax(0, 1fr) 270px; }} }}
"""


class Working:
    """Of some works the first that is slow, as a line and in words.

    What a person has stopped is told as well, with what goes on with it.
    What is done in an instant is not told of: to show and hide what stops it makes a
    browser lay out the whole page twice.
    """

    def __init__(self, works: Sequence[Work]) -> None:
        self._works = works
        self.line = markup("", margin=0, height=3, css_classes=["working"])
        self._words = markup("", margin=(12, 4))
        self._button = button(
            "Cancel", self._press, variant="text", size="small", margin=0
        )
        # The button is sent when there is first something to stop.
        self.row = wide_row(self._words, stylesheets=[_PLACE], margin=0)
        for work, _ in works:
            told = ["is_slow", "progress", "is_cut"]
            work.param.watch(lambda *_: self._draw(), told)
        self._draw()

    def beside(self, answer: Sequence[Any], *styles: str, **look: Any) -> Any:
        """Return the answer, with the words and what stops the work beside it."""
        styled = [*styles, _BESIDE]
        return wide_column(wide_column(*answer), self.row, stylesheets=styled, **look)

    def _told(self) -> Work | None:
        """Return the first that is slow; else one that was stopped and can go on."""
        slow = (one for one in self._works if one[0].is_slow)
        cut = (one for one in self._works if one[0].is_cut and hasattr(one[0], "ask"))
        return next(slow, None) or next(cut, None)

    def _press(self) -> None:
        if (found := self._told()) is not None:
            work, _ = found
            work.interrupt() if work.is_slow else work.ask()

    def _draw(self) -> None:
        found = self._told()
        self._button.visible = found is not None
        if found is None:
            self.line.object = self._words.object = ""
            return
        work, label = found
        told = plain(label)
        if len(self.row) == 1:  # each time anew, Bokeh would look through the page
            self.row.append(self._button)
        self._button.label = "Cancel" if work.is_slow else "Compute again"
        if not work.is_slow:
            self.line.object, self._words.object = "", f"{told}: stopped"
            return
        done = f"{100 * work.progress:.0f}"
        self.line.object = (
            f'<div><progress aria-label="{told}" max="100" value="{done}"></progress>'
            "</div>"
        )
        self._words.object = f"{told}, {done} %"


# Drawers below the answer, in their order: the name in the state, and the heading.
DRAWERS = {
    "details": "Details",
    "words": "In words",
    "compare": "Compare",
    "figures": "The papers' figures",
    "away": "Take away",
}
# From this width of a window down a question needs its line.
SHORT = 1100
# On a phone what is played with lies below what it moves, where the thumb is.
_PLAYED = f"""
:host {{ display: grid !important; gap: 8px; grid-template-columns: minmax(0, 1fr); }}
div {{ align-self: stretch; height: auto; }}
@media (max-width: {NARROW}px) {{ div:nth-of-type(1) {{ grid-row: 2; }} }}
@media (min-width: {BESIDE}px) {{
 :host {{ grid-template-rows: auto minmax({HERO_SHARE}, auto); }}
 :host {{ grid-template-columns: var(--stage-columns, minmax(0, 7fr) minmax(0, 5fr)); }}
 div:nth-of-type(1) {{ grid-column: 1 / -1; }} }}
@media (min-width: {LARGE}px) {{
 :host {{ grid-template-columns:
  var(--stage-columns, minmax(0, 5fr) minmax(0, 3fr)); }} }}
"""
# As high as the picture, whatever it says by now: what follows stays where it is.
AS_HIGH = f"""
@media (min-width: {BESIDE}px) {{
 :host {{ height: 0 !important; min-height: 100%; overflow-y: auto; }} }}
"""
# Where there is no room for its word a button is its sign; it keeps its name.
ICON_ALONE = {
    f"@media (max-width: {SHORT}px)": {
        "fontSize": 0,
        "minWidth": 44,
        "minHeight": 44,
        "& .MuiButton-startIcon": {"margin": 0},
        "& .MuiButton-startIcon > *": {"fontSize": "24px !important"},
    }
}


def question_row(question: Any, about: str, *buttons: Any) -> Any:
    """Return the question of a page, and what explains its picture.

    `question`: a text, or a part of the page that changes.
    """
    explanation = pmui.Dialog(
        markup(f"<p>{about}</p>{glossary_markup()}"),
        title="What am I looking at?",
        show_close_button=True,
        close_on_click=True,
        title_variant="h2",
    )
    ask = button(
        "What am I looking at?",
        lambda: explanation.param.update(open=True),
        variant="text",
        icon="help_outline",
        margin=(0, 4),
        sx=ICON_ALONE,
    )
    title = question
    if isinstance(question, str):
        title = markup(f"<h1>{question}</h1>", margin=(0, 10))
        title.styles = {"flex": "1 1 250px"}
    # As high before its buttons are drawn: what is below stays where it is.
    row = wide_row(title, *buttons, ask, min_height=44, styles={"flex-wrap": "wrap"})
    look = {"css_classes": ["question"], "stylesheets": [ASIDE, CORNER, LARGER]}
    return wide_column(row, from_first_shown(explanation, "open"), **look)


def side_by_side(*controls: Any) -> Any:
    """Return controls beside each other, those below for which there is no room.

    A control that is wider or narrower than others is given with its share of the row
    and its least width, margins in it: ``(slider, 3, 260)``.
    """
    cells = []
    for control in controls:
        one, grow, least = control if isinstance(control, tuple) else (control, 2, 160)
        cell = pn.panel(one)
        own = least - _beside(cell.margin)
        flex = {"flex": f"{grow} 1 {own}px", "min-width": "0", "width": "auto"}
        cell.styles = {**cell.styles, **flex}
        cells.append(cell)
    return wide_row(*cells, styles={"flex-wrap": "wrap", "align-items": "center"})


def _beside(margin: int | tuple[int, ...]) -> int:
    """Return the margins at both sides of a part, in CSS pixels."""
    sides = (margin,) if isinstance(margin, int) else margin
    return sides[1 % len(sides)] + sides[-1 if len(sides) == 4 else 1 % len(sides)]


def strip(*controls: Any, tune: str = "Tune", icon: str = "tune") -> Any:
    """Return what a page is played with, and what opens its drawer.

    `controls`: as of `side_by_side`. `tune`, `icon`: what the drawer is called, and its
    sign.
    """
    return side_by_side(*controls, (tune_button(tune, icon), 0, 110))


def drawers(
    state: param.Parameterized,
    holds: Mapping[str, Sequence[str]] | None = None,
    **contents: Any,
) -> list[Any]:
    """Return what stands below the answer, each part made when it is first opened.

    `contents`: by a name of `DRAWERS`, what is in it or a function that makes that.
    `holds`: by such a name, headings and names of panels in it.
    """
    return [
        drawer(
            Fold(title, contents[name], state, name, holds=(holds or {}).get(name, ()))
        )
        for name, title in DRAWERS.items()
        if name in contents
    ]


def drawer(fold: Fold) -> Fold:
    """Return what is opened below the answer, as it looks there."""
    fold.column.param.update(css_classes=["drawer"], stylesheets=[REST])
    return fold


def staged(
    question: Any,
    strip: Any,
    hero: tuple[Any, str],
    side: tuple[Any, str],
    *,
    answer: Sequence[Any],
    working: Sequence[Work] = (),
    messages: Sequence[Any] = (),
    below: Sequence[Any] = (),
    line: Any = None,
) -> Any:
    """Return a whole page.

    `hero`, `side`: the picture that answers, what stands beside it, and their headings.
    `answer`: what says it in words.
    `working`: what computes it, and what is said meanwhile.
    `messages`: what went wrong; nothing is seen of them before.
    `line`: what is learned from, told last.
    """
    work = Working(working)
    large = {"stylesheets": [LARGER]}
    played = wide_column(strip, work.line, css_classes=["strip"], **large)
    drawn = [framed(*hero), framed(*side)]
    for frame, name in zip(drawn, ("hero", "side"), strict=True):
        frame.css_classes = [*frame.css_classes, name]
    drawn[1].stylesheets = [ASIDE, AS_HIGH]
    below_all = {"margin": (8, 10), "stylesheets": [STYLES, REST]}
    said = [] if line is None else [markup(line, **below_all)]
    return page_body(
        question,
        *messages,
        wide_column(played, *drawn, stylesheets=[_PLAYED]),
        work.beside(answer, LARGER, css_classes=["answer"]),
        *below,
        *said,
    )
