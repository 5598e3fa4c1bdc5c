"""The Python script of a page as a download, or the sentence that says why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from solvers.errors import DataError

from ..widgets.controls import download
from ..widgets.markup import markup
from ..widgets.message import Message

__all__ = ["script_view"]


def script_view(filename: str, write: Callable[[], str]) -> Any:
    """Return the button that downloads what `write` returns when it is pressed."""
    message = Message(kind="info")

    def produce() -> str:
        message.text = ""
        try:
            return write()
        except DataError as error:
            message.text = str(error)
        return ""

    return pn.Column(
        markup("<h2>This screen as a script</h2>", margin=(2, 10)),
        download("Script (Python)", filename, produce),
        message,
        sizing_mode="stretch_width",
    )
