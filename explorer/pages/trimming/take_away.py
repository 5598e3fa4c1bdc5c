"""What a person takes away from the trimming page, as downloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from solvers.bayes import Trimming, sample
from solvers.errors import DataError

from ...export.deployed import DeployForm
from ...session.footprint import Deployable
from ...session.take_away import policy_downloads, take_away_view
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

    def of_found(write: Write) -> str | bytes:
        if state.log is None or state.log.best is None:
            raise DataError("No trimming is found yet; let the search find one first.")
        return write(state.log.question, state.log.best)

    def script(question: TrimmingQuestion, _: Trimming) -> str:
        same = state.opened.classifier is question.original
        return trimming_script(question, state.opened.call if same else "")

    def policy(form: DeployForm) -> str | bytes:
        return of_found(lambda question, best: trimmed_policy(question, best, form))

    files: list[tuple[str, str, Write]] = [
        ("Trimmed classifier (JSON)", "trimmed.json", trimmed_json),
        ("Script (Python)", "thriftscope_trimming.py", script),
        ("Original classifier (JSON)", "original.json", lambda q, _: original_json(q)),
    ]
    found = [(label, name, partial(of_found, write)) for label, name, write in files]
    return take_away_view([*found, *policy_downloads(policy)])
