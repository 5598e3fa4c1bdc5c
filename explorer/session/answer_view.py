"""An answer in plain words on the screen: to read, to print and to copy."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import param
from panel.custom import JSComponent
from panel.viewable import Viewer

from ..export.plain_answer import PlainAnswer
from ..widgets.assets import asset
from ..widgets.figure_view import Alone
from ..widgets.markup import explained, markup
from ..widgets.parts import wide_column
from ..widgets.text import plain

# Steps that are shown at most; of more the first few and the last are, the others fold.
MOST_SHOWN, FIRST_SHOWN = 5, 3


class AnswerView(Viewer):
    """Paragraphs around numbered steps, and a button that copies all of it."""

    answer = param.ClassSelector(class_=PlainAnswer, allow_None=True, default=None)
    waiting = param.String(
        default="", doc="Why there is none yet, or one of another question."
    )

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._text = markup("")
        self._copy = CopyButton(label="Copy the answer", margin=(4, 10))
        self.param.watch(lambda *_: self._write(), ["answer", "waiting"])
        self._write()

    def __panel__(self) -> Any:
        return wide_column(
            markup("<h2>In plain words</h2>", margin=(2, 10)), self._text, self._copy
        )

    def _write(self) -> None:
        said = self.answer
        self._copy.visible = said is not None
        waiting = f"<p>{plain(self.waiting)}</p>" if self.waiting else ""
        if said is None:
            self._text.object = waiting or "<p>Nothing is chosen yet.</p>"
            return
        self._copy.text = said.text()
        told: set[str] = set()
        opening, steps, closing = (
            [explained(line, told, said.names) for line in lines]
            for lines in (said.opening, said.steps, said.closing)
        )
        self._text.object = (
            f'{waiting}<div class="plain-answer" role="region" '
            'aria-label="Answer in plain words" tabindex="0">'
            f"{_paragraphs(opening)}{_numbered(steps)}{_paragraphs(closing)}</div>"
        )


class StateAnswer(Alone):
    """The answer of a page's state, told anew when what it `follows` has changed."""

    state: Any
    follows: ClassVar[Sequence[str]] = ()

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.view = AnswerView()
        self._watch()
        self._write()

    def __panel__(self) -> Any:
        return self.view

    def _watch(self) -> None:
        """Tell it anew when one of `follows` changes."""
        self.state.param.watch(lambda *_: self._write(), [*self.follows])

    def _write(self) -> None:
        self.view.answer = self._answer()

    @abstractmethod
    def _answer(self) -> PlainAnswer | None:
        """Return the answer; None while there is none."""


def _paragraphs(lines: list[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def _numbered(steps: list[str]) -> str:
    """Return numbered steps, of many the most in a fold that a printed page opens."""
    if len(steps) <= MOST_SHOWN:
        return _list(steps, 1)
    last = len(steps)
    return (
        f"{_list(steps[:FIRST_SHOWN], 1)}<details><summary>And so on: steps "
        f"{FIRST_SHOWN + 1} to {last - 1}</summary>"
        f"{_list(steps[FIRST_SHOWN:-1], FIRST_SHOWN + 1)}</details>"
        f"{_list(steps[-1:], last)}"
    )


def _list(lines: list[str], start: int) -> str:
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f'<ol start="{start}">{items}</ol>'


class CopyButton(JSComponent):
    """The browser copies by itself: it lets nobody else do so."""

    label = param.String(default="Copy", doc="On the button.")
    text = param.String(default="", doc="What is copied.")

    _esm = asset("copy_button.js")
