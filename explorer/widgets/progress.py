"""How far a computation has come, in a row that keeps its height."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from .markup import markup
from .text import plain


class ProgressBar(Viewer):
    """A determinate bar with its name; as high, with what is settled, at rest."""

    busy = param.Boolean(default=False, allow_refs=True)
    share = param.Number(default=0.0, allow_refs=True, doc="Share that is done.")
    label = param.String(default="Computing", doc="What is being computed.")
    settled = param.String(default="", allow_refs=True, doc="Said while nothing runs.")
    width = param.Integer(default=None, doc="In pixels; as wide as there is room.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        look = (
            {"min_height": 22}
            if self.width is None
            else {"width": self.width, "height": 22}
        )
        sizing = "stretch_width" if self.width is None else "fixed"
        self._pane = markup("", margin=(8, 10, 0, 10), sizing_mode=sizing, **look)
        self.param.watch(lambda *_: self._write(), ["busy", "share", "settled"])
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        if not self.busy:
            told = f'<div class="progress">{plain(self.settled)}</div>'
            self._pane.object = told if self.settled else ""
            return
        label = plain(self.label)
        self._pane.object = (
            f'<div class="progress"><progress aria-label="{label}" max="100" '
            f'value="{100 * self.share:.0f}"></progress><span>{label}, '
            f"{100 * self.share:.0f} %</span></div>"
        )
