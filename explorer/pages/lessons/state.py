"""The lessons page's state: which lesson, what is guessed, asked and answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import param

from ...compute.query import Query
from ...figures.picture import Key
from ...session.declared import kept, linked, open_panels
from ...widgets.text import plain
from .course import Lesson, RevealedAnswer, Shown, all_lessons

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
_HEADINGS = (
    "lesson",
    "question",
    "my first answer",
    "computed answer",
    "the control stood at",
    "time (UTC)",
)


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
        f"<h1>My answers</h1><p>Right at the first answer: {n_right} of {len(found)} "
        f"lessons that were answered; there are {len(all_lessons())}. What was tried "
        "again is practice, and is not listed.</p>"
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


NO_GUESS = -1


class LessonsState(param.Parameterized):
    """One person's place in the lessons."""

    lesson: Any = param.Selector(
        objects=[], doc="Name of the lesson.", metadata=linked("lesson")
    )
    at = param.Integer(
        default=0,
        bounds=(0, None),
        doc="Position of the setting.",
        metadata=linked("at", is_kept=False),
    )
    guess = param.Integer(default=NO_GUESS, doc="Position of the answer; -1: none.")
    answers = KeptAnswers(default={}, doc="Revealed, by lesson.", metadata=kept())
    is_playing = param.Boolean(default=False, doc="Whether settings follow.")
    unfolded: Any = open_panels("The numbers behind the picture.")

    shown: Any = param.ClassSelector(class_=Shown, doc="What has been computed.")
    verdict: Any = param.ClassSelector(class_=RevealedAnswer, doc="Revealed answer.")

    def __init__(self, **params: Any) -> None:
        names = list(all_lessons())
        self.param.lesson.objects = names
        params.setdefault("lesson", names[0])
        super().__init__(**params)
        if "at" not in params:
            self.at = self.now.control.start
        self.shown_for: tuple[str, int] | None = None
        self.is_retried = False  # Whether the lesson is guessed again, for practice
        self.is_recalled = False  # Whether what is revealed was answered before
        self.param.watch(lambda *_: self._enter(), "lesson")
        self.param.watch(lambda *_: self._clip(), "at")
        self.param.watch(lambda *_: self._follow_answers(), "answers")

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.shown is not None:
            return ""
        return "a picture: explorer.pages.lessons.state.SHOWN.answer(state)"

    @property
    def now(self) -> Lesson:
        """The lesson."""
        return all_lessons()[self.lesson]

    @property
    def number(self) -> int:
        """Place of the lesson among all, from 1."""
        return list(all_lessons()).index(self.lesson) + 1

    @property
    def address(self) -> str:
        """The query that opens the lesson, and says nothing else."""
        return f"?page=lessons&lesson={self.lesson}"

    def _enter(self, *, is_retried: bool = False) -> None:
        self.is_retried = is_retried
        # Another lesson's picture would seem to be of this one's question.
        is_its_own = self.shown_for is not None and self.shown_for[0] == self.lesson
        self.param.update(
            at=self.now.control.start,
            guess=self._kept_guess,
            verdict=None,
            is_playing=False,
            shown=self.shown if is_its_own else None,
        )

    @property
    def _kept_guess(self) -> int:
        kept = self.answers.get(self.lesson)
        if kept is None or self.is_retried:
            return NO_GUESS
        return LessonAnswer.read(self.lesson, kept).guess

    def _follow_answers(self) -> None:
        """Answers came back, or an answer was undone: show the lesson as it was."""
        is_shown = self.verdict is not None or self.is_retried
        if (self.lesson in self.answers) != is_shown:
            self.param.update(guess=self._kept_guess, verdict=None)

    def _clip(self) -> None:
        """Keep a setting that came from a link within those that there are."""
        if self.at > self.last:
            self.at = self.last

    # ------------------------------------------------------------------------- moving

    @property
    def last(self) -> int:
        """Position of the last setting."""
        return len(self.now.control.settings) - 1

    def turn(self, by: int) -> None:
        """Go some lessons on or back, and stay where there are no more."""
        names = list(all_lessons())
        place = min(max(self.number - 1 + by, 0), len(names) - 1)
        self.lesson = names[place]

    def step(self) -> None:
        """Move the control to its next setting; at the last one, stop playing."""
        if self.at < self.last:
            self.at += 1
        if self.at >= self.last:
            self.is_playing = False

    def play(self) -> None:
        """Let settings follow by themselves, from the first one if at the last."""
        if self.at >= self.last:
            self.at = 0
        self.is_playing = True

    def pause(self) -> None:
        """Stop where it is."""
        self.is_playing = False

    def reset(self) -> None:
        """Begin the lesson anew: as it opens, nothing guessed, nothing revealed."""
        self.answers = {k: v for k, v in self.answers.items() if k != self.lesson}
        self._enter()

    def try_again(self) -> None:
        """Guess again, for practice: what was answered first is kept."""
        self._enter(is_retried=True)

    # ---------------------------------------------------------------- what has arrived

    def take(self, items: Iterable[tuple[str, int, Shown]]) -> None:
        """Take what has been computed, unless it is of another lesson."""
        for name, at, shown in items:
            if name == self.lesson:
                self.shown_for = (name, at)
                self.shown = shown

    @property
    def is_up_to_date(self) -> bool:
        """Whether what is shown is what the control asks for, and whole."""
        is_whole = self.shown is not None and self.shown.share >= 1.0
        return is_whole and self.shown_for == (self.lesson, self.at)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The legend of the picture."""
        return () if self.shown is None else self.shown.picture.key

    def reveal(self, items: Iterable[tuple[str, RevealedAnswer]]) -> None:
        """Show the computed answer, and the setting at which it can be seen.

        A guess is kept as it was when the answer was first revealed.
        """
        for name, verdict in items:
            if name != self.lesson:
                continue
            self.is_recalled = name in self.answers and not self.is_retried
            if name in self.answers:
                # Whoever comes back sees it, unless a link says where to stand.
                is_moved = self.at != self.now.control.start and not self.is_retried
                at = self.at if is_moved else verdict.at
                self.param.update(verdict=verdict, at=at)
                continue
            given = {}
            if self.guess != NO_GUESS:
                given[name] = str(LessonAnswer.now(self.guess, verdict.right, self.at))
            self.param.update(
                verdict=verdict,
                at=verdict.at,
                is_playing=False,
                answers=self.answers | given,
            )

    @property
    def is_to_recall(self) -> bool:
        """Whether the lesson was answered before, and the answer is not on screen."""
        is_hidden = self.verdict is None and not self.is_retried
        return self.lesson in self.answers and is_hidden

    @property
    def is_right(self) -> bool:
        """Whether the guess is the computed answer."""
        return self.verdict is not None and self.guess == self.verdict.right


Showing = tuple[str, int, Shown]
Judging = tuple[str, RevealedAnswer]
# Settings whose pictures are kept: those of a lesson that is played again.
KEPT = 32


def _shown(lesson: Lesson, at: int) -> Iterator[Showing]:
    for shown in lesson.show(at):
        yield lesson.name, at, shown


def _judged(lesson: Lesson) -> Iterator[Judging]:
    yield lesson.name, lesson.judge()


SHOWN = Query(
    "shown",
    asks=lambda state: (state.lesson, state.at),
    work=lambda state: _shown(state.now, state.at),
    follows=("lesson", "at"),
    shows=lambda state, found: state.take(found.values()),
    share=lambda item: item[2].share,
    keeps=KEPT,
)
# Asked by hand, or where it was revealed before.
VERDICT = Query(
    "verdict",
    asks=lambda state: state.lesson,
    work=lambda state: _judged(state.now),
    shows=lambda state, found: state.reveal(found.values()),
    keeps=KEPT,
)
