"""The trimming page: which few features decide as all of them do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import panel as pn

from solvers.errors import counted

from ...compute.jobs import READ_SECONDS
from ...compute.sandbox import sandboxed
from ...session.context import Context
from ...session.footprint import FootprintPart
from ...session.own_files import opened_file
from ...session.page import PageParts, SessionPage, is_another_table
from ...stage.frame import drawers, question_row, staged, strip
from ...widgets.controls import NO_BUBBLE, SLIDER_HEIGHT, bind, write_costs
from ...widgets.page_layout import framed, messages, pictures
from ...widgets.parts import wide_column
from ...widgets.positions import tidy
from ...widgets.text import charge_text, plain
from ...widgets.ui import pmui
from . import QUESTION
from .controls import Player, TrimmingControls
from .queries import ASKED, FURTHER, SEARCH
from .scenes import BestLine, NetworkView, ThresholdScale, TreeView
from .sources import (
    FILE,
    SESSION,
    OpenedNetwork,
    OpenRequest,
    drawn_table,
    open_network,
)
from .state import TrimmingState
from .tables import InstancesTable, PublishedTable, figure_parts
from .take_away import deployable, take_trimming_away
from .words import TrimmingSummary, TrimmingText

REOPEN = ["files", "source", "model", "n_columns", "n_bins"]
# Finer than this nobody moves a slider.
BUDGET_STEPS = 200
ABOUT = (
    "A Bayesian-network classifier says positive where the probability of the positive "
    "state, given all features, is at least the threshold T. A trimming sees only the "
    "features that the budget B pays for and has a threshold of its own, T'. ECA-Trim "
    "finds the trimming that most often decides as the original. The tree is its "
    "branch-and-bound search: it includes or excludes one feature after the other, and "
    "cuts where the bound MPA says that nothing below can beat the best agreement "
    "(MAA) so far: what is cut is a grey wedge, what the budget never pays for is "
    "hatched. Step through it, or move T and B and watch it search again."
)


class TrimmingPage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "trimming"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = TrimmingState(dataset=session.dataset)
        self.opening = context.job()
        self.search, self.further = self._asks(SEARCH), self._asks(FURTHER)
        self._views = self._build_views()
        self._figures = figure_parts(context, self.state)
        self._budget = self._build_budget()
        session.param.watch(self._dataset_changed, "dataset")
        session.param.watch(lambda *_: self.state.pause(), "page")
        self.state.param.watch(self._source_changed, "source")
        self.state.param.watch(lambda *_: self._name(), ["opened", "dataset"])
        self.state.param.watch(lambda *_: self.reopen(), REOPEN)
        self.state.param.watch(lambda *_: self._refuse_nothing(), list(ASKED))

    def parts(self) -> PageParts:
        """Return the page, its drawer, what starts it and what a link restores."""
        return replace(
            super().parts(),
            follow=self.state.keep_question,
            restored=self.state.restore_question,
        )

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Open and search what is not there yet."""
        self.reopen()
        super().start()

    def reopen(self) -> None:
        """Open the network that is asked for, unless it is open."""
        request = self.state.open_request()
        if request == self.state.opened_with:
            self.opening.cancel()  # of what was asked for in between
        elif self._is_in_front:
            self._open(request)

    def open_file(self, name: str, content: bytes) -> None:
        """Open a person's file; what is refused changes nothing."""
        file = opened_file("network", name, content)
        self._open(OpenRequest(FILE, file=file), is_new=True)

    def _open(self, request: OpenRequest, *, is_new: bool = False) -> None:
        def arrived(found: list[OpenedNetwork]) -> None:
            if is_new:
                self.state.forget()
            self.state.take(found[-1], request)

        self.opening.submit(
            lambda: (
                sandboxed(open_network, request)
                if request.source == FILE
                else open_network(request)
            ),
            arrived,
            seconds=READ_SECONDS,
        )

    def open_table(self) -> None:
        """Let every page ask about the network that is open: by rows drawn from it."""
        opened = self.state.opened
        self.opening.submit(
            lambda: iter([drawn_table(opened)]),
            lambda found: self.context.session.open(found[-1]),
        )

    def _refuse_nothing(self) -> None:
        if self.state.opened is not None and not self.state.features:
            self.search.message = "No feature is ticked; tick at least one."

    # ------------------------------------------------------------------------ reacting

    def _name(self) -> None:
        """Let the bar say what is asked about, where that is not the open problem."""
        state, opened = self.state, self.state.opened
        is_another = state.source != SESSION and not state.is_of_network()
        self._asks_about(opened.title if opened and is_another else "")

    def _source_changed(self, _: Any) -> None:
        before = self.state.opened_with
        # A link names the network first, and its question with it: that stays.
        if before is not None and self.state.open_request() != before:
            self.state.forget()

    def _dataset_changed(self, event: Any) -> None:
        self.state.dataset = event.new
        if self.state.source == SESSION:
            self.reopen()
        elif self.state.is_of_network(event.new):
            if self.state.charging == "hypergraph":  # at other prices
                self.state.param.trigger("charging")
        elif is_another_table(event):
            self.state.source = SESSION
        elif self.state.charging == "hypergraph":
            self.state.charging = "ones"

    def _tuned(self) -> Any:
        return TrimmingControls(
            self.state, self.opening, self.open_file, self.open_table
        )

    # ----------------------------------------------------------------------- laying out

    def _build_views(self) -> dict[str, Any]:
        state = self.state
        return {
            **self._made(
                network=NetworkView,
                tree=TreeView,
            ),
            "summary": TrimmingSummary(state=state, busy=self.search.param.busy),
        }

    def _build_threshold(self) -> Any:
        widget = pmui.FloatSlider(
            label="Decision threshold T", start=0.0, end=1.0, step=0.01, **_SLIDER
        )
        self._wait_with(widget)
        return bind(
            widget,
            self.state,
            "threshold",
            shown=lambda v: 0.5 if v is None else v,
            stored=tidy,
        )

    def _wait_with(self, widget: Any) -> None:
        """Show no value of a slider before there is a question."""

        def show(*_: Any) -> None:
            is_open = self.state.opened is not None
            widget.param.update(disabled=not is_open, show_value=is_open)

        self.state.param.watch(show, "opened")
        show()

    def _build_budget(self) -> Any:
        widget = pmui.FloatSlider(
            label="Feature budget B", start=0.0, end=1.0, step=0.01, **_SLIDER
        )

        self._wait_with(widget)

        def fit(*_: Any) -> None:
            state, total = self.state, self.state.total_cost()
            if state.opened is None or state.budget is None or total <= 0:
                return
            whole = all(float(cost).is_integer() for cost in state.prices().alone())
            step = 1.0 if whole and not state.unit else total / BUDGET_STEPS
            write_costs(widget, state.unit)
            widget.param.update(
                end=total,
                step=step,
                value=min(state.budget, total),
            )

        # Before the value comes the range in which it lies.
        names = ["opened", "features", "charging", "costs", "budget"]
        self.state.param.watch(fit, names)
        return bind(
            widget,
            self.state,
            "budget",
            shown=lambda v: 0.0 if v is None else v,
            stored=tidy,
        )

    def _main(self) -> Any:
        views, figures = self._views, self._figures
        tree = wide_column(Player(self.state), views["tree"])
        return staged(
            question_row(self.question, ABOUT),
            strip(self._build_threshold(), self._budget),
            (tree, ""),
            (views["network"], ""),
            answer=[views["summary"]],
            working=[(self.opening, "Opening the network"), (self.search, "Searching")],
            messages=messages(self.opening, self.search),
            below=drawers(
                self.state,
                {"figures": [*figures, *(part.title for part in figures.values())]},
                details=self._details,
                words=lambda: TrimmingText(state=self.state),
                figures=self._printed,
                away=self._away,
            ),
            line=self._line(),
        )

    def _details(self) -> Any:
        views = self._made(scale=ThresholdScale, best=BestLine)
        instances = InstancesTable(state=self.state)
        return pictures(
            (framed(views["scale"], "The new threshold, beside T"), 6),
            (framed(views["best"], "The best so far"), 6),
            (framed(instances, "What the kept features can show"), 12),
        )

    def _printed(self) -> Any:
        """Return what the paper prints, and its figures."""
        published = framed(
            PublishedTable(state=self.state),
            "As published, and what the printed tables give",
        )

        def show(*_: Any) -> None:
            opened = self.state.opened
            published.visible = opened is not None and bool(opened.published)

        self.state.param.watch(show, "opened")
        show()
        parts = self._figures.items()
        return pictures(
            (published, 12),
            *((framed(part.folded(self.state, name)), 12) for name, part in parts),
        )

    def _away(self) -> Any:
        footprint = FootprintPart(self.context, lambda: deployable(self.state))
        self.state.param.watch(footprint.forget, list(ASKED))
        return wide_column(take_trimming_away(self.state), footprint)

    def _line(self) -> Any:
        state = self.state.param
        return pn.bind(
            lambda *_: _network_line(self.state),
            state.opened,
            state.target,
            state.positive,
            state.features,
            state.charging,
            state.costs,
        )


_SLIDER = {
    **NO_BUBBLE,
    "value": 0.5,
    "sizing_mode": "stretch_width",
    "margin": (4, 12),
    "min_height": SLIDER_HEIGHT,
}


def _network_line(state: TrimmingState) -> str:
    if not state.is_filled:
        return "Opening the network."
    cost = charge_text(state.total_cost(), state.unit)
    others = state.left_out().strip()
    return plain(
        f"{state.opened.title}: {len(state.network().states)} variables, "
        f"{len(state.features)} features that cost {cost} together; positive where "
        f"Pr({state.target} = {state.positive} | features) ≥ T. {others}"
        + _noted(state.network().notes)
    )


def _noted(notes: Sequence[str]) -> str:
    """Return what was mended in reading a network: the first sentence, and how many."""
    if not notes:
        return ""
    others = len(notes) - 1
    more = f" So were those of {counted(others, 'other table')}." if others else ""
    return f" {notes[0]}{more}"


PAGE = TrimmingPage.page("Trimming", "content_cut", 40, TrimmingState)
