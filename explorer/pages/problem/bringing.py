"""An extractor that somebody brings, or one that comes along: traced and priced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui

from solvers import HypergraphFile
from solvers.datasets.extractors import (
    BundledExtractor,
    ExtractorProgress,
    MeasuredExtractor,
    all_extractors,
    measuring_extractor,
)

from ...document.recipes import DataRecipe, made
from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...session.problem import ProblemState
from ...widgets.controls import button
from ...widgets.copy_button import CopyButton
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import plain
from .loading import HypergraphLoading
from .shared_work import SharedWork, costliest_shared

WIDE = {"sizing_mode": "stretch_width"}
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
