"""What the frontier page asks: paths of methods, models at exactly λ, other splits.

What every session would ask first is asked once for all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from solvers import Dataset, FrontierPoint, MistakeCosts, all_methods, evaluate
from solvers.frontier.evaluation import iter_frontier, time_decisions
from solvers.frontier.scoring import ThresholdRule
from solvers.methods.acafh import ACAFHClassifier

from ...compute.beside import beside
from ...compute.cluster import computed
from ...compute.query import Query
from ...compute.shared import SHARED, SHARED_SPLITS, data_key
from ...compute.traces import Trace
from ...session.state import DEFAULT_DATASET, bundled
from ...widgets.positions import positions
from .choices import settings_of
from .state import FrontierState

Run = tuple[str, int]  # A method on the split of a seed
# What a path hangs on; all else only says where its points stand.
LEARNED = (
    *("dataset", "methods", "p", "penalty", "refit", "threshold", "settings"),
    *("miss", "false_alarm", "worth"),
)
# As many lines as are ticked on most data: a cascade trains for long before its first
# point, and the others have theirs at once.
ABREAST = 4
# A path of many trade-offs begins with so few of them, which stand in an instant.
COARSE = 8


def trace_method(
    method: str,
    params: Mapping[str, Any],
    dataset: Dataset,
    threshold: ThresholdRule,
    random_state: int,
    mistakes: MistakeCosts | None = None,
    *,
    timed: bool = True,
) -> Generator[FrontierPoint | float, None, None]:
    """Yield a method's points, and before how much of training is done.

    `timed`: whether points say how long deciding takes.
    """
    yield from iter_frontier(
        all_methods()[method](**params),
        dataset,
        threshold=threshold,
        mistake_costs=mistakes,
        random_state=random_state,
        timed=timed,
    )


def _path(state: FrontierState, run: Run) -> Iterator[FrontierPoint | float]:
    method, seed = run
    params, data = state.method_params(method), state.dataset
    shared = data_key(data)
    return computed(
        trace_method,
        *(method, params, data, state.threshold, seed, state.mistakes()),
        # What anybody may ask is asked of a cluster once for all who do.
        key=shared and (shared, state.run_key(method, params, seed)),
        expects=params.get("n_alphas", TRACES.expects),
        # Lines of what is looked at come before those of other splits.
        priority=0 if seed == state.random_state else -1,
    )


def _coarse_path(
    state: FrontierState, method: str
) -> Iterator[FrontierPoint | float] | None:
    """Return a path of a few trade-offs; None for a method that visits no more."""
    params = state.method_params(method)
    known = all_methods()[method](**params).get_params(deep=False)
    if known.get("n_alphas", 0) <= COARSE:
        return None
    fewer = {"n_alphas": COARSE, "candidates": "best"}
    params |= {name: value for name, value in fewer.items() if name in known}
    # On this machine: a hand that moves waits for no cluster's queue.
    return beside(
        partial(trace_method, timed=state.charges_deciding()),
        *(method, params, state.dataset, state.threshold, state.random_state),
        state.mistakes(),
        is_long=False,
    )


def _with_point(trace: Trace | None, point: FrontierPoint) -> Trace:
    return Trace((*(trace.points if trace else ()), point), is_complete=False)


def _whole(trace: Trace | None) -> Trace:
    return Trace((), True) if trace is None else replace(trace, is_complete=True)


def _refined(coarse: Trace, trace: Trace | None) -> Trace:
    """Return a path with what the coarse one has where it has not come to yet."""
    if trace is None:
        return coarse
    reached = min(_trade_off(point) for point in trace.points)
    ahead = [point for point in coarse.points if _trade_off(point) < reached]
    return replace(trace, points=(*trace.points, *ahead))


def _longer(cut: Trace, trace: Trace | None) -> Trace:
    """Return the points that had come, until as many have come anew: they are these."""
    if trace is None or len(cut.points) > len(trace.points):
        return cut
    return trace


def _trade_off(point: FrontierPoint) -> float:
    return float(point.params["alpha"])


def mark_method(state: FrontierState, method: str) -> Iterator[FrontierPoint]:
    """Yield a method's model at exactly λ, as the state has it when this is called.

    Again once it is known how long it decides.
    """
    split, alpha, threshold = state.split(), float(state.alpha), state.threshold
    params, knobs = state.method_params(method), settings_of(state.settings, method)
    mistakes, waits = state.mistakes(), state.charges_deciding()
    refit = state.refitters.of(method, split, params, knobs)

    def marked() -> Iterator[FrontierPoint]:
        started = time.perf_counter()
        model = refit(alpha=alpha)
        seconds = time.perf_counter() - started
        point = evaluate(
            model,
            split,
            name=method,
            threshold=threshold,
            mistake_costs=mistakes,
            seconds=seconds,
        )
        if not waits:
            yield point
        yield time_decisions(point, split)

    return marked()


def _at_lambda(state: FrontierState) -> dict[str, Any]:
    solved = [
        name for name in state.methods if all_methods()[name].path_knob == "alpha"
    ]
    return {name: state.mark_key(name) for name in solved}


def _count_runs(state: FrontierState, _: Mapping[Run, Trace]) -> None:
    """Tell the views once another one is whole."""
    known = state.results.traces
    runs = [state.trace_key(*run) for run in _other_runs(state)]
    state.n_arrived = sum(known.get(run) is not None for run in runs)


def _other_runs(state: FrontierState) -> list[Run]:
    return [(name, seed) for seed in state.seeds()[1:] for name in state.methods]


TRACES = Query(
    "traces",
    asks=lambda state: {name: state.trace_key(name) for name in state.methods},
    work=lambda state, method: _path(state, (method, state.random_state)),
    coarse=_coarse_path,
    refines=_refined,
    resumes=_longer,
    follows=LEARNED,
    trails=("p",),
    joins=_with_point,
    ends=_whole,
    kept=lambda state: state.results.traces,
    has_parts=True,
    title=lambda method: f"{all_methods()[method].title}: ",
    n_abreast=ABREAST,
    is_long=True,
)
MARKS = Query(
    "marks",
    asks=_at_lambda,
    work=mark_method,
    follows=(*LEARNED, "alpha"),
    trails=("alpha",),
    kept=lambda state: state.results.marks,
    has_parts=True,
    expects=2,
)
RUNS = Query(
    "n_arrived",
    asks=lambda state: {run: state.trace_key(*run) for run in _other_runs(state)},
    work=_path,
    follows=(*LEARNED, "n_runs"),
    joins=_with_point,
    ends=_whole,
    shows=_count_runs,
    kept=lambda state: state.results.traces,
    has_parts=True,
    is_long=True,
)


# Whether others are at work is looked at so often.
LOOK_SECONDS = 0.3
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


def warm_slider(
    dataset: str = DEFAULT_DATASET,
    rests: float = RESTS,
    is_free: Callable[[], bool] = lambda: True,
) -> None:
    """Solve at every λ that the slider of a new session can be moved to.

    Takes minutes, most of which it sleeps.

    `rests`: how long to rest after each λ, as a multiple of what it took.
    `is_free`: whether nobody waits for what they have asked; else it waits for them.
    """
    state = FrontierState(dataset=bundled(dataset))
    for alpha in positions(ACAFHClassifier.knobs["alpha"]):
        while not is_free():
            time.sleep(LOOK_SECONDS)
        started = time.monotonic()
        state.alpha = alpha
        MARKS.answer(state)
        time.sleep(rests * (time.monotonic() - started))
