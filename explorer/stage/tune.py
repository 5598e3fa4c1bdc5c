"""The drawer at the right: what is set once, beside what a page is played with.

It lies over the page, which stays where it is, and below the picture where the window
is narrow. What stands in it is sent when it is opened.
"""

from __future__ import annotations

from typing import Any

import panel_material_ui as pmui
from panel.custom import JSComponent

from ..widgets.assets import asset
from ..widgets.controls import button
from ..widgets.markup import markup
from ..widgets.page_layout import NARROW
from ..widgets.parts import wide_column, wide_row

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


class TuneDrawer(JSComponent):
    """An unseen part of the page that opens and closes the drawer, by mouse and key."""

    _esm = asset("tune.js")


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
