"""What every session would compute first, computed once for all of them."""

from __future__ import annotations

import time

from solvers.methods.acafh import ACAFHClassifier

from ...compute.shared import SHARED, SHARED_SPLITS, data_key
from ...session.state import DEFAULT_DATASET, bundled
from ...widgets.positions import positions
from .marking import mark_methods
from .state import FrontierState
from .streams import trace_methods

# How long to rest after each step, as a multiple of what it took: people come first.
RESTS = 3


def warm_frontier(dataset: str = DEFAULT_DATASET) -> int:
    """Compute the frontier that a new session opens on, for all sessions to share.

    `dataset`: A name of ``all_datasets()``: what everybody may see, and nobody can
    change.
    """
    state = FrontierState(dataset=bundled(dataset))
    request = state.missing_traces()
    if request is not None:
        state.collector()(trace_methods(request))
    marks = state.missing_marks()
    if marks is not None:
        state.mark_collector()(mark_methods(marks))
    SHARED_SPLITS[data_key(state.dataset), state.random_state] = state.split()
    return len(SHARED.traces)


def warm_slider(dataset: str = DEFAULT_DATASET, rests: float = RESTS) -> None:
    """Solve at every λ that the slider of a new session can be moved to.

    Takes minutes, most of which it sleeps.

    `rests`: how long to rest after each λ, as a multiple of what it took.
    """
    state = FrontierState(dataset=bundled(dataset))
    for alpha in positions(ACAFHClassifier.knobs["alpha"]):
        started = time.monotonic()
        state.alpha = alpha
        missing = state.missing_marks()
        if missing is not None:
            state.mark_collector()(mark_methods(missing))
            time.sleep(rests * (time.monotonic() - started))
