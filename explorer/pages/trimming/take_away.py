"""What a person takes away from the trimming page, as downloads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn

from solvers.bayes import Trimming, sample
from solvers.errors import ThriftscopeError

from ...export.deployed import DeployForm
from ...session.footprint import Deployable
from ...widgets.controls import download
from ...widgets.markup import markup
from ...widgets.message import Message
from .exported import (
    original_json,
    priced_trimming,
    trimmed_json,
    trimmed_policy,
    trimming_script,
)
from .log import TrimmingQuestion
from .state import TrimmingState

__all__ = ["deployable", "take_trimming_away"]

_DRAWN = 100

Write = Callable[[TrimmingQuestion, Trimming], str | bytes]


def deployable(state: TrimmingState) -> Deployable | None:
    """Return the best trimming, and rows that are drawn from its network."""
    if state.log is None or state.log.best is None:
        return None
    priced = priced_trimming(state.log.question, state.log.best)
    network, names = priced.classifier.network, priced.classifier.features
    drawn = sample(network, _DRAWN)
    return priced, np.column_stack([drawn[name] for name in names]).astype(float)


def take_trimming_away(state: TrimmingState) -> Any:
    """Return the downloads of the trimming page."""
    message = Message(kind="info")

    def of_found(write: Write) -> Callable[[], str | bytes]:
        def produce() -> str | bytes:
            message.text = ""
            try:
                if state.log is not None and state.log.best is not None:
                    return write(state.log.question, state.log.best)
            except ThriftscopeError as error:
                message.text = str(error)
            return ""

        return produce

    def script(question: TrimmingQuestion, _: Trimming) -> str:
        same = state.opened.classifier is question.original
        return trimming_script(question, state.opened.call if same else "")

    def policy(form: DeployForm) -> Write:
        return lambda question, best: trimmed_policy(question, best, form)

    downloads: list[tuple[str, str, Write]] = [
        ("Trimmed classifier (JSON)", "trimmed.json", trimmed_json),
        ("Script (Python)", "thriftscope_trimming.py", script),
        (
            "Original classifier (JSON)",
            "original.json",
            lambda question, _: original_json(question),
        ),
        ("Python file", "policy.py", policy("python")),
        ("C99 (zip)", "policy_c99.zip", policy("c")),
        ("Offline page (HTML)", "policy.html", policy("html")),
    ]
    buttons = [
        download(label, filename, of_found(write))
        for label, filename, write in downloads
    ]
    return pn.Column(
        markup("<h2>Take it away</h2>", margin=(2, 10)),
        pn.FlexBox(*buttons),
        message,
        sizing_mode="stretch_width",
    )
