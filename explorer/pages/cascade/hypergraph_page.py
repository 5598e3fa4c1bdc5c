"""The part of the cascade page where rows leave a hypergraph cascade."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import CustomJSTickFormatter
from numpy.typing import NDArray

from ...session.context import Context
from ...widgets.controls import bind, choice
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import framed, pictures, progress_row
from ...widgets.text import cost_text, plain
from .hypergraph_bands import HypergraphBands
from .hypergraph_exits import HypergraphExits
from .hypergraph_journey import HypergraphJourney
from .hypergraph_state import BUYING, MODELS, OBJECTIVES, ROUTINGS
from .hypergraph_text import HypergraphStageTable, HypergraphSummary
from .hypergraph_timing import HypergraphTiming
from .hypergraph_training import (
    HypergraphRun,
    TrainedHypergraph,
    run_hypergraph,
    train_hypergraph,
)
from .parts import journey_part, timing_part
from .state import CascadeState

__all__ = ["HYPERGRAPH_LINK", "RETRAIN_HYPERGRAPH", "HypergraphPart"]

WIDE = {"sizing_mode": "stretch_width"}
RETRAIN_HYPERGRAPH = [
    "source",
    "session_dataset",
    "buying",
    "model",
    "routing",
    "objective",
]
HYPERGRAPH_LINK = {
    "way": "way",
    "budget": "share",
    "buying": "buys",
    "model": "model",
    "routing": "routing",
    "objective": "objective",
}
ABOUT = (
    "Features are bought in the order of what they explain per cost that they add. "
    "After each stage one calibrated score u says how sure the answer is. Rows whose "
    "score lies in the band go on; all others leave. The bands are solved backwards "
    "from the last stage, so that expected errors plus a price of time are least. One "
    "training gives a set of such policies; the budget looks one up and trains nothing."
)
_OF_ALL = CustomJSTickFormatter(
    code="return (100 * tick).toFixed(1) + ' % of what all features cost'"
)


class HypergraphPart:
    """Controls, computations and pictures of the hypergraph cascade."""

    def __init__(self, context: Context, state: CascadeState) -> None:
        self.state, self._post = state, context.post
        self.training, self.timing = context.job(), context.job()
        both = {"state": state, "dark": context.session.dark}
        self.views: dict[str, Any] = {
            "exits": HypergraphExits(**both),
            "bands": HypergraphBands(**both),
            "journey": HypergraphJourney(**both),
            "stages": HypergraphStageTable(**both),
            "timing": HypergraphTiming(**both),
            "summary": HypergraphSummary(state=state),
        }

    # ----------------------------------------------------------------------- computing

    def retrain(self) -> None:
        """Train the cascade that is asked for, unless it is at hand."""
        request = self.state.hyper_request()
        if request is None:
            self.training.cancel()
            return

        def arrived(items: list[float | TrainedHypergraph]) -> None:
            for item in items:
                if isinstance(item, TrainedHypergraph):
                    self.state.take_hyper(item)
                else:
                    self.training.progress = item

        self.training.submit(lambda: train_hypergraph(request), arrived)

    def run_one(self) -> None:
        """Run one prediction on a raw sample."""
        trained, number = self.state.hyper, self.state.policy
        if trained is None:
            return
        count = len(self.state.hyper_runs)

        def arrived(items: list[float | HypergraphRun]) -> None:
            runs = [item for item in items if isinstance(item, HypergraphRun)]
            self.state.take_hyper_runs(runs)
            self.timing.progress = 1.0 if runs else items[-1]

        self.timing.submit(lambda: run_hypergraph(trained, number, count), arrived)

    # ---------------------------------------------------------------------- laying out

    def head(self) -> Any:
        """Return the budget, what it buys, and how far training is."""
        slider = pmui.FloatSlider(
            label="Runtime budget",
            start=0.0,
            end=1.0,
            step=0.005,
            value=0.3,
            format=_OF_ALL.clone(),
            margin=(4, 12),
            **WIDE,
        )
        return pn.Column(
            bind(slider, self.state, "budget"), self.views["summary"], **WIDE
        )

    def progress(self) -> Any:
        """Return how far training is, and what went wrong."""
        return pn.Column(
            progress_row(self.training, "Training the hypergraph cascade"),
            Message(text=self.training.param.message),
            **WIDE,
        )

    def controls(self) -> Any:
        """Return the knobs, each of which trains again."""
        state = self.state
        return pn.Column(
            choice(state, "buying", "Feature order", BUYING),
            choice(state, "model", "Model of a stage", MODELS),
            choice(state, "routing", "Routing before the first stage", ROUTINGS),
            choice(state, "objective", "Objective", OBJECTIVES),
            **WIDE,
        )

    def grid(self) -> Any:
        """Return the pictures that the threshold's cascade does not have."""
        views, post = self.views, self._post
        journey = journey_part(
            self.state, views["journey"], post, self._n_stops, self._wrong_rows
        )
        timing = timing_part(self.run_one, self.timing, views["timing"], post)
        line = pn.bind(_training_line, self.state.param.hyper)
        about = markup(f"<p>{ABOUT}</p>"), markup(line)
        bands = pn.Column(*about, views["bands"], **WIDE)
        return pictures(
            (framed(bands, "Between which scores rows go on"), 12),
            (framed(journey, "One row's way"), 7),
            (framed(timing, "Run one prediction"), 5),
            (framed(views["stages"], "Stages"), 12),
        )

    def _n_stops(self) -> int:
        journey = self.state.hyper_journey()
        return 1 if journey is None else len(journey.stops)

    def _wrong_rows(self) -> NDArray[np.int_]:
        trained, picture = self.state.hyper, self.state.hyper_picture
        if trained is None or picture is None:
            return np.empty(0, dtype=int)
        exits = trained.replay.exits(picture.policy)
        right = trained.replay.right(picture.policy)
        return np.flatnonzero(~right[np.arange(len(exits)), exits])


def _training_line(trained: TrainedHypergraph | None) -> str:
    if trained is None:
        return "<p>The first cascade is being trained.</p>"
    model, unit = trained.model, trained.dataset.unit
    leaves = max(member.tree.n_leaves for member in model.members_)
    split = "" if leaves == 1 else f" One of them has {leaves} leaves."
    words = (
        f"Trained in {trained.seconds:.1f} s: {model.n_policies_} policies of "
        f"{len(model.members_)} cascades were compared on held-out training rows, "
        f"{len(model.policies_)} are left.{split} All features: "
        f"{cost_text(trained.full_cost, unit)}. Bars of a stage are scaled to its own "
        "longest; right answers lie to the right of its middle, wrong ones to the "
        "left; scores beyond the picture count at its ends."
    )
    return f"<p>{plain(words)}</p>"
