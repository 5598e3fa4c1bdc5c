"""A page as it is presented, or embedded in another: picture, controls and answer.

Parts of the frame are hidden by properties of style, which reach into every part; what
they are is said in `assets/thriftscope.css`.
"""

from __future__ import annotations

from typing import Any

import param
from panel.custom import JSComponent

from ..session.menu import ON_HEADER
from ..session.state import FRAMES, SessionState
from ..widgets.assets import asset
from ..widgets.controls import button

# What is hidden first: all below the answer.
REST = ":host { display: var(--stage-rest, flex) !important; }"
# What goes with the bar: the question, and what stands beside the picture.
ASIDE = ":host { display: var(--stage-aside, flex) !important; }"
# Beside what stands at the top, while a page is presented, there is what ends that.
CORNER = ":host { padding-right: var(--stage-corner, 0px); }"
LARGER = ":host { zoom: var(--stage-zoom, 1); }"


class Presenting(JSComponent):
    """An unseen part of the page that presents it: by the key `p`, until Escape."""

    frame = param.Selector(default="", objects=FRAMES, doc="As of the session.")

    _esm = asset("presenting.js")

    def __init__(self, session: SessionState, **params: Any) -> None:
        super().__init__(frame=session.frame, width=0, height=0, margin=0, **params)
        session.param.watch(lambda event: self.param.update(frame=event.new), "frame")
        self.param.watch(lambda event: session.param.update(frame=event.new), "frame")


def present_button(session: SessionState) -> Any:
    """Return what presents the page; on a phone there is no room for it, nor use."""
    return button(
        "Present",
        lambda: session.param.update(frame="present"),
        variant="text",
        icon="slideshow",
        margin=0,
        sx=ON_HEADER | {"@media (max-width: 600px)": {"display": "none"}},
    )
