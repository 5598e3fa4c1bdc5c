"""The frame of a page: question, control strip, hero and side, answer, and the rest.

What is played with and what it moves stand in one window; words come after. Parts carry
the classes ``question``, ``strip``, ``hero``, ``side`` and ``answer``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel_material_ui as pmui

from ..widgets.controls import button
from ..widgets.glossary import glossary_markup
from ..widgets.markup import markup
from ..widgets.page_layout import LARGE, framed, page_body
from ..widgets.parts import wide_column, wide_row

# From these widths of a window down: a phone, and where a question needs its line.
NARROW, SHORT = 600, 1100
# On a phone what is played with lies below what it moves, where the thumb is.
_PLAYED = f"""
:host {{ display: grid !important; gap: 8px; grid-template-columns: minmax(0, 1fr); }}
div {{ align-self: stretch; height: auto; }}
@media (max-width: {NARROW}px) {{ div:nth-of-type(1) {{ grid-row: 2; }} }}
@media (min-width: {LARGE}px) {{
 :host {{ grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); }}
 div:nth-of-type(1) {{ grid-column: span 2; }} }}
"""
_ICON_ALONE = {
    f"@media (max-width: {SHORT}px)": {
        "fontSize": 0,
        "minWidth": 44,
        "minHeight": 44,
        "& .MuiButton-startIcon": {"margin": 0},
        "& .MuiButton-startIcon > *": {"fontSize": "24px !important"},
    }
}


def question_row(question: str, about: str, *buttons: Any) -> Any:
    """Return the question of a page, and what explains its picture."""
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
        sx=_ICON_ALONE,
    )
    title = markup(f"<h1>{question}</h1>", margin=(0, 10), styles={"flex": "1 1 250px"})
    row = wide_row(title, *buttons, ask, styles={"flex-wrap": "wrap"})
    return wide_column(row, explanation, css_classes=["question"])


def staged(
    question: Any,
    strip: Any,
    hero: tuple[Any, str],
    side: tuple[Any, str],
    *,
    answer: Sequence[Any],
    messages: Sequence[Any] = (),
    below: Sequence[Any] = (),
    line: Any = None,
) -> Any:
    """Return a whole page.

    `hero`, `side`: the picture that answers, what stands beside it, and their headings.
    `answer`: what says it in words, and how far it is computed.
    `messages`: what went wrong; nothing is seen of them before.
    `line`: what is learned from, told last.
    """
    played = wide_column(strip, css_classes=["strip"])
    drawn = [framed(*hero), framed(*side)]
    for frame, name in zip(drawn, ("hero", "side"), strict=True):
        frame.css_classes = [*frame.css_classes, name]
    return page_body(
        question,
        *messages,
        wide_column(played, *drawn, stylesheets=[_PLAYED]),
        wide_column(*answer, css_classes=["answer"]),
        *below,
        *([] if line is None else [markup(line, margin=(8, 10))]),
    )
