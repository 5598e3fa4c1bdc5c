"""The page Prices: what features cost, and what they share."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import panel as pn
import param

from ...document.editor import neighbourhood
from ...session.context import Context
from ...session.declared import open_panels
from ...session.page import SessionPage
from ...session.verification import Selections, VerificationPart, growing_selections
from ...stage.frame import AS_HIGH, drawer, question_row, tune_button
from ...widgets.controls import button
from ...widgets.folds import Fold
from ...widgets.markup import Message, markup
from ...widgets.page_layout import framed, page_body, pictures
from ...widgets.parts import wide_column, wide_row
from ...widgets.text import cost_text, counted, plain
from ...widgets.ui import pmui
from . import QUESTION
from .data import ColumnsPart, DataPart
from .extractor import BringingPart
from .files import HypergraphFilePart
from .hypergraph_editor import MAX_DRAWN, HypergraphEditor, IncidenceMatrix, Overview
from .prices import FurtherPrices, MeasuringPart
from .receipt import BlockTable, Receipt

ABOUT = (
    "Boxes are components: computations such as an FFT. Pills are features. A line "
    "says that a feature needs a component, which is paid once, however many of the "
    "chosen features need it. Choose features to see what they cost together and what "
    "sharing saves. Orange is what several features share, blue what is pointed at or "
    "chosen. What is edited here, in the drawing or in the matrix, is what all other "
    "pages learn from at once; everything can be undone."
)
VERIFY = (
    "Runs the extractor cut down to what is chosen in the drawing, and to growing "
    "selections, on samples; shows predicted beside measured time."
)


class PanelsState(param.Parameterized):
    """Which panels of the page are open; what it edits is the session's."""

    unfolded: Any = open_panels("What stands below the drawing.")


