"""One sentence that a person must see, announced to those who cannot."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from .markup import markup
from .text import plain


class Message(Viewer):
    """A sentence from anywhere, shown as plain text; nothing while it is empty."""

    text = param.String(default="", allow_refs=True, doc="What is said.")
    kind = param.Selector(default="error", objects=["error", "info"])

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("")
        self.param.watch(lambda *_: self._write(), "text")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        role = "alert" if self.kind == "error" else "status"
        shown = f'<div class="message {self.kind}">{plain(self.text)}</div>'
        self._pane.object = f'<div role="{role}">{shown if self.text else ""}</div>'
