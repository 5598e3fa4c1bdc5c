"""Parts of the lessons page: head, list, control, prediction, keys and handout."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import panel as pn
import param
from panel.custom import JSComponent
from panel.viewable import Viewer

from ...compute.jobs import Job
from ...figures.lesson import lesson as drawn
from ...session.link import Visit
from ...session.state import SessionState
from ...stage.frame import ICON_ALONE, question_row, side_by_side, tune_button
from ...widgets.assets import asset
from ...widgets.browser_side import TURNS_PAGE
from ...widgets.controls import SLIDER_HEIGHT, PlayButtons, button, download
from ...widgets.markup import markup
from ...widgets.page_layout import NARROW
from ...widgets.parts import wide_column
from ...widgets.text import plain
from ...widgets.ui import pmui
from .course import Lesson, Shown, all_lessons
from .lesson_view import LessonQuestion
from .state import NO_GUESS, LessonsState, answers_page

# Long enough to read a changed number, short enough not to wait.
PLAY_MS = 1300
COPY = "Copy link to this lesson"
ANSWERS_FILE = "thriftscope-answers.html"
WIDE = {"sizing_mode": "stretch_width"}
# Below each other; in a row where there is little height, or it is read from afar.
_ANSWERS = f"""
.MuiFormLabel-root {{ display: none; }}
.MuiFormGroup-root {{ flex-direction: var(--lesson-answers, column) !important; }}
@media (max-width: {NARROW}px) {{
 .MuiFormGroup-root {{ flex-direction: row !important; }} }}
