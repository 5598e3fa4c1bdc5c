"""The frontier of now beside those that were pinned, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers import all_methods
from solvers.costs.units import conversion
from solvers.errors import DataError, HypergraphError
from solvers.frontier.bands import Band, compare_bands
from solvers.values.rounding import fixed

from ...session.pins import MAX_NAME, MAX_PINS, Pin, Steps, bought, steps_of
from ...widgets.text import cost_text, counted, unit_text
from .state import AXES, FrontierState

# Of the state, what a comparison follows.
COMPARED = (
    *("pins", "traces", "budget", *AXES, "methods", "n_runs", "n_arrived"),
    *("dataset", "log_cost"),
)
ACCOUNTS = {
    "mean": "the mean over rows",
    "p95": "the 95th percentile of rows",
    "max": "the worst row",
}


@dataclass(frozen=True)
class PinComparison:
    """A pin beside the frontier of now."""

    pin: Pin  # What was pinned
    # By what its costs are multiplied to stand on the axis of now; None where they
    # cannot
    factor: float | None
    # F1 on test rows within the budget; None where it buys nothing, or where the two
    # cannot be compared
    then: float | None
    now: float | None
    words: str  # The difference, or why there is none to tell

    @property
    def gained(self) -> float | None:
        """How much higher the F1 of now is; None where the two cannot be compared."""
        if self.then is None or self.now is None:
            return None
        return self.now - self.then


def pinned(state: FrontierState, name: str) -> Pin:
    """Return the frontier of now, to be put aside."""
    traces = [state.traces.get(method) for method in state.methods]
    if not traces or not all(trace and trace.is_complete for trace in traces):
        raise DataError(
            "The frontier is not complete yet; pin it once it is, or untick what was "
            "stopped."
        )
    axes = state.axes()
    if (axes.score, axes.charge) != ("f1", "features"):
        raise DataError(
            "Pins hold F1 at the cost of features; choose this score and charge to pin."
        )
    data, frontiers = state.dataset, state.split_frontiers()
    hypergraph = data.hypergraph
    priced = (
        f"{counted(hypergraph.n_components, 'component')}, "
        f"{cost_text(hypergraph.total_cost, data.unit)} for all"
    )
    return Pin(
        name=_free_name(state, _printable(name) or _printable(data.name)),
        data=_printable(data.name),
        rows=data.n_samples,
        hypergraph=priced,
        unit=data.unit,
        accounting=state.accounting,
        full_cost=float(hypergraph.total_cost),
        methods=tuple(all_methods()[method].title for method in state.methods),
        steps=steps_of(frontiers[0]),
        runs=tuple(map(steps_of, frontiers)) if len(frontiers) > 1 else (),
    )


def with_pin(state: FrontierState, name: str) -> list[Pin]:
    """Return the pins and one more."""
    if len(state.pins) >= MAX_PINS:
        raise DataError(
            f"There are {MAX_PINS} pins, which is as many as can be told apart; unpin "
            "one first."
        )
    return [*state.pins, pinned(state, name)]


def compare(state: FrontierState) -> list[PinComparison]:
    """Return each pin beside the frontier of now."""
    if not state.pins:
        return []
    frontiers = [steps_of(frontier) for frontier in state.split_frontiers()]
    return [_compared(state, pin, frontiers) for pin in state.pins]


def _compared(state: FrontierState, pin: Pin, now: list[Steps]) -> PinComparison:
    apart = _apart(state, pin)
    if apart:
        words = f"“{pin.name}” {apart}, so they are not drawn on one axis."
        return PinComparison(pin, None, None, None, words)
    budget, unit = state.budget, state.dataset.unit
    factor = conversion(pin.unit, unit)
    then, here = pin.best_within(budget / factor), bought(now[0], budget)
    words = [
        _difference(pin, then, here, cost_text(budget, unit)),
        _noise(state, pin, now, factor),
        *_caveats(state, pin, factor),
    ]
    return PinComparison(pin, factor, then, here, " ".join(filter(None, words)))


def _apart(state: FrontierState, pin: Pin) -> str:
    """Say why a pin and the frontier of now share no axis; empty where they do."""
    axes, unit = state.axes(), state.dataset.unit
    if (axes.score, axes.charge) != ("f1", "features"):
        return "is F1 at the cost of features, the frontier shown is not"
    if pin.accounting != state.accounting:
        return (
            f"is charged by {ACCOUNTS[pin.accounting]}, the frontier shown by "
            f"{ACCOUNTS[state.accounting]}"
        )
    try:
        conversion(pin.unit, unit)
    except HypergraphError:
        return f"costs {unit_text(pin.unit)}, the frontier shown {unit_text(unit)}"
    return ""


def _difference(pin: Pin, then: float | None, now: float | None, budget: str) -> str:
    if then is None or now is None:
        lines = [("“" + pin.name + "”", then), ("the frontier shown", now)]
        none = " and ".join(name for name, score in lines if score is None)
        return f"Within {budget} nothing is bought on {none}."
    f1, before = fixed(now, 3), fixed(then, 3)
    told = f"Within {budget} the F1 (test) is {f1} now and {before} on "
    gained = now - then
    if abs(gained) < 5e-4:
        return f"{told}“{pin.name}”: no difference."
    side = "higher" if gained > 0 else "lower"
    return f"{told}“{pin.name}”: {fixed(abs(gained), 3)} {side} now."


def _noise(state: FrontierState, pin: Pin, now: list[Steps], factor: float) -> str:
    """Say whether the difference is noise, where the same splits were traced twice."""
    is_paired = (pin.data, pin.rows) == (state.dataset.name, state.dataset.n_samples)
    if not is_paired or len(now) < 2 or len(now) != len(pin.runs):
        return ""
    grid = np.array([state.budget])
    bands = [
        # What buys nothing is None, which is NaN as a number.
        Band(grid, np.array([[bought(run, budget)] for run in runs], dtype=float))
        for runs, budget in ((now, state.budget), (pin.runs, state.budget / factor))
    ]
    train, _, test = state.dataset.fractions
    difference = compare_bands(*bands, overlap=test / train)
    mean, margin = float(difference.mean[0]), float(difference.margin[0])
    if np.isnan(mean):
        return f"Not every one of {len(now)} splits buys something."
    told = f"Over {len(now)} splits {mean:+.3f} ± {fixed(margin, 3)}"
    return f"{told}: within noise." if difference.within_noise[0] else f"{told}."


def _caveats(state: FrontierState, pin: Pin, factor: float) -> Iterator[str]:
    if (pin.data, pin.rows) != (state.dataset.name, state.dataset.n_samples):
        yield f"It is of other data: {pin.data}, {pin.rows} rows."
    if factor != 1:
        drawn = unit_text(state.dataset.unit)
        yield f"Its costs were in {unit_text(pin.unit)} and are drawn in {drawn}."


def _printable(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable()).strip()[:MAX_NAME]


def _free_name(state: FrontierState, name: str) -> str:
    taken = {pin.name for pin in state.pins}
    numbered = (f"{name[: MAX_NAME - 3]} {k}" for k in range(2, MAX_PINS + 2))
    return next(one for one in [name, *numbered] if one not in taken)
