"""What the trimming page draws: the search, the network, and figures of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import param

from solvers.bayes import Comparison
from solvers.values.rounding import number

from ...figures.live import SceneView
from ...figures.scene import Scene
from ...figures.trimming import (
    best_scene,
    empty_network,
    network_scene,
    scale_scene,
    scatter_scene,
    selections_scene,
)
from ...figures.trimming_search import TrimmingSearch
from ...figures.trimming_tree import event_text, tree_scene
from ...widgets.page_layout import PLAYED
from ...widgets.text import charge_text, counted, percent_text
from .figures import Scatter
from .log import SearchLog
from .state import EMPTY, UNSEARCHED, TrimmingState

MOVED = "pan,wheel_zoom,box_zoom,reset"


class TreeView(SceneView):
    """The search as far as it is shown; the way to the best so far is drawn bold."""

    state = param.ClassSelector(class_=TrimmingState)

    called = "tree"
    height = 430
    style = PLAYED
    tools = MOVED
    roomy = ("bounds below",)
    follows = ("arrived", "position", "log", "is_folded")

    def scene(self) -> Scene | None:
        """Return the tree; an empty one before there is a search."""
        state, log = self.state, self.state.log
        if log is None:
            said = EMPTY if state.opened is None else UNSEARCHED
            return tree_scene(TrimmingSearch(), 0, said=said)
        return tree_scene(
            log,
            state.n_shown,
            is_folded=state.is_folded,
            unit=log.question.unit,
            said=self._said(log),
        )

    def _said(self, log: SearchLog) -> str:
        event = self.state.shown()
        if event is None:
            return "Nothing has happened yet."
        at = f"{self.state.n_shown} of {len(log.events)}. {event_text(event)}."
        if log.n_nodes > len(log.first_events):
            at += (
                f" The first {len(log.first_events)} of {log.n_nodes} nodes are drawn "
                "and can be played; all are searched."
            )
        tree = log.tree(is_folded=self.state.is_folded)
        n_hidden = sum(tree.hidden(log.nodes_upto(self.state.n_shown)).values())
        if n_hidden:
            at += f" {n_hidden} nodes are collapsed: +5 stands where 5 are below."
        return at


class NetworkView(SceneView):
    """Arrows from parents to children; what the best trimming sees is filled."""

    state = param.ClassSelector(class_=TrimmingState)

    called = "network"
    height = 430
    style = PLAYED
    tools = "pan,wheel_zoom,reset"
    legend = ""
    follows = (
        *("opened", "target", "features", "charging", "costs"),
        *("arrived", "position"),
    )

    def __init__(self, **params: Any) -> None:
        self._drawn: Any = None
        super().__init__(**params)

    def scene(self) -> Scene | None:
        """Return the network; None where it is shown already."""
        state = self.state
        if not state.is_filled:
            return empty_network(EMPTY) if self._drawn is None else None
        best = state.best()
        kept = frozenset(best.features if best is not None else ())
        prices = dict(zip(state.features, state.prices().alone(), strict=True))
        found = None if best is None else kept
        drawn = (state.opened, state.target, found, tuple(prices.items()), state.unit)
        if drawn == self._drawn:
            return None
        self._drawn = drawn
        return network_scene(
            state.network(),
            state.opened.places,
            state.target,
            prices,
            kept,
            state.unit,
            self._said(len(kept)),
        )

    def taps(self) -> Mapping[str, Callable[[int], None]]:
        """Pick the feature that is tapped, to edit its cost."""

        def pick(at: int) -> None:
            self.state.picked = self._shown["features"].columns["name"][at]

        return {"features": pick}

    def _said(self, n_kept: int) -> str:
        state = self.state
        n_features = counted(len(state.features), "feature")
        kept = f"Filled: the {n_kept} of {n_features} that the best trimming keeps. "
        return (
            f"Diamond: {state.target}, which is told. "
            f"{'' if state.best() is None else kept}"
            f"{state.left_out()}Click a feature to edit its cost under Tune."
        )


class BestLine(SceneView):
    """The best so far and its bound, event by event; they meet where it is proved."""

    state = param.ClassSelector(class_=TrimmingState)

    called = "best"
    height = 250
    follows = ("arrived", "position", "log")

    def scene(self) -> Scene | None:
        """Return both lines, and where the film is."""
        state, log, best = self.state, self.state.log, self.state.best()
        if log is None or best is None:
            return None
        other = percent_text(max(best.bound, best.agreement))
        lines = log.best_lines()
        return best_scene(
            *(lines[0], lines[1], state.n_shown),
            f"Solid: best so far, {percent_text(best.agreement)}. Dashed: what another "
            f"set may still reach, {other}.",
        )


class ThresholdScale(SceneView):
    """Agreement over all new thresholds T', the best shaded, T as a dashed line."""

    state = param.ClassSelector(class_=TrimmingState)

    called = "scale"
    height = 250
    follows = ("arrived", "position", "log")

    def scene(self) -> Scene | None:
        """Return the steps of the best trimming so far."""
        log, best = self.state.log, self.state.best()
        if log is None or best is None:
            return None
        threshold = log.question.threshold
        said = "holds" if threshold in best.threshold_interval else "does not hold"
        return scale_scene(
            best,
            self.state.instances(),
            threshold,
            f"Shaded: any new threshold in {best.threshold_interval} agrees most. It "
            f"{said} the original T = {number(threshold)} (dashed).",
        )


