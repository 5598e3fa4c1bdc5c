"""The part of the cascade page where rows leave a hypergraph cascade."""

from __future__ import annotations

from typing import Any

import panel as pn
from bokeh.models import CustomJSTickFormatter

from ...compute.query import Asker
from ...session.context import Context
from ...widgets.controls import choice, share_slider
from ...widgets.markup import markup
from ...widgets.page_layout import framed, pictures
from ...widgets.parts import wide_column
from ...widgets.text import cost_text, plain
from .hypergraph_bands import HypergraphBands
from .hypergraph_training import TrainedHypergraph
from .method_part import MethodPart
from .state import BUYING, MODELS, OBJECTIVES, ROUTINGS, CascadeState

ABOUT = (
    "Features are bought in the order of what they explain per cost that they add. "
    "After each stage one score u says how sure the answer is. Rows whose "
    "score lies in the band go on; all others leave. The bands are solved backwards "
    "from the last stage, so that expected errors plus a price of time are least. One "
    "training gives a set of such policies; the budget looks one up and trains nothing."
)
_OF_ALL = CustomJSTickFormatter(
    code="return (100 * tick).toFixed(1) + ' % of what all features cost'"
)


class HypergraphCascadePart(MethodPart):
    """Controls, computations and pictures of the hypergraph cascade."""

    method = "hypergraph"
    training_label = "Training the hypergraph cascade"

    def __init__(self, context: Context, state: CascadeState, training: Asker) -> None:
        super().__init__(context, state, training)
        self.views["bands"] = HypergraphBands(**self.both)

    def strip(self) -> Any:
        """Return the budget, which is played with."""
        return share_slider(self.state, "budget", "Runtime budget", 0.005, _OF_ALL)

    def tuned(self) -> Any:
        """Return the knobs, each of which trains again."""
        state = self.state
        return wide_column(
            choice(state, "buying", "Feature order", BUYING),
            choice(state, "model", "Model of a stage", MODELS),
            choice(state, "routing", "Routing before the first stage", ROUTINGS),
            choice(state, "objective", "Objective", OBJECTIVES),
        )

    def details(self) -> Any:
        """Return the pictures that the threshold's cascade does not have."""
        line = pn.bind(_training_line, self.state.param.hyper)
        about = markup(f"<p>{ABOUT}</p>"), markup(line)
        bands = wide_column(*about, self.views["bands"])
        return pictures(
            (framed(bands, "Between which scores rows go on"), 12),
            (framed(self.journey(), "One row's way"), 7),
            (framed(self.prediction(), "Run one prediction"), 5),
            self.bill(),
            (self.stages(), 12),
        )


def _training_line(trained: TrainedHypergraph | None) -> str:
    if trained is None:
        return "<p>The first cascade is being trained.</p>"
    model, unit = trained.model, trained.dataset.unit
    leaves = max(member.tree.n_leaves for member in model.members_)
    split = "" if leaves == 1 else f" One of them has {leaves} leaves."
    words = (
        f"Trained in {trained.seconds:.1f} s: {model.n_policies_} policies of "
        f"{len(model.members_)} cascades were compared on held-out training rows; "
        f"{len(model.policies_)} are left.{split} All features: "
        f"{cost_text(trained.full_cost, unit)}. Bars of a stage are scaled to its own "
        "longest; right answers lie to the right of its middle, wrong ones to the "
        "left; scores beyond the picture count at its ends."
    )
    return f"<p>{plain(words)}</p>"
