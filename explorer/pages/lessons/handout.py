"""A lesson as a sheet to print: what is asked above a fold, what is known below it."""

from __future__ import annotations

from ...figures.lesson import lesson as drawn
from ...figures.saving import picture
from ...widgets.text import plain
from .course import Lesson, Shown

_STYLE = """
body { font: 15px/1.45 Roboto, Arial, sans-serif; margin: 1.2rem auto;
  max-width: 48rem; }
h1 { font-size: 22px; margin: 0 0 .4rem; } h2 { font-size: 17px; margin: .4rem 0; }
p { margin: .3rem 0; } ul { list-style: none; padding: 0; margin: .3rem 0; }
li::before { content: "☐ "; }
figure { margin: .3rem 0; } figure svg { max-width: 100%; height: 7.4cm; }
.fold { border-top: 1px dashed #777; color: #555; font-size: 12px; margin-top: .6rem; }
@page { margin: 1.2cm; }
"""


def handout(lesson: Lesson) -> str:
    """Return a lesson as one page that needs nothing else, its answer computed now."""
    verdict, control = lesson.judge(), lesson.control
    start, right = control.start, lesson.answers[verdict.right]
    answers = "".join(f"<li>{plain(answer)}</li>" for answer in lesson.answers)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{plain(lesson.short)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{plain(lesson.short)}</h1><p>{plain(lesson.world)}</p>"
        f"<h2>{plain(lesson.question)}</h2><ul>{answers}</ul>"
        f"{_figure(lesson, start)}"
        '<p class="fold">Fold here before it is handed out.</p>'
        f"<h2>{plain(right)}: {plain(lesson.title)}</h2>"
        f"<p>{plain(verdict.why)}</p>{_figure(lesson, verdict.at)}"
        f"<p>{plain(lesson.text)}</p>"
        f"<p><strong>Its limit.</strong> {plain(lesson.limit)}</p>"
        "</body></html>\n"
    )


def _figure(lesson: Lesson, at: int) -> str:
    """Return what a lesson shows at a setting, as a drawing within the page."""
    shown: Shown
    *_, shown = lesson.show(at)
    control = lesson.control
    named = f"{plain(control.label)}: {plain(control.settings[at])}"
    svg = picture(drawn(shown.picture), "svg").decode()
    return f"<figure>{svg}<figcaption>{named}</figcaption></figure>"
