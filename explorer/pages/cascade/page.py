"""The cascade page: when a prediction is sure enough to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import panel as pn

from ...session.context import Context
from ...session.footprint import FootprintPart
from ...session.page import SessionPage, is_another_table
from ...stage.frame import drawers, question_row, staged, strip
from ...widgets.controls import choice
from ...widgets.page_layout import messages
from ...widgets.parts import wide_column
from ...widgets.text import cost_text, plain
from . import QUESTION
from .curves import CascadeTradeoff
from .parts import (
    ROUNDS,
    STAGES,
    TABLE_2,
    HypergraphCascadePart,
    MethodPart,
    ThresholdPart,
)
from .queries import HYPERGRAPH, RIVALS, THRESHOLD
from .state import METHODS, WAYS, CascadeState
from .take_away import deployable, take_away
from .training import SOURCES, TrainedCascade

ABOUT = (
    "A cascade computes features group by group, the next group only if the stage's "
    "classifier is not sure enough: a linear support vector machine (SVM) on all "
    "features so far (this is TEFE). The exit threshold says how sure is enough: "
    "moving it trains nothing, since one sort of the confidences gives cost and "
    "accuracy at every threshold. The slider counts in quantiles of the confidences of "
    "validation rows; all numbers are of test rows. The static prefix is the honest "
    "yardstick: the same SVMs, one of them for every row. Columns are centred and "
    "scaled by the training rows first."
)
# Names and headings of what stands in the drawers.
HOLDS = {
    "details": (STAGES, "Stages", ROUNDS, TABLE_2, "Run one prediction"),
}


class CascadePage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "cascade"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = CascadeState(session_dataset=session.dataset)
        self.state.settle_by(context.settle())
        training = self._asks(THRESHOLD)
        self.rivals = self._asks(RIVALS)
        behind = self._asks(HYPERGRAPH, is_turn=self._may_train_hypergraph)
        for job in (training, self.rivals):
            job.param.watch(lambda *_: behind.ask(), "busy")
        self.threshold = ThresholdPart(context, self.state, training)
        self.hypergraph = HypergraphCascadePart(context, self.state, behind)
        self.parts_by_way = {"tefe": self.threshold, "hypergraph": self.hypergraph}
        self.tradeoff = CascadeTradeoff(state=self.state, dark=session.param.dark)
        self.threshold.drag(self.tradeoff)
        session.param.watch(self._dataset_changed, "dataset")

    def _may_train_hypergraph(self) -> bool:
        """Return whether it is looked at, or is a rival and all others have come."""
        state, others = self.state, (self.threshold.training, self.rivals)
        is_last = state.cascade is not None and not any(job.busy for job in others)
        return bool(state.way == "hypergraph" or is_last)

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.state.session_dataset = event.new
        if is_another_table(event):
            self.state.source = "session"

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        exits = {way: p.views["stages"] for way, p in self.parts_by_way.items()}
        parts = self.parts_by_way
        return staged(
            question_row(self.question, ABOUT),
            strip(
                (self._by_way({way: p.strip() for way, p in parts.items()}), 6, 420),
                # Narrow, so that names of sliders stand on one line.
                (
                    choice(
                        self.state,
                        "way",
                        "Exit rule",
                        WAYS,
                        size="small",
                        min_height=44,
                    ),
                    *(0, 165),
                ),
            ),
            (self._by_way(exits), "Where each test row leaves"),
            (self.tradeoff, "Accuracy against cost, all thresholds"),
            answer=[self._of_each(lambda part: part.views["summary"])],
            working=[(p.training, p.training_label) for p in parts.values()],
            messages=messages(*(p.training for p in parts.values()), self.rivals),
            below=drawers(
                self.state,
                HOLDS,
                details=lambda: self._of_each(lambda part: part.details()),
                words=lambda: self._of_each(lambda part: part.views["words"]),
                figures=self._figures,
                away=self._away,
            ),
            line=pn.bind(_data_line, self.state.param.cascade),
        )

    def _away(self) -> Any:
        footprint = FootprintPart(self.context, lambda: deployable(self.state))
        self.state.param.watch(footprint.forget, "way")
        for method in METHODS:
            self.state.watch_rests(method, footprint.forget)
        script = self._of_each(lambda part: part.script())
        return wide_column(take_away(self.state), footprint, script)

    def _figures(self) -> Any:
        """Return the figures of the paper, which is on the cascade of one threshold."""
        way = self.state.param.way
        return wide_column(self.threshold.figures, visible=way.rx() == "tefe")

    def _of_each(self, content: Callable[[MethodPart], Any]) -> Any:
        """Return what both exit rules have, of which one is seen."""
        return self._by_way(
            {way: content(part) for way, part in self.parts_by_way.items()}
        )

    def _by_way(self, contents: Mapping[str, Any]) -> Any:
        """Return all of some parts, of which one is seen: that of the exit rule."""
        shown = {way: wide_column(content) for way, content in contents.items()}

        def show(*_: Any) -> None:
            for way, part in shown.items():
                part.visible = way == self.state.way

        self.state.param.watch(show, "way")
        show()
        return wide_column(*shown.values())

    def _tuned(self) -> Any:
        sources = {title: name for name, title in SOURCES.items()}
        return wide_column(
            choice(self.state, "source", "Data", sources),
            self._of_each(lambda part: part.tuned()),
        )


def _data_line(cascade: TrainedCascade | None) -> str:
    if cascade is None:
        return "Data: being read."
    data, rows = cascade.dataset, cascade.split.rows
    features, n_columns = f"{data.n_features} features", cascade.n_columns
    if n_columns != data.n_features:
        features += f", learned from as {n_columns} columns,"
    counts = ", ".join(f"{len(rows[part])} {part}" for part in rows)
    return plain(
        f"Data: {data.name}, {len(data.classes)} classes, {features} "
        f"in {len(cascade.stage_names)} stages, "
        f"{cost_text(cascade.full_cost, data.unit)} for all; rows: {counts}. Stages "
        f"trained in {cascade.seconds:.2f} s. {data.costs_note}"
    )


PAGE = CascadePage.page("Early exit", "stairs", 30, CascadeState)
