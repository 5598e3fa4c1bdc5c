"""How far a page is: a line below the strip, and words beside the answer.

Both have their place at rest as well, so that nothing moves when work begins or ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..widgets.controls import button
from ..widgets.markup import markup
from ..widgets.page_layout import BESIDE
from ..widgets.parts import wide_column, wide_row
from ..widgets.text import plain

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

    What is done in an instant is not told of: to show and hide what stops it makes a
    browser lay out the whole page twice.
    """

    def __init__(self, works: Sequence[Work]) -> None:
        self._works = works
        self.line = markup("", margin=0, height=3, css_classes=["working"])
        self._words = markup("", margin=(12, 4))
        self._stop = button(
            "Cancel", self._cancel, variant="text", size="small", margin=0
        )
        self.row = wide_row(self._words, self._stop, stylesheets=[_PLACE], margin=0)
        for work, _ in works:
            work.param.watch(lambda *_: self._draw(), ["is_slow", "progress"])
        self._draw()

    def beside(self, answer: Sequence[Any]) -> Any:
        """Return the answer, with the words and what stops the work beside it."""
        return wide_column(
            wide_column(*answer), self.row, stylesheets=[_BESIDE], margin=0
        )

    def _busy(self) -> Work | None:
        return next((one for one in self._works if one[0].is_slow), None)

    def _cancel(self) -> None:
        if (found := self._busy()) is not None:
            found[0].cancel()

    def _draw(self) -> None:
        found = self._busy()
        self._stop.visible = found is not None
        if found is None:
            self.line.object = self._words.object = ""
            return
        work, label = found
        done, told = f"{100 * work.progress:.0f}", plain(label)
        self.line.object = (
            f'<div><progress aria-label="{told}" max="100" value="{done}"></progress>'
            "</div>"
        )
        self._words.object = f"{told}, {done} %"
