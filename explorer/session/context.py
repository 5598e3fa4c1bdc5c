"""What every page of one session shares: its state, and how to compute and to post."""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import panel as pn
from panel.io.state import set_curdoc

from ..compute.debounced import Settle
from ..compute.jobs import Job, Post, immediately
from ..compute.later import Later, call_later
from ..compute.query import Asker, Query
from ..document.undo_stack import UndoStack
from ..widgets.figure_view import one_message
from .choices import Choices, record_choices
from .problem import ProblemState
from .state import SessionState

# An executed notebook has no browser: after this long nobody is waited for.
CONNECT_SECONDS = 30
RETRY_SECONDS = 0.1
# After this long without a move a hand on a slider rests.
REST_SECONDS = 0.15


def _stay(link: str, place: str) -> None:
    """Stay: a page by itself has no others to go to."""


def _bring_nothing() -> None:
    """Ask for nothing: a page by itself has no menu."""


def _copy_nowhere(link: str, told: Callable[[bool], None]) -> None:
    """Copy nothing: a page by itself has no address."""
    told(False)


@dataclass
class Context:
    """One person's session."""

    session: SessionState  # What the person has chosen that all pages share
    post: Post = immediately  # Runs a callback on the page's own thread
    # Follows a link within the app: takes the link, and the heading to go to
    visit: Callable[[str, str], None] = _stay
    # Puts a link into the clipboard, and tells whether it is there
    copy: Callable[[str, Callable[[bool], None]], None] = _copy_nowhere
    # Asks for a table of the person's own
    bring: Callable[[], None] = _bring_nothing
    choices: Choices = field(init=False, default_factory=Choices)
    undo_stack: UndoStack = field(init=False)
    problem: ProblemState = field(init=False)
    _jobs: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.problem = ProblemState(self.session)
        self.undo_stack = self.problem.editor.undo_stack
        record_choices(self.undo_stack, self.session, self.choices)

    def job(self) -> Job:
        """Return a new job that posts to this session's page."""
        job = Job(self._post_quietly)
        self._jobs.append(weakref.ref(job))
        return job

    def asker(self, query: Query, state: Any, **wired: Any) -> Asker:
        """Return what asks a query of a state; `wired` as of `Asker`."""
        asker = Asker(query, state, self._post_quietly, **wired)
        self._jobs.append(weakref.ref(asker))
        return asker

    def _post_quietly(self, callback: Callable[[], None]) -> None:
        """Post what a computation brings: it is nothing that a person did."""

        def run() -> None:
            with self.undo_stack.quiet():
                callback()

        self.post(run)

    def settle(self, seconds: float = REST_SECONDS) -> Settle:
        """Return what calls back on the page's thread once a hand rests so long."""
        return self.post if self.post is immediately else _Settling(self.post, seconds)

    def abandon(self) -> None:
        """Stop everything: the session is gone."""
        for reference in self._jobs:
            job = reference()
            if job is not None:
                job.abandon()


class _Settling:
    """Calls back once so many seconds have gone by without another call."""

    def __init__(self, post: Post, seconds: float) -> None:
        self._post, self._seconds = post, seconds
        self._rest: Later | None = None

    def __call__(self, callback: Callable[[], None]) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._rest = call_later(self._seconds, lambda: self._post(callback))


def page_post(pushed: Callable[[], Any], is_drawn: Callable[[], bool]) -> Post:
    """Return what runs callbacks on the thread of the page that is being built.

    In a served page the document's next tick; in a notebook the kernel's loop; in a
    script at once.
    """
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        return _on_next_tick(document)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return immediately
    return _OnKernelLoop(loop, pushed, is_drawn)


def _on_next_tick(document: Any) -> Post:
    """Post to a served page, once its browser has it.

    What changes on widgets after the page was sent and before the browser says that it
    is there is lost: Panel takes it to be part of what was sent.
    """
    lock, is_there = threading.Lock(), threading.Event()
    waiting: list[Callable[[], None]] = []

    def post(callback: Callable[[], None]) -> None:
        with lock:
            if not is_there.is_set():
                waiting.append(callback)
                return
        send(callback)

    def release() -> None:
        with lock:
            is_there.set()
            for callback in waiting:
                send(callback)
            waiting.clear()

    def send(callback: Callable[[], None]) -> None:
        def in_one_message() -> None:
            # Said again: what is posted while another is served would be drawn there.
            # In order: merged, some changes would speak of models not sent yet.
            held = pn.io.hold(document, "collect")
            with set_curdoc(document), held, one_message():
                callback()

        # The document of a session that has ended has lost what takes callbacks.
        with suppress(AttributeError):
            document.add_next_tick_callback(in_one_message)

    pn.state.onload(release)
    return post


class _OnKernelLoop:
    """Runs callbacks on a notebook's own thread, once its browser has drawn the page.

    The browser takes a while to connect to what a cell shows, and longer to draw it.
    What is sent before is lost, in part or as a whole, and a patch of which the first
    part is lost breaks all that follow.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        pushed: Callable[[], Any],
        is_drawn: Callable[[], bool],
    ) -> None:
        self._loop, self._pushed, self._is_drawn = loop, pushed, is_drawn
        self._waiting: deque[Callable[[], None]] = deque()
        self._deadline: float | None = None

    def __call__(self, callback: Callable[[], None]) -> None:
        self._waiting.append(callback)
        if len(self._waiting) == 1:
            self._loop.call_soon_threadsafe(self._run)

    def _run(self) -> None:
        shown = self._pushed()
        is_there = shown is None or (_is_connected(shown) and self._is_drawn())
        if not is_there and self._is_patient():
            self._loop.call_later(RETRY_SECONDS, self._run)
            return
        try:
            while self._waiting:
                self._waiting.popleft()()
        finally:
            if self._waiting:  # one callback failed: the others still have their turn
                self._loop.call_soon(self._run)
        # What was drawn on bokeh's own models does not reach a notebook by itself.
        if shown is not None and shown._models:
            pn.io.push_notebook(shown)

    def _is_patient(self) -> bool:
        if self._deadline is None:
            self._deadline = time.monotonic() + CONNECT_SECONDS
        return time.monotonic() < self._deadline


def _is_connected(shown: Any) -> bool:
    """Whether a browser listens to what is shown."""
    views = (pn.state._views[ref] for ref in shown._models if ref in pn.state._views)
    return all(comm is None or comm._comm for *_, comm in views)
