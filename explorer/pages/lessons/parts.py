"""Parts of the lessons page: the list, the one control, the prediction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from ...compute.jobs import Job
from ...widgets.markup import markup
from ...widgets.text import plain
from .course import Visit, all_lessons
from .lesson_text import LessonVerdict
from .state import NO_GUESS, LessonsState

__all__ = ["LessonControl", "LessonList", "Prediction", "TurningRow"]

# Long enough to read a changed number, short enough not to wait.
PLAY_MS = 1300
WIDE = {"sizing_mode": "stretch_width"}


class LessonList(Viewer):
    """All lessons, in the left column."""

    def __init__(self, state: LessonsState, **params: Any) -> None:
        super().__init__(**params)
        self._state, self._names = state, list(all_lessons())
        self._list = pmui.MenuList(
            items=[
                {"label": lesson.short, "icon": "chevron_right"}
                for lesson in all_lessons().values()
            ],
            dense=True,
            **WIDE,
        )
        self._list.param.watch(self._choose, "active")
        state.param.watch(lambda *_: self._follow(), "lesson")
        self._follow()

    def __panel__(self) -> Any:
        return pn.Column(markup("<h2>Lessons</h2>", margin=(6, 12, 0, 12)), self._list)

    def _choose(self, event: Any) -> None:
        if event.new:
            self._state.lesson = self._names[event.new[0]]

    def _follow(self) -> None:
        active = (self._names.index(self._state.lesson),)
        if self._list.active != active:
            self._list.active = active


class TurningRow(Viewer):
    """To the lesson before and to the next one."""

    def __init__(self, state: LessonsState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self._back = _button(
            "Previous lesson", "chevron_left", lambda _: state.turn(-1), "text"
        )
        self._on = _button(
            "Next lesson", "chevron_right", lambda _: state.turn(1), "text"
        )
        state.param.watch(lambda *_: self._follow(), "lesson")
        self._follow()

    def __panel__(self) -> Any:
        return pn.FlexBox(self._back, self._on, margin=(0, 8), **WIDE)

    def _follow(self) -> None:
        self._back.disabled = self._state.number == 1
        self._on.disabled = self._state.number == len(all_lessons())


class LessonControl(Viewer):
    """The one control of a lesson, and what plays it."""

    def __init__(self, state: LessonsState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self._ticking: Any = None
        self._slider = pmui.DiscreteSlider(
            label="", options={"": 0}, margin=(4, 16), **WIDE
        )
        self._play = _button("Play", "play_arrow", self._toggle)
        self._step = _button("Step", "skip_next", self._step_once)
        self._reset = _button("Reset", "replay", lambda _: state.reset())
        self._follow_setting()
        self._slider.param.watch(self._moved, "value")
        watch = state.param.watch
        watch(lambda *_: self._follow_setting(), ["lesson", "at"])
        watch(lambda *_: self._follow_playing(), "is_playing")

    def __panel__(self) -> Any:
        buttons = pn.FlexBox(self._play, self._step, self._reset, margin=(0, 8), **WIDE)
        return pn.Column(self._slider, buttons, **WIDE)

    def _moved(self, event: Any) -> None:
        if event.new is not None and event.new != self._state.at:
            self._state.at = event.new

    def _follow_setting(self) -> None:
        control = self._state.now.control
        options = {setting: i for i, setting in enumerate(control.settings)}
        self._slider.param.update(
            label=control.label, options=options, value=self._state.at
        )

    def _toggle(self, _: Any) -> None:
        if self._state.is_playing:
            self._state.pause()
        else:
            self._state.play()

    def _step_once(self, _: Any) -> None:
        self._state.pause()
        self._state.step()

    def _follow_playing(self) -> None:
        playing = self._state.is_playing
        label, icon = ("Pause", "pause") if playing else ("Play", "play_arrow")
        self._play.param.update(label=label, icon=icon)
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if playing:
            self._ticking = pn.state.add_periodic_callback(self._tick, period=PLAY_MS)

    def _tick(self) -> None:
        # What takes longer than a tick is waited for: nothing is skipped.
        if self._state.is_up_to_date:
            self._state.step()


class Prediction(Viewer):
    """The question, its answers, and what is computed."""

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
        self._question = markup("", min_height=56)
        self._answers = pmui.RadioBoxGroup(label="Answers", options={}, margin=(0, 12))
        # Panel picks the first answer unless it may pick none; it asks its own class
        # variable, which a subclass could not set without a script of its own.
        self._answers._allows_none = True  # type: ignore[misc]
        self._reveal = _button("Reveal", "visibility", lambda _: reveal(), "contained")
        self._open = _button("", "open_in_new", lambda _: visit(state.now.visit))
        self._follow_lesson()
        self._answers.param.watch(self._picked, "value")
        watch = state.param.watch
        watch(lambda *_: self._follow_lesson(), "lesson")
        watch(lambda *_: self._follow_guess(), ["guess", "verdict"])
        job.param.watch(lambda *_: self._follow_guess(), "busy")

    def __panel__(self) -> Any:
        return pn.Column(
            markup("<h2>Predict, then reveal</h2>"),
            self._question,
            self._answers,
            pn.FlexBox(self._reveal, self._open, margin=(4, 8), **WIDE),
            LessonVerdict(state=self._state),
            **WIDE,
        )

    def _picked(self, event: Any) -> None:
        if event.new is not None:
            self._state.guess = event.new

    def _follow_lesson(self) -> None:
        lesson = self._state.now
        self._question.object = f"<p>{plain(lesson.question)}</p>"
        options = {answer: i for i, answer in enumerate(lesson.answers)}
        self._answers.param.update(options=options, value=None)
        self._open.label = f"Open this on the {lesson.visit.title} page"
        self._follow_guess()

    def _follow_guess(self) -> None:
        guess = self._state.guess
        if guess == NO_GUESS and self._answers.value is not None:
            self._answers.value = None
        self._reveal.disabled = guess == NO_GUESS or self._job.busy


def _button(
    label: str, icon: str, act: Callable[[Any], Any], variant: str = "outlined"
) -> pmui.Button:
    return pmui.Button(
        label=label,
        icon=icon,
        variant=variant,
        size="small",
        margin=3,
        on_click=act,
    )
