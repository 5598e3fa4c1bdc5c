"""An extractor that somebody brings, or one that comes along: traced and priced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from solvers import FeatureHypergraph, HypergraphFile
from solvers.datasets.extractors import (
    BundledExtractor,
    ExtractorProgress,
    MeasuredExtractor,
    all_extractors,
    measuring_extractor,
)

from ...document.recipes import DataRecipe, made
from ...session.answer_view import CopyButton
from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...session.problem import ProblemState
from ...session.verification import VerificationPlot
from ...widgets.controls import button
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.tables import DataTable
from ...widgets.text import cost_text, plain
from ...widgets.ui import pmui
from .files import HypergraphLoading

COMMAND = (
    "thriftscope trace my_module:features --samples raw.npy --inside my_package "
    "--out hypergraph.json"
)
ABOUT = (
    "<p>Features are computed by code that exists, and in it they share work that "
    "nobody declared. Tracing finds it, and measures what each part takes. Run this "
    "where your code lives; this server never runs code that somebody brings.</p>"
    f"<pre><code>{COMMAND}</code></pre>"
    "<p><code>features</code> is a function of a raw sample, a list of functions or a "
    "dictionary of them; <code>--inside</code> names packages whose functions are "
    "watched besides. It prints what is shared and writes a hypergraph:</p>"
)
TAKE_ALONG = (
    "The code stays with you: thriftscope export bundle.zip --format python --pipeline "
    "my_module:traced --out policy takes the trimmed extractor along, where my_module "
    "has traced = trace_extractor(features, samples)."
)
ALONG = "<h3>Watch one that comes along</h3>"


class BringingPart(OnDemandPart):
    """The command for one's own code, its result, and extractors to look on with.

    `problem`: where what was written, or computed, is opened.
    `show_drawing`: brings the drawing into view, where it is lit.
    """

    title = "Bring an extractor"
    label = "Trace, measure and verify"
    icon = "account_tree"
    doing = "Tracing, measuring, verifying"

    def __init__(
        self,
        context: Context,
        problem: ProblemState,
        show_drawing: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(context, **params)
        self._problem, self._show_drawing = problem, show_drawing
        self._extractors = all_extractors()
        self._found: MeasuredExtractor | None = None
        self.loading = HypergraphLoading(
            context, problem, "Load the hypergraph that it has written", self._tell
        )
        self._which = pmui.Select(
            label="Extractor",
            options={one.title: name for name, one in self._extractors.items()},
            value=next(iter(self._extractors)),
            width=320,
            margin=8,
        )
        self._which.param.watch(lambda _: self._offer(), "value")
        self._story = markup("")
        self._stage = markup("")
        look = {"icon": "open_in_new", "variant": "contained"}
        self._open = button("Open as the data set", self.open, **look)
        self._work = SharedWork(self._light, dark=context.session.param.dark)
        self.result.objects = [self._open, self._work]
        self.about.object = ABOUT
        self._offer()

    def controls(self) -> Any:
        """Return the command, where its result goes, and extractors to choose from."""
        return wide_column(
            CopyButton(label="Copy the command", text=COMMAND, margin=(0, 10)),
            self.loading,
            markup(ALONG, margin=(8, 10, 0, 10)),
            pn.FlexBox(self._which, self.start, align_items="center"),
            self._story,
            self._stage,
        )

    # --------------------------------------------------------------------- one's own

    def _tell(self, file: HypergraphFile) -> None:
        """Say what tracing has found, and light what is shared most; no code comes."""
        one = costliest_shared(file.hypergraph)
        notes = [one.sentence if one else "Nothing in it is shared."]
        self.loading.notes.text = " ".join([*notes, *file.notes, TAKE_ALONG])
        if one:
            self._light(one.component, one.sentence)

    # ------------------------------------------------------------------ coming along

    @property
    def _chosen(self) -> BundledExtractor:
        return self._extractors[self._which.value]

    def _offer(self) -> None:
        """Tell of the chosen extractor, and which extra is missing."""
        self.job.cancel()
        one, self.result.visible = self._chosen, False
        self._stage.object = ""
        missing = (
            "" if one.is_installed else f" Install thriftscope[{one.extra}] first."
        )
        self.start.visible = one.is_installed
        self._story.object = f"<p>{plain(one.about + missing)}</p>"

    def compute(self) -> None:
        """Trace, measure, verify and extract the chosen one."""
        chosen = self._chosen
        self.result.visible, self._found = False, None

        def arrived(steps: list[ExtractorProgress]) -> None:
            last = steps[-1]
            self.job.progress = last.share
            self._stage.object = f"<p>{plain(_stage_text(last))}</p>"
            if last.found is not None:
                self._show(chosen, last.found)

        self.job.submit(lambda: measuring_extractor(chosen), arrived, is_long=True)

    def _show(self, chosen: BundledExtractor, found: MeasuredExtractor) -> None:
        recipe = DataRecipe(chosen.dataset, dict(chosen.options))
        made(found.dataset, recipe, as_priced=False)
        self._found, self._stage.object = found, ""
        self._work.found = found
        self.result.visible = True

    def open(self) -> None:
        """Make what was extracted the data set, and light what is shared most."""
        if self._found is None:
            return
        self._problem.open_dataset(self._found.dataset)
        if self._work.rows:
            self._light(self._work.rows[0].component, self._work.rows[0].sentence)

    def _light(self, component: str, sentence: str) -> None:
        """Light a component in the drawing, where it is drawn, and say the sentence."""
        drawing = self._problem.editor.drawing
        names = drawing.hypergraph.components
        if component in names:
            node = drawing.component_ids[names.index(component)]
            self._problem.editor.point_at(node, sentence)
            self._show_drawing()


def _stage_text(progress: ExtractorProgress) -> str:
    stage = f"{progress.stage[:1].upper()}{progress.stage[1:]}"
    left = progress.seconds_left
    return f"{stage}." if left is None else f"{stage}, about {max(left, 1):.0f} s left."


MS = 1000.0  # microseconds
BUSY = 0.25  # of a time, between the quartiles: a quiet machine stays below a tenth


@dataclass(frozen=True)
class SharedRow:
    """A component that several features need."""

    component: str
    cost: float
    unit: str
    n_features: int
    calls: int  # How often they would compute it, each for itself

    @property
    def sentence(self) -> str:
        """The same in words."""
        is_long = self.unit == "us" and self.cost >= MS
        cost, unit = (self.cost / MS, "ms") if is_long else (self.cost, self.unit)
        return (
            f"{self.component}: {cost_text(cost, unit)}, behind {self.n_features} "
            f"features; they would compute it {self.calls} times."
        )


def costliest_shared(hypergraph: FeatureHypergraph) -> SharedRow | None:
    """Return the component that sharing saves most of; None where nothing is shared."""
    users = np.asarray(hypergraph.incidence.sum(axis=1)).ravel()
    saved = hypergraph.component_costs * (users - 1)
    if not saved.size or saved.max() <= 0:
        return None
    row = int(np.argmax(saved))
    cost, n = float(hypergraph.component_costs[row]), int(users[row])
    return SharedRow(hypergraph.components[row], cost, hypergraph.unit, n, n)


class SharedWork(Viewer):
    """A table of what is shared, most saved first; notes; predicted beside measured.

    `light`: takes a component and its sentence, when somebody picks it.
    """

    found: Any = param.ClassSelector(class_=MeasuredExtractor, allow_None=True)
    dark = param.Boolean(default=False, allow_refs=True)

    def __init__(self, light: Callable[[str, str], None], **params: Any) -> None:
        super().__init__(**params)
        self._light = light
        self.rows: list[SharedRow] = []
        self._said, self._notes = markup(""), markup("")
        self._table = DataTable(
            self._pick,
            caption="What features share",
            height=220,
            dark=self.param.dark,
            sizing_mode="stretch_width",
        )
        self._plot = VerificationPlot(dark=self.param.dark)
        self.param.watch(lambda _: self._write(), "found")

    def __panel__(self) -> Any:
        return wide_column(self._said, self._table, self._notes, self._plot)

    def _write(self) -> None:
        found: MeasuredExtractor | None = self.found
        if found is None:
            return
        rows = [
            SharedRow(one.component, one.cost, "us", len(one.features), one.calls)
            for one in found.shared
        ]
        self.rows = sorted(rows, key=lambda row: -row.cost * (row.calls - 1))
        self._said.object = f"<p>{plain(' '.join(self._summary(found)))}</p>"
        self._table.param.update(
            columns=["Shared", "Cost (µs)", "Features behind it", "Calls without it"],
            numbers=[False, True, True, True],
            rows=[
                [row.component, round(row.cost, 1), row.n_features, row.calls]
                for row in self.rows
            ],
            picked=-1,
        )
        self._table.visible = bool(self.rows)
        items = "".join(f"<li>{plain(note)}</li>" for note in found.notes)
        self._notes.object = f"<ul>{items}</ul>" if items else ""
        names = [f"{n} columns" for n in found.n_verified]
        self._plot.param.update(names=names, result=found.verification)

    def _summary(self, found: MeasuredExtractor) -> list[str]:
        whole = found.verification.measurement.hypergraph
        together = whole.total_cost
        repeated = sum(row.cost * (row.calls - 1) for row in self.rows)
        last = found.verification
        told = [self.rows[0].sentence] if self.rows else ["Nothing is shared."]
        told.append(
            f"All {whole.n_features} columns: {cost_text(together, 'us')} with what is "
            f"shared computed once, {cost_text(together + repeated, 'us')} with each "
            "feature for itself."
        )
        told.append(
            f"Trimmed to random selections it took {last.ratio.min():.2f} to "
            f"{last.ratio.max():.2f} times what was predicted "
            f"({last.measurement.machine})."
        )
        spread = float(np.median(last.spread / last.measured))
        if spread > BUSY:
            told.append(
                "This machine was busy with other work: times of one selection differ "
                f"by {spread:.0%} from run to run."
            )
        return told

    def _pick(self, index: int) -> None:
        self._table.picked = index
        self._light(self.rows[index].component, self.rows[index].sentence)
