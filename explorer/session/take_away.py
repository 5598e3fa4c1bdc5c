"""What is on screen as downloads, or the sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import panel as pn

from solvers import ThriftscopeError

from ..export.deployed import DeployForm
from ..widgets.controls import download
from ..widgets.markup import Message, markup
from ..widgets.parts import wide_column

Content: TypeAlias = str | bytes
# Label of the button, name of the file, and what writes it when it is pressed.
Download: TypeAlias = tuple[str, str, Callable[[], Content]]


def take_away_view(
    downloads: Sequence[Download],
    title: str,
    *,
    more: Sequence[Any] = (),
    below: Sequence[Any] = (),
) -> Any:
    """Return a button for each file.

    `more`: what stands in the row after them; `below`: under that.
    """
    message = Message(kind="info")

    def produced(write: Callable[[], Content]) -> Content | None:
        message.text = ""
        try:
            return write()
        except ThriftscopeError as error:
            message.text = str(error)
        return None

    buttons = [
        download(label, filename, partial(produced, write))
        for label, filename, write in downloads
    ]
    return wide_column(
        markup(f"<h2>{title}</h2>", margin=(2, 10)),
        pn.FlexBox(*buttons, *more),
        *below,
        message,
    )


def policy_downloads(write: Callable[[DeployForm], Content]) -> list[Download]:
    """Return a model as what runs elsewhere, in every form."""
    return [
        ("Python file", "policy.py", partial(write, "python")),
        ("C99 (zip)", "policy_c99.zip", partial(write, "c")),
        ("Offline page (HTML)", "policy.html", partial(write, "html")),
    ]


def script_view(filename: str, write: Callable[[], str]) -> Any:
    """Return the button that downloads what `write` returns when it is pressed."""
    script = ("Script (Python)", filename, write)
    return take_away_view([script], "This screen as a script")
