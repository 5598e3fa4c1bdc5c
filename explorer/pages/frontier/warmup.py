"""What every session would compute first, computed once for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable

from solvers.methods.acafh import ACAFHClassifier

from ...compute.shared import SHARED, SHARED_SPLITS, data_key
from ...session.state import DEFAULT_DATASET, bundled
from ...widgets.positions import positions
from .queries import MARKS, TRACES
from .state import FrontierState

# How long to rest after each step, as a multiple of what it took: people come first.
RESTS = 3


def warm_frontier(
    dataset: str = DEFAULT_DATASET, goes_on: Callable[[], bool] = lambda: True
) -> int:
    """Compute the frontier that a new session opens on, for all sessions to share.

    `dataset`: A name of ``all_datasets()``: what everybody may see, and nobody can
    change.
    `goes_on`: whether to go on; who has come computes what is missing, and the same
    twice at once would take both twice as long.
    """
    state = FrontierState(dataset=bundled(dataset))
    for name in state.methods:
        one = FrontierState(dataset=state.dataset, methods=[name])
        for query in (TRACES, MARKS):
            query.answer(one, goes_on)
            if not goes_on():
                return len(SHARED.traces)
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
        MARKS.answer(state)
        time.sleep(rests * (time.monotonic() - started))