class ScatterView(SceneView):
    """Agreement against accuracy of every affordable set, and its front (Fig. 5)."""

    result: Any = param.ClassSelector(class_=Scatter, allow_None=True)

    called = "scatter"
    tools = MOVED
    follows = ("result",)

    def scene(self) -> Scene | None:
        """Return the cloud, the front, and the best in each."""
        found = self.result
        if found is None:
            return None
        subsets, n_sets = found.subsets, len(found.accuracies)
        front = np.flatnonzero(found.front)
        names = [", ".join(found.names(row)) or "no feature" for row in range(n_sets)]
        return scatter_scene(
            np.column_stack([subsets.agreements, found.accuracies]),
            names,
            [charge_text(cost, found.unit) for cost in subsets.costs],
            shown=found.drawn().tolist(),
            front=front[np.argsort(subsets.agreements[front])].tolist(),
            best=subsets.best,
            most_accurate=found.most_accurate,
            said=scatter_text(found),
        )


def scatter_text(found: Scatter) -> str:
    """Return what the cloud shows, in words."""
    n_sets, n_drawn = len(found.accuracies), len(found.drawn())
    drawn = f"{n_sets} affordable sets"
    if n_drawn < n_sets:
        drawn = f"{n_drawn} of {n_sets} sets are drawn"

    def told(row: int) -> tuple[str, str]:
        return (
            percent_text(float(found.subsets.agreements[row])),
            percent_text(float(found.accuracies[row])),
        )

    star, square = told(found.subsets.best), told(found.most_accurate)
    text = (
        f"{drawn}; accuracy: {found.judged_on}. Star: best agreement, {star[0]} "
        f"(accuracy {star[1]}). Square: best accuracy, {square[1]} (agreement "
        f"{square[0]}). Line: no set beats these {int(found.front.sum())} in both."
    )
    if not found.tested:
        return text
    on_rows = [
        f"{name} agrees {percent_text(one.agreement)}, accuracy "
        f"{percent_text(one.accuracy)}"
        for name, one in zip(("star", "square"), found.tested, strict=True)
    ]
    return f"{text} On test rows: {'; '.join(on_rows)}."


class ThresholdsView(SceneView):
    """Agreement over thresholds, one line a way to choose features (Fig. 7)."""

    result = param.List(default=[], item_type=Comparison)

    called = "thresholds"
    tools = MOVED
    follows = ("result",)

    def scene(self) -> Scene | None:
        """Return what has been compared."""
        found = self.result
        return selections_scene(found, _compared(found)) if found else None


def _compared(found: list[Comparison]) -> str:
    better = 1e-9
    over_sdd = sum(
        one.trimmed.agreement > one.same_decision.agreement + better for one in found
    )
    over_gain = sum(
        one.trimmed.agreement > one.information.agreement + better for one in found
    )
    widest = max(one.trimmed.agreement - one.information_agreement for one in found)
    return (
        f"Of {len(found)} thresholds ECA-Trim agrees more than FS-SDD at {over_sdd} "
        f"and more than the most informative set with its best T' at {over_gain}; with "
        f"T kept, that set falls behind by up to {number(100 * max(0.0, widest))} "
        "points. It is never below: that is a theorem, not a finding."
    )
