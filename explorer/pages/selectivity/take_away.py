"""What is on the selectivity page as a script."""

from __future__ import annotations

from solvers.frontier.selectivity import trace_selectivity

from ...export.call import Call, script
from ...export.loading import bundled_data, loading
from .data import evoked_options
from .state import SelectivityState
from .streams import PATH_POINTS, SMALLEST, TOLERANCE


def selectivity_script(state: SelectivityState) -> str:
    """Return a script that prints the model on screen and its path."""
    is_own = state.source == "session"
    if is_own:
        given = loading(state.dataset)
    else:
        given = bundled_data("evoked", evoked_options(state.source))
    trace = Call(
        trace_selectivity,
        given,
        share=float(state.share),
        gamma=float(state.gamma),
        loss=state.loss,
        is_priced=state.is_priced,
        is_scaled=is_own,
        n_points=PATH_POINTS,
        smallest=SMALLEST,
        tol=TOLERANCE,
    )
    return script("Compute a selective ridge of Thriftscope again.", trace=trace)
