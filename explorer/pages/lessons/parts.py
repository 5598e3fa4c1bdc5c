"""Parts of the lessons page: the list, the title, the one control, the prediction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from ...compute.jobs import Job
from ...session.visit import Visit
from ...stage.tune import tune_button
from ...widgets.controls import SLIDER_HEIGHT, button, download
from ...widgets.markup import markup
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column
from ...widgets.play_buttons import PlayButtons
from ...widgets.text import plain
from ...widgets.viewport import TURNS_PAGE
from .answers import answers_page
from .course import all_lessons
from .lesson_text import LessonClaim, LessonQuestion, LessonVerdict
from .state import NO_GUESS, LessonsState

# Long enough to read a changed number, short enough not to wait.
PLAY_MS = 1300
COPY = "Copy link to this lesson"
ANSWERS_FILE = "thriftscope-answers.html"
WIDE = {"sizing_mode": "stretch_width"}


class LessonList(Viewer):
    """All lessons, in the drawer at the right."""

    def __init__(self, state: LessonsState, **params: Any) -> None:
        super().__init__(**params)
        self._state, self._names = state, list(all_lessons())
        self._list = pmui.MenuList(
            items=self._items(),
            dense=True,
            **WIDE,
        )
        self._list.param.watch(self._choose, "active")
        state.param.watch(lambda *_: self._follow(), ["lesson", "answers"])
        self._follow()

    def __panel__(self) -> Any:
        return pn.Column(
            self._list,
            download(
                "My answers",
                ANSWERS_FILE,
                lambda: answers_page(self._state.answers),
                margin=(4, 12),
            ),
        )

    def _items(self) -> list[dict[str, str]]:
        return [
            {"label": lesson.short, "icon": "check_circle", "secondary": "answered"}
            if name in self._state.answers
            else {"label": lesson.short, "icon": "chevron_right"}
            for name, lesson in all_lessons().items()
        ]

    def _choose(self, event: Any) -> None:
        if event.new:
            self._state.lesson = self._names[event.new[0]]

    def _follow(self) -> None:
        if self._list.items != (items := self._items()):
            self._list.items = items
        active = (self._names.index(self._state.lesson),)
        if self._list.active != active:
            self._list.active = active


class TitleRow(Viewer):
    """Which lesson it is, to the ones before and after it, its address, its size.

    `copy`: puts the lesson's address into the clipboard, and tells whether it is there.
    """

    def __init__(
        self,
        state: LessonsState,
        copy: Callable[[str, Callable[[bool], None]], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state = state
        self._title = markup("", sizing_mode=None, margin=(0, 10))
        quiet = partial(button, variant="text", small=True)
        self._copy = quiet(COPY, lambda: copy(state.address, self._told), icon="link")
        self._back = quiet(
            "Previous lesson", lambda: state.turn(-1), icon="chevron_left"
        )
        self._on = quiet("Next lesson", lambda: state.turn(1), icon="chevron_right")
        self._large = pmui.Switch.from_param(
            state.param.is_large,
            label="Projector view",
            description="",
            margin=(4, 8),
        )
        state.param.watch(lambda *_: self._follow(), "lesson")
        self._follow()

    def __panel__(self) -> Any:
        every = tune_button("All lessons", "menu_book", small=True)
        parts = (self._title, self._back, self._on, every, self._copy, self._large)
        return pn.FlexBox(*parts, align_items="center", margin=(0, 0), **WIDE)

    def _follow(self) -> None:
        state, last = self._state, len(all_lessons())
        self._title.object = (
            f'<h2 class="lesson">Lesson {state.number} of {last}: '
            f"{plain(state.now.short)}</h2>"
        )
        self._copy.label = COPY
        self._back.disabled = state.number == 1
        self._on.disabled = state.number == last

    def _told(self, is_copied: bool) -> None:
        # Where the clipboard is closed, as on a server without TLS, people copy.
        self._copy.label = "Copied" if is_copied else self._state.address


class LessonControl(Viewer):
    """The one control of a lesson, and what plays it."""

    def __init__(self, state: LessonsState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self._slider = pmui.DiscreteSlider(
            label="",
            options={"": 0},
            margin=(4, 16),
            min_height=SLIDER_HEIGHT,
            **WIDE,
        )
        self._buttons = PlayButtons(state, lambda: PLAY_MS, self._tick)
        self._follow_setting()
        self._slider.param.watch(self._moved, "value")
        state.param.watch(lambda *_: self._follow_setting(), ["lesson", "at"])

    def __panel__(self) -> Any:
        buttons = pn.FlexBox(*self._buttons.row, margin=(0, 8), **WIDE)
        return wide_column(self._slider, buttons)

    def _moved(self, event: Any) -> None:
        if event.new is not None and event.new != self._state.at:
            self._state.at = event.new

    def _follow_setting(self) -> None:
        control = self._state.now.control
        options = {setting: i for i, setting in enumerate(control.settings)}
        self._slider.param.update(
            label=control.label, options=options, value=self._state.at
        )

    def _tick(self) -> None:
        # What takes longer than a tick is waited for: nothing is skipped.
        if self._state.is_up_to_date:
            self._state.step()


class Prediction(Viewer):
    """The question, its answers, the verdict beside its button, and then the claim."""

    def __init__(
        self,
        state: LessonsState,
        job: Job,
        reveal: Callable[[], None],
        visit: Callable[[Visit], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._job = state, job
        self._answers = pmui.RadioBoxGroup(label="Answers", options={}, margin=(0, 12))
        # Panel picks the first answer unless it may pick none; it asks its own class
        # variable, which a subclass could not set without a script of its own.
        self._answers._allows_none = True  # type: ignore[misc]
        take = self._answers._process_property_change

        def take_offered(told: dict[str, Any]) -> dict[str, Any]:
            """Leave out a pick that a browser tells when its answers are gone."""
            if told.get("value") not in (None, *self._answers.labels):
                told = {name: one for name, one in told.items() if name != "value"}
            return take(told)

        self._answers._process_property_change = take_offered
        look = {"variant": "contained", "icon": "visibility"}
        self._reveal = button("Reveal", reveal, small=True, **look)
        self._open = button(
            "", lambda: visit(state.now.visit), icon="open_in_new", small=True
        )
        self._open.css_classes = [TURNS_PAGE]
        self._again = button("Try again", state.try_again, icon="replay", small=True)
        self._on = button(
            "", lambda: state.turn(1), icon="chevron_right", small=True, variant="text"
        )
        self._follow_lesson()
        self._answers.param.watch(self._picked, "value")
        watch = state.param.watch
        watch(lambda *_: self._follow_lesson(), "lesson")
        watch(lambda *_: self._follow_guess(), ["guess", "verdict"])
        job.param.watch(lambda *_: self._follow_guess(), "busy")

    def __panel__(self) -> Any:
        return wide_column(
            LessonQuestion(state=self._state),
            self._answers,
            pn.FlexBox(self._reveal, margin=(4, 8), **WIDE),
            progress_row(self._job, "Working out the answer"),
            LessonVerdict(state=self._state),
            LessonClaim(state=self._state),
            pn.FlexBox(self._again, self._open, self._on, margin=(4, 8), **WIDE),
        )

    def _picked(self, event: Any) -> None:
        if event.new is not None:
            self._state.guess = event.new

    def _follow_lesson(self) -> None:
        lesson = self._state.now
        options = {answer: i for i, answer in enumerate(lesson.answers)}
        self._answers.param.update(options=options, value=None, disabled=False)
        self._open.label = f"Open this on the {lesson.visit.title} page"
        self._follow_guess()

    def _follow_guess(self) -> None:
        guess, is_revealed = self._state.guess, self._state.verdict is not None
        picked = None if guess == NO_GUESS else guess
        # What has been revealed is not guessed again, unless one tries again.
        self._answers.param.update(value=picked, disabled=is_revealed)
        self._reveal.disabled = picked is None or is_revealed or self._job.busy
        is_last = self._state.number == len(all_lessons())
        self._on.label = f"Go on to lesson {self._state.number + 1}"
        for one in (self._open, self._again):
            one.visible = is_revealed
        self._on.visible = is_revealed and not is_last