"""


# As it is presented, what reveals, and what asks again, stands beside the answers.
_ASKED = """
:host { display: grid !important; grid-template-columns: var(--lesson-asks, auto); }
div:nth-of-type(1) { grid-column: 1 / -1; }
"""


class LessonList(Viewer):
    """All lessons, in the drawer at the right, and what of one can be taken away.

    `copy`: puts the lesson's address into the clipboard, and tells whether it is there.
    """

    def __init__(
        self,
        state: LessonsState,
        copy: Callable[[str, Callable[[bool], None]], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._names = state, list(all_lessons())
        self._copy = button(
            COPY, lambda: copy(state.address, self._told), icon="link", margin=(4, 12)
        )
        self._handout = download(
            "Handout of this lesson",
            "",
            lambda: handout(state.now),
            margin=(4, 12),
        )
        self._list = pmui.MenuList(
            items=self._items(),
            dense=True,
            **WIDE,
        )
        self._list.param.watch(self._choose, "active")
        state.param.watch(lambda *_: self._follow(), ["lesson", "answers"])
        self._follow()

    def __panel__(self) -> Any:
        state = self._state
        return pn.Column(
            self._list,
            self._copy,
            self._handout,
            download(
                "My answers",
                ANSWERS_FILE,
                lambda: answers_page(state.answers),
                margin=(4, 12),
            ),
        )

    def _told(self, is_copied: bool) -> None:
        # Where the clipboard is closed, as on a server without TLS, people copy.
        self._copy.label = "Copied" if is_copied else self._state.address

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
        self._copy.label = COPY
        # As its link calls it: who prints several can tell the files apart.
        self._handout.filename = f"thriftscope-lesson-{self._state.lesson}.html"
        if self._list.items != (items := self._items()):
            self._list.items = items
        active = (self._names.index(self._state.lesson),)
        if self._list.active != active:
            self._list.active = active


class LessonHead(Viewer):
    """Which lesson it is, and what leads to the ones before and after it."""

    def __init__(self, state: LessonsState, about: str, **params: Any) -> None:
        super().__init__(**params)
        self._state, self._about = state, about
        quiet = partial(button, variant="text", margin=0, sx=ICON_ALONE)
        self._back = quiet(
            "Previous lesson", lambda: state.turn(-1), icon="chevron_left"
        )
        self._on = quiet("Next lesson", lambda: state.turn(1), icon="chevron_right")
        self._title = markup("", margin=(0, 10), styles={"flex": "1 1 180px"})
        state.param.watch(lambda *_: self._follow(), "lesson")
        self._follow()

    def __panel__(self) -> Any:
        every = tune_button("All lessons", "menu_book", sx=ICON_ALONE, margin=(0, 4))
        return question_row(self._title, self._about, self._back, self._on, every)

    def _follow(self) -> None:
        state, last = self._state, len(all_lessons())
        number = f"{state.number} of {last}"
        short = plain(state.now.short)
        numbered = f'<span class="numbered">Lessons, {number}: </span>'
        self._title.object = f'<h1 class="lesson">{numbered}{short}</h1>'
        self._back.disabled = state.number == 1
        self._on.disabled = state.number == last


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
        buttons = pn.Row(*self._buttons.row, margin=0)
        return side_by_side((self._slider, 3, 260), (buttons, 0, 290))

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
    """The small world, the question, its answers, and what reveals the right one."""

    def __init__(
        self,
        state: LessonsState,
        job: Job,
        reveal: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._job = state, job
        self._answers = pmui.RadioBoxGroup(
            label="Answers", options={}, margin=(0, 12), stylesheets=[_ANSWERS]
        )
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
        self._reveal = button(
            "Reveal", reveal, small=True, variant="contained", icon="visibility"
        )
        # Not in the place of the other: who presses twice would hide the answer.
        self._again = button("Try again", state.try_again, small=True, icon="replay")
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
            pn.FlexBox(self._reveal, self._again, margin=(4, 8), **WIDE),
            stylesheets=[_ASKED],
        )

    def _picked(self, event: Any) -> None:
        if event.new is not None:
            self._state.guess = event.new

    def _follow_lesson(self) -> None:
        options = {answer: i for i, answer in enumerate(self._state.now.answers)}
        self._answers.param.update(options=options, value=None, disabled=False)
        self._follow_guess()

    def _follow_guess(self) -> None:
        guess, is_revealed = self._state.guess, self._state.verdict is not None
        picked = None if guess == NO_GUESS else guess
        # What has been revealed is not guessed again, unless one tries again.
        self._answers.param.update(value=picked, disabled=is_revealed)
        self._reveal.disabled = picked is None or is_revealed or self._job.busy
        self._again.visible = is_revealed


class GoOn(Viewer):
    """Where one may go after the answer: to the next lesson, or to real data."""

    def __init__(
        self, state: LessonsState, visit: Callable[[Visit], None], **params: Any
    ) -> None:
        super().__init__(**params)
        self._state = state
        self._open = button("", lambda: visit(state.now.visit), icon="open_in_new")
        self._open.css_classes = [TURNS_PAGE]
        self._on = button(
            "", lambda: state.turn(1), icon="chevron_right", variant="contained"
        )
        state.param.watch(lambda *_: self._follow(), ["lesson", "verdict"])
        self._follow()

    def __panel__(self) -> Any:
        return pn.FlexBox(self._on, self._open, margin=(4, 8), **WIDE)

    def _follow(self) -> None:
        state, is_revealed = self._state, self._state.verdict is not None
        self._open.label = f"Open this on the {state.now.visit.title} page"
        self._on.label = f"Go on to lesson {state.number + 1}"
        self._open.visible = is_revealed
        self._on.visible = is_revealed and state.number < len(all_lessons())


class LessonKeys(JSComponent):
    """An unseen part of the page by whose keys a lesson is presented.

    1 to 4 pick an answer, Space reveals, arrows move the control, the page keys turn
    lessons.
    """

    is_on = param.Boolean(default=False, doc="Whether a lesson is presented.")

    _esm = asset("lesson_keys.js")

    def __init__(
        self,
        state: LessonsState,
        session: SessionState,
        reveal: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._session, self._reveal = state, session, reveal
        session.param.watch(lambda *_: self._follow(), ["frame", "page"])
        self._follow()

    def _follow(self) -> None:
        session = self._session
        self.is_on = session.frame == "present" and session.page == "lessons"

    def _handle_msg(self, msg: Any) -> None:
        """Do what a key stands for; what is none of ours is left."""
        state = self._state
        match msg:
            case {"pick": int(place)} if state.verdict is None and 0 <= place < len(
                state.now.answers
            ):
                state.guess = place
            case "reveal" if state.guess != NO_GUESS and state.verdict is None:
                self._reveal()
            case {"move": 1 | -1 as by}:
                state.pause()
                state.at = min(max(state.at + by, 0), state.last)
            case {"turn": 1 | -1 as by}:
                state.turn(by)


class LessonSight(JSComponent):
    """An unseen part of the page that brings into view what has been asked for.

    On a phone an answer that is revealed stands below the picture, and the end of a
    lesson, where the next one is turned to, far below the top.
    """

    sought = param.String(default="", doc="A class, and how often it was sought.")

    _esm = asset("lesson_sight.js")

    def __init__(self, state: LessonsState, **params: Any) -> None:
        super().__init__(**params)
        self._times = count()
        state.param.watch(lambda *_: self._seek("lesson"), "lesson")

    def seek_verdict(self) -> None:
        """Bring the verdict into view once it is there."""
        self._seek("verdict")

    def _seek(self, name: str) -> None:
        self.sought = f"{name}\n{next(self._times)}"


# Of a figure in a handout, in pixels: as wide as the page it is no higher, so that two
# have room on one, and letters in it are as large as those beside it.
_FIGURE = 220
_STYLE = """
body { font: 14px/1.35 Roboto, Arial, sans-serif; margin: 1rem auto;
  max-width: 44rem; }
h1 { font-size: 20px; margin: 0 0 .2rem; } h2 { font-size: 16px; margin: .3rem 0; }
p { margin: .2rem 0; }
ul { list-style: none; padding: 0; margin: .2rem 0; display: flex; flex-wrap: wrap;
  gap: 0 2rem; }
li::before { content: "☐ "; }
figure { margin: .2rem 0; } figure svg { max-width: 100%; height: 262px; }
.fold { border-top: 1px dashed #777; color: #555; margin-top: .4rem; }
@page { margin: 1cm; }
@media print { body { margin: 0 auto; } }
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
    # HoloViews and Matplotlib are slow to import: who prints nothing waits for neither.
    from ...figures.saving import picture

    shown: Shown
    *_, shown = lesson.show(at)
    control = lesson.control
    named = f"{plain(control.label)}: {plain(control.settings[at])}"
    svg = picture(drawn(shown.picture, height=_FIGURE), "svg").decode()
    return f"<figure>{svg}<figcaption>{named}</figcaption></figure>"
