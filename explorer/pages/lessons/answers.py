"""What a person answered, by lesson: kept with the session, printed as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import param

from ...widgets.text import plain
from .course import all_lessons

# Lessons that there were: what was answered of them is kept, and not shown.
_GONE = {"speedup"}
_STYLE = """
body { font: 15px/1.5 Roboto, Arial, sans-serif; margin: 2rem auto; max-width: 50rem; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem;
  border-top: 1px solid #999; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
td:last-child { white-space: nowrap; }
"""
_HEADINGS = ("lesson", "question", "my answer", "computed answer", "setting", "time")


@dataclass(frozen=True)
class LessonAnswer:
    """One revealed answer."""

    guess: int  # Position of what was picked
    right: int  # Position of what was computed
    at: int  # Position of the setting at which it was asked for
    time: str  # When, in ISO 8601, to the second

    @classmethod
    def now(cls, guess: int, right: int, at: int) -> LessonAnswer:
        """Return an answer that is given now."""
        return cls(guess, right, at, datetime.now(UTC).isoformat(timespec="seconds"))

    @classmethod
    def read(cls, lesson: str, text: str) -> LessonAnswer:
        """Return the answer that a kept text holds; ValueError where it holds none."""
        first, second, third, time = text.split(" ")
        answer = cls(int(first), int(second), int(third), time)
        datetime.fromisoformat(time)
        known = all_lessons()[lesson]
        places = range(len(known.answers))
        settings = range(len(known.control.settings))
        if answer.guess not in places or answer.right not in places:
            raise ValueError("the lesson has no such answer")
        if answer.at not in settings:
            raise ValueError("the lesson has no such setting")
        return answer

    def __str__(self) -> str:
        return f"{self.guess} {self.right} {self.at} {self.time}"

    @property
    def is_right(self) -> bool:
        """Whether what was picked is what was computed."""
        return self.guess == self.right


class KeptAnswers(param.Dict):
    """Answers as texts, by the name of their lesson."""

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        for lesson, text in (val or {}).items():
            if lesson in _GONE:
                continue
            if lesson not in all_lessons() or not isinstance(text, str):
                raise ValueError("there is no such lesson, or it is no answer")
            LessonAnswer.read(lesson, text)


def answers_page(answers: Mapping[str, str]) -> str:
    """Return a page of all answers, in the lessons' order, to keep or to print."""
    found = {
        name: LessonAnswer.read(name, answers[name])
        for name in all_lessons()
        if name in answers
    }
    n_right = sum(answer.is_right for answer in found.values())
    head = "".join(f'<th scope="col">{name}</th>' for name in _HEADINGS)
    body = "".join(_row(name, answer) for name, answer in found.items())
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>My answers</title><style>{_STYLE}</style></head><body>"
        f"<h1>My answers</h1><p>{n_right} right of {len(found)} answered; there are "
        f"{len(all_lessons())} lessons. Times are UTC.</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        "</body></html>\n"
    )


def _row(name: str, answer: LessonAnswer) -> str:
    lesson = all_lessons()[name]
    mark = "✓ " if answer.is_right else "✗ "
    setting = f"{lesson.control.label}: {lesson.control.settings[answer.at]}"
    time = datetime.fromisoformat(answer.time).strftime("%Y-%m-%d %H:%M:%S")
    cells = (
        lesson.short,
        lesson.question,
        mark + lesson.answers[answer.guess],
        lesson.answers[answer.right],
        setting,
        time,
    )
    return f"<tr>{''.join(f'<td>{plain(cell)}</td>' for cell in cells)}</tr>"
