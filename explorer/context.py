"""What every page of one session shares: its state, and how to compute and to post."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import panel as pn

from .runner import Job, Post, immediately
from .state.session import SessionState

__all__ = ["Context"]


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


def page_post() -> Post:
    """Return what runs callbacks on the thread of the page that is being built.

    Returns
    -------
    callable
        In a served page the document's next tick; in a notebook the kernel's loop;
        in a script at once.
    """
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        return _on_next_tick(document)
    return immediately


def _on_next_tick(document: Any) -> Post:
    def post(callback: Callable[[], None]) -> None:
        document.add_next_tick_callback(callback)

    return post
