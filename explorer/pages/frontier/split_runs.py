"""What the ticked methods reach on other splits of the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from solvers import Frontier
from solvers.bands import Band

from ...compute.traces import Trace
from ...widgets.text import unit_text
from .runs import RunItem, RunRequest, bands_of, noise_sentence

if TYPE_CHECKING:
    from .state import FrontierState

__all__ = ["SplitRuns"]


class SplitRuns:
    """The frontiers of a state on all of its splits: which are missing, what they say.

    The first split is the one that the page shows; the others follow by their seed.
    """

    def __init__(self, state: FrontierState) -> None:
        self._state = state
        # What the bands were made of, and they: they are asked for on every move.
        self._bands: tuple[Any, dict[str, Band]] = (None, {})

    def request(self) -> RunRequest | None:
        """Return which methods still have to be traced on which other splits.

        None where nothing is missing.
        """
        state = self._state
        if state.dataset is None:
            return None
        missing = [
            (name, state.method_params(name), seed)
            for seed in self._seeds()[1:]
            for name in state.methods
            if self._trace(name, seed) is None
        ]
        return RunRequest(state.dataset, missing, state.threshold) if missing else None

    def collector(self) -> Callable[[Iterable[RunItem | None]], None]:
        """Return what takes the frontiers of one request."""
        state = self._state
        keys = {
            (name, seed): state.trace_key(name, seed)
            for name in state.methods
            for seed in self._seeds()[1:]
        }
        traces = state.results.traces

        def collect(items: Iterable[RunItem | None]) -> None:
            arrived = [item for item in items if item is not None]
            for item in arrived:
                trace = Trace(item.points, is_complete=True)
                traces[keys[item.method, item.seed]] = trace
            state.n_arrived += len(arrived)

        return collect

    def bands(self) -> dict[str, Band]:
        """Return mean and spread of every method that was traced on all splits.

        Empty for a single split.
        """
        state, seeds = self._state, self._seeds()
        if len(seeds) < 2 or state.dataset is None:
            return {}
        found = {
            name: [self._trace(name, seed) for seed in seeds] for name in state.methods
        }
        traces = {name: runs for name, runs in found.items() if all(runs)}
        axes = state.axes()
        axis = (axes.accounting, axes.score, axes.charge, axes.confidence, axes.limits)
        key = axis, [[id(t) for t in runs] for runs in traces.values()]
        if key != self._bands[0]:
            frontiers = {
                name: [axes.holding(run.points) for run in runs if run]
                for name, runs in traces.items()
            }
            self._bands = key, bands_of(frontiers, state.floor())
        return self._bands[1]

    def frontiers(self) -> list[Frontier]:
        """Return the frontier of all ticked methods on each split, the first one first.

        Only that of the first split until those of all others have come.
        """
        state = self._state
        found = [
            [self._trace(name, seed) for name in state.methods]
            for seed in self._seeds()
        ]
        if not all(all(traces) for traces in found):
            return [state.frontier()]
        return [
            state.axes().holding(p for trace in traces if trace for p in trace.points)
            for traces in found
        ]

    def noise(self) -> str:
        """Return whether the best method's lead within the budget is noise."""
        state, bands = self._state, self.bands()
        if not bands:
            return ""
        train, _, test = state.dataset.fractions
        unit = unit_text(state.dataset.unit)
        return noise_sentence(bands, state.budget, unit, test / train)

    def within(self) -> tuple[int, int] | None:
        """Return on how many splits the best stays within the budget, of how many.

        On test rows; None before all splits have come, or where a split buys nothing.
        """
        budget, frontiers = self._state.budget, self.frontiers()
        best = [frontier.best_within(budget) for frontier in frontiers]
        if len(best) < 2 or None in best:
            return None
        within = sum(
            frontier.cost(point) <= budget
            for frontier, point in zip(frontiers, best, strict=True)
            if point is not None
        )
        return within, len(best)

    def _seeds(self) -> list[int]:
        return [self._state.random_state + run for run in range(self._state.n_runs)]

    def _trace(self, method: str, seed: int) -> Trace | None:
        return self._state.results.traces.get(self._state.trace_key(method, seed))