class ProblemPage(SessionPage):
    """The page of one session."""

    name = "problem"
    question = QUESTION
    tuned_as = "Data and files"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.state, self.problem = PanelsState(), context.problem
        self._data = DataPart(context, self.problem)
        dark, editor = context.session.param.dark, self.problem.editor
        self._editor = HypergraphEditor(state=editor, dark=dark)
        self._overview = Overview(self._look_around, state=editor, dark=dark)
        self._matrix = IncidenceMatrix(state=editor, dark=dark)
        self._blocks = BlockTable(state=editor, dark=dark)
        self._prices = FurtherPrices(self.problem, dark=dark)
        self._name = pmui.AutocompleteInput(
            label="Edit the neighbourhood of",
            options=[],
            restrict=True,
            case_sensitive=False,
            search_strategy="includes",
            min_characters=1,
            sizing_mode="stretch_width",
        )
        self._name.param.watch(lambda event: self._look_up(event.new), "value")
        self._whole = button("Show everything", partial(editor.look_at, None))
        self._large = wide_row(self._name, self._whole)
        self._overview_row = wide_column(self._overview)
        self._editor_row = wide_column(self._editor)
        editor.param.watch(lambda *_: self._arrange(), ["drawing", "window"])
        self._arrange()

    def start(self) -> None:
        """Compute nothing: a drawing is there from the beginning."""

    # ------------------------------------------------------------------------ reacting

    def _look_around(self, node: int) -> None:
        editor = self.problem.editor
        editor.look_at(neighbourhood(editor.drawing, node), by_itself=True)

    def _look_up(self, name: Any) -> None:
        drawing = self.problem.editor.drawing
        for ids, names in (
            (drawing.feature_ids, drawing.hypergraph.features),
            (drawing.component_ids, drawing.hypergraph.components),
        ):
            if name in names:
                self._look_around(ids[names.index(name)])
                return

    def _arrange(self) -> None:
        """Show the overview where there is too much to draw, and the way back."""
        editor = self.problem.editor
        drawing = editor.drawing
        n_nodes = len(drawing.component_ids) + len(drawing.feature_ids)
        is_large = n_nodes > MAX_DRAWN
        self._overview.shown = is_large and editor.window is None
        self._large.visible = is_large or editor.window is not None
        self._overview_row.visible = self._overview.shown
        self._editor_row.visible = not self._overview.shown
        self._whole.visible = editor.window is not None
        self._name.visible = is_large
        if is_large:
            hypergraph = drawing.hypergraph
            names = list(dict.fromkeys([*hypergraph.features, *hypergraph.components]))
            if names != self._name.options:
                self._name.options = names

    # ----------------------------------------------------------------------- laying out

    def _tuned(self) -> Any:
        return wide_column(
            self._data,
            HypergraphFilePart(self.context, self.problem),
        )

    def _main(self) -> Any:
        verification = VerificationPart(self.context, self._selections, VERIFY)
        bringing = BringingPart(self.context, self.problem, self._show_drawing)
        panels = self.state
        columns = ColumnsPart(self.context, self.problem)
        measuring = MeasuringPart(self.context, self.problem)
        below = [
            Fold("Incidence matrix", self._matrix, panels, "matrix"),
            columns.folded(panels, "columns"),
            Fold("Blocks", self._blocks, panels, "blocks"),
            measuring.folded(panels, "measure"),
            verification.folded(panels, "verify"),
            bringing.folded(panels, "extractor"),
            Fold("Further prices", self._prices, panels, "prices"),
        ]
        opens = tune_button(self.tuned_as, "folder_open")
        return page_body(
            question_row(self.question, ABOUT, opens),
            self._large,
            self._drawn(),
            *(drawer(fold) for fold in below),
            markup(
                pn.bind(_data_line, self.context.session.param.dataset), margin=(8, 10)
            ),
        )

    def _drawn(self) -> Any:
        """Return the drawing, and beside it the receipt of what is looked at.

        What is wrong is said above the receipt: nothing pushes what is being drawn.
        """
        hero = framed(wide_column(self._overview_row, self._editor_row))
        receipt = Receipt(state=self.problem.editor)
        side = framed(wide_column(self._remedies(), receipt), "Receipt")
        for part, name in ((hero, "hero"), (side, "side")):
            part.css_classes = [*part.css_classes, name]
        side.stylesheets = [AS_HIGH]
        return pictures((hero, 8), (side, 4))

    def _show_drawing(self) -> None:
        self.context.visit(f"?page={self.name}", self.question)

    def _remedies(self) -> Any:
        state, remedy = self.problem, partial(button, small=True)
        unpriced = state.param.n_unpriced.rx() > 0
        absent = state.param.n_absent.rx() > 0
        return wide_column(
            Message(text=state.param.disagreement),
            pn.FlexBox(
                remedy(
                    "Add columns at zero cost",
                    state.add_missing_features,
                    visible=unpriced,
                ),
                remedy("Leave columns out", state.leave_out_columns, visible=unpriced),
                remedy("Drop features", state.drop_features, visible=absent),
                remedy(
                    "Make up rows for the drawing", state.make_up_rows, visible=absent
                ),
                visible=state.param.disagreement.rx() != "",
            ),
        )

    def _selections(self) -> Selections:
        dataset = self.context.session.dataset
        drawing, lit = self.problem.editor.drawing, self.problem.editor.lit
        names = {drawing.name(node) for node in lit if node in drawing.columns}
        chosen = np.array([name in names for name in dataset.feature_names], dtype=bool)
        return growing_selections(dataset, chosen)


def _data_line(data: Any) -> str:
    notes = " ".join(data.notes)
    return plain(
        f"Data: {data.name}, {data.n_samples} rows, "
        f"{counted(data.n_features, 'feature')}, "
        f"{cost_text(data.hypergraph.total_cost, data.unit)} for all. "
        f"{data.source} {data.costs_note} {notes}"
    )


PAGE = ProblemPage.page("Prices", "hub", 10, PanelsState)
