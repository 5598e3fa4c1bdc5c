"""The structured-costs page: when does it pay to classify linked things together."""

from __future__ import annotations

from typing import Any

import panel as pn

from solvers.papers.csmn import FIGURES

from ...session.context import Context
from ...session.page import SessionPage
from ...session.study_part import StudyPart
from ...session.take_away import script_view
from ...stage.frame import drawers, question_row, staged, strip
from ...widgets.controls import button
from ...widgets.folds import Fold
from ...widgets.page_layout import framed, messages, pictures
from ...widgets.parts import wide_column
from ...widgets.text import plain
from . import QUESTION
from .controls import OwnDataDialog, StructuredControls
from .curves import CostCurve, CurveTable, TracePlot, TraceText
from .graph import CostliestMistakes, GraphPicture
from .methods_table import HealthBadges, MethodTable, PaidSummary
from .queries import COMPARED, CURVE
from .state import StructuredState
from .take_away import structured_script

ABOUT = (
    "Each node has a label to be found, and each mistake costs: on the node, and on "
    "its links, where the cost depends on both ends. LOGREG looks at each node by "
    "itself; MN, a Markov network, also at what links say; CSMN scales what nodes and "
    "links say by what mistakes there cost. Grown graphs have a disc of nodes for each "
    "true label, so a mark of the other colour is a mistake, and links between the "
    "discs join labels that differ. Label agreement ρ says how often links join equal "
    "labels. Three graphs are grown; each is tested on once, by what was learned from "
    "the other two. No method pays least everywhere: the curve shows where each does."
)
# Above this a curve takes minutes: it waits for its button.
MAX_CURVE_NODES = 600
# What the curve's table is called among the open panels.
NUMBERS, CURVE_NUMBERS = "numbers", "The curve in numbers"


class StructuredPage(SessionPage):
    """The page of one session."""

    name = "structured"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.state = StructuredState()
        self.claims = StudyPart(context, FIGURES)
        self.dialog = OwnDataDialog(context, self.state)
        # First, for a scene may ask for it anew; it would lie over one that does not.
        self.state.param.watch(lambda *_: self.dialog.close(), "scene")

        def seen() -> bool:
            return self._is_in_front

        self.fits = context.asker(COMPARED, self.state, is_in_front=seen, then=self._go)
        self.curves = context.asker(CURVE, self.state, is_in_front=seen)
        self.controls = StructuredControls(self.state)
        dark = context.session.param.dark
        self._views: dict[str, Any] = {
            "graph": GraphPicture(state=self.state, dark=dark),
            "costliest": CostliestMistakes(state=self.state, dark=dark),
            "summary": PaidSummary(state=self.state),
            "methods": MethodTable(state=self.state, dark=dark),
            "health": HealthBadges(state=self.state),
            "curve": CostCurve(state=self.state, dark=dark, comes=self._comes()),
            "curve table": CurveTable(state=self.state, dark=dark),
            "trace": TracePlot(state=self.state, dark=dark),
            "trace text": TraceText(state=self.state),
        }
        self.state.param.watch(lambda *_: self.curves.ask(), ["curve_over", "n_seeds"])
        self.fits.param.watch(self._begun, "busy")

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what is not there yet."""
        self.fits.ask()

    def _begun(self, event: Any) -> None:
        """Let the curve wait until methods are compared at the new setting."""
        if event.new:
            self.curves.cancel()

    def _go(self) -> None:
        """Trace the curve once methods are compared, or ask for data of one's own."""
        if self.state.setting() is None:
            self._ask_for_data()
        elif self._is_quick():
            self.curves.ask()

    def _ask_for_data(self) -> None:
        if self.state.unread():
            self.dialog.read_again()
        else:
            self.dialog.open()

    def _is_quick(self) -> bool:
        is_grown = self.state.scene in ("growth", "small")
        return not is_grown or self.state.n_nodes <= MAX_CURVE_NODES

    def _comes(self) -> Any:
        """Return whether the curve is traced, or will be after what is computed now."""
        return pn.bind(
            lambda compares, traces: traces or (compares and self._is_quick()),
            self.fits.param.busy,
            self.curves.param.busy,
        )

    def _waits_for_hand(self) -> Any:
        """Return whether the curve can be asked for, and is not being traced."""
        return pn.bind(
            lambda scene, traces: scene != "own" and not traces,
            self.state.param.scene,
            self.curves.param.is_slow,
        )

    def _tuned(self) -> Any:
        return self.controls.tuned()

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        views = self._views
        trace_now = button(
            "Trace the curve",
            self.curves.ask,
            icon="timeline",
            visible=self._waits_for_hand(),
        )
        curve = wide_column(views["curve"], trace_now)
        bring = button("Own data", self.dialog.open, icon="upload_file", margin=(0, 4))
        return staged(
            question_row(self.question, ABOUT, bring),
            strip(*self.controls.above()),
            (views["graph"], ""),
            (curve, "Where each method pays least"),
            answer=[views["summary"]],
            working=[
                (self.fits, "Comparing methods"),
                (self.curves, "Tracing the curve"),
            ],
            messages=messages(self.fits, self.curves),
            below=[
                *drawers(
                    self.state,
                    {
                        "details": (NUMBERS, CURVE_NUMBERS),
                        "figures": ("claims",),
                    },
                    details=self._details,
                    figures=self.claims,
                    away=lambda: script_view(
                        "thriftscope_structured.py",
                        lambda: structured_script(self.state),
                    ),
                ),
                self.dialog,
            ],
            line=pn.bind(_data_line, self.state.param.run),
        )

    def _details(self) -> Any:
        views = self._views
        numbers = Fold(CURVE_NUMBERS, views["curve table"], self.state, NUMBERS)
        methods = wide_column(views["health"], views["methods"])
        trace = wide_column(views["trace"], views["trace text"])
        return pictures(
            (framed(methods, "All methods at this setting, test graphs only"), 7),
            (framed(trace, "Cost-sensitive inference, step by step"), 5),
            (framed(views["costliest"], "Costliest mistakes"), 12),
            (framed(numbers), 12),
        )


def _data_line(run: Any) -> str:
    if run is None:
        return "Growing graphs."
    graph, setting = run.graph(0), run.setting
    n = len(run.world.tests)
    shape = f"{graph.n_nodes} nodes, {graph.n_edges} links, {graph.n_labels} labels"
    if setting.scene == "own":
        return plain(
            f"Data: {setting.own.name}, three parts, the first of {shape}; "
            f"{setting.own.n_lost} links between parts are left out."
        )
    if setting.scene == "sensors":
        source = "made-up sensors" if setting.own is None else setting.own.name
        return plain(
            f"Data: {source}, {n} snapshots of {shape}; costs in units of electricity."
        )
    return plain(
        f"Data: {n} grown graphs, the first of {shape}; random costs, up to 2 on a "
        "node and up to 1 on a link."
    )


PAGE = StructuredPage.page(
    "Linked mistakes",
    "lan",
    60,
    StructuredState,
    "not asked about here: this page has a graph of its own",
)
