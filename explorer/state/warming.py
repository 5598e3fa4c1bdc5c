"""What every session would compute first, computed once when a server starts."""

from __future__ import annotations

from .frontier import FrontierState
from .marking import mark_methods
from .session import DEFAULT_DATASET, bundled
from .shared import SHARED_MARKS, SHARED_SPLITS, SHARED_TRACES
from .tracing import trace_methods

__all__ = ["warm_frontier"]


def warm_frontier(dataset: str = DEFAULT_DATASET) -> int:
    """Compute the frontier that a new session opens on, for all sessions to share.

    Parameters
    ----------
    dataset : str
        A name of ``all_datasets()``: what everybody may see, and nobody can change.

    Returns
    -------
    int
        How many traces are shared now.
    """
    state = FrontierState(dataset=bundled(dataset))
    request = state.missing_traces()
    if request is not None:
        state.collector()(trace_methods(request))
        SHARED_TRACES.update(state.known_traces)
        marks = state.missing_marks()
        if marks is not None:
            state.collect_marks(mark_methods(marks))
            SHARED_MARKS.update(state.known_marks)
        SHARED_SPLITS[id(state.dataset), state.random_state] = state.split()
    return len(SHARED_TRACES)
