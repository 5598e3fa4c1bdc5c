"""The lessons page's state: which lesson, where its control stands, what is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import param

from ...figures.picture import Key
from ...session.declared import kept, linked, open_panels
from .answers import KeptAnswers, LessonAnswer
from .course import Lesson, RevealedAnswer, Shown, all_lessons

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
        self.param.watch(lambda *_: self._enter(), "lesson")
        self.param.watch(lambda *_: self._clip(), "at")
        self.param.watch(lambda *_: self._follow_answers(), "answers")

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.shown is not None:
            return ""
        return "a picture: explorer.pages.lessons.queries.SHOWN.answer(state)"

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
            if name in self.answers:
                at = verdict.at if self.is_retried else self.at
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
