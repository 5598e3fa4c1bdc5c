"""What every page of one session shares: its state, and how to compute and to post."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import panel as pn

from .runner import Job, Post, immediately
from .state.session import SessionState

__all__ = ["Context", "page_post"]


@dataclass
class Context:
    """One person's session.

    Parameters
    ----------
    session : SessionState
        What the person has chosen that all pages share.
    post : callable
        Runs a callback on the page's own thread.
    """

    session: SessionState
    post: Post = immediately
    _jobs: list[Any] = field(default_factory=list)

    def job(self) -> Job:
        """Return a new job that posts to this session's page.

        Returns
        -------
        Job
        """
        job = Job(self.post)
        self._jobs.append(weakref.ref(job))
        return job

    def abandon(self) -> None:
        """Stop everything: the session is gone."""
        for reference in self._jobs:
            job = reference()
            if job is not None:
                job.abandon()


def page_post(pushed: Callable[[], Any]) -> Post:
    """Return what runs callbacks on the thread of the page that is being built.

    Parameters
    ----------
    pushed : callable
        Returns what a notebook shows, once it is shown.

    Returns
    -------
    callable
        In a served page the document's next tick; in a notebook the kernel's loop;
        in a script at once.
    """
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        return _on_next_tick(document)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return immediately
    return _on_kernel_loop(loop, pushed)


def _on_next_tick(document: Any) -> Post:
    early: list[Callable[[], None]] = []
    lock, is_ready = threading.Lock(), threading.Event()

    def post(callback: Callable[[], None]) -> None:
        with lock:
            if not is_ready.is_set():
                early.append(callback)
                return
        document.add_next_tick_callback(callback)

    def ready() -> None:
        with lock:
            is_ready.set()
            for callback in early:
                document.add_next_tick_callback(callback)

    # Between the browser's first request for the document and its word that it is
    # drawn, panel drops what changes on components with a script of their own.
    pn.state.onload(ready)
    return post


def _on_kernel_loop(loop: asyncio.AbstractEventLoop, pushed: Callable[[], Any]) -> Post:
    def run(callback: Callable[[], None]) -> None:
        callback()
        shown = pushed()
        # What was drawn on bokeh's own models does not reach a notebook by itself.
        if shown is not None and shown._models:
            pn.io.push_notebook(shown)

    def post(callback: Callable[[], None]) -> None:
        loop.call_soon_threadsafe(run, callback)

    return post
