"""The problem page's state: a drawing and a table, and what the other pages learn."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers import Dataset, FeatureHypergraph, HypergraphFile
from solvers.costs.units import conversion
from solvers.errors import HypergraphError, listed, shown

from ..document import table
from ..document.drawing import Drawing
from ..document.editor import EditorState
from ..document.operations import Edit
from ..document.reading import Reading
from ..document.table import retaken
from ..document.units import COUNTED
from ..export.bundle import HYPERGRAPH
from .examples import title_of
from .state import SessionState

MAX_LISTED = 6


class ProblemState(param.Parameterized):
    """Owns the session's data set: the table of the drawing, priced by it.

    Whenever drawing and table agree, the session's data set becomes the table priced
    by the drawing; while they disagree it stays as it was.
    """

    disagreement = param.String(default="", doc="Which names do not agree.")
    is_behind = param.Boolean(
        default=False, doc="Whether the other pages keep what was drawn before."
    )
    n_unpriced = param.Integer(default=0, doc="Columns that no feature describes.")
    n_absent = param.Integer(default=0, doc="Features that describe no column.")

    def __init__(self, session: SessionState, **params: Any) -> None:
        super().__init__(**params)
        self.session = session
        self.editor = EditorState(table.opened(session.dataset, 0))
        self.editor.param.watch(self._follow, "drawing")
        session.opener = self.open_dataset

    # ------------------------------------------------------------------------- opening

    def open_dataset(
        self,
        dataset: Dataset,
        origin: Mapping[str, Any] | None = None,
        reading: Reading | None = None,
    ) -> None:
        """Draw the hypergraph of a data set, and learn from its table.

        `origin`: files that it comes from, as ``export.loading`` takes them.
        `reading`: how it was read, where it was.
        """
        self.editor.attempt(
            lambda: Edit(
                table.opened(dataset, self.editor.next_id, origin or {}, reading),
                f"Opened {title_of(dataset)}",
            )
        )

    def retake(self, reading: Reading, dataset: Dataset, said: str) -> None:
        """Learn from the same table, read in another way.

        `dataset`: what was read.
        """
        self.editor.attempt(
            lambda: Edit(retaken(self.editor.drawing, reading, dataset), said)
        )

    def open_hypergraph(
        self,
        hypergraph: FeatureHypergraph,
        said: str,
        *,
        make_up: bool = False,
        note: str = "",
    ) -> bool:
        """Draw another hypergraph for the same table.

        `make_up`: whether to make up rows for it instead of keeping the table.
        `note`: where its costs come from.
        """

        def edit() -> Edit:
            drawn = Drawing.of(hypergraph, first_id=self.editor.next_id)
            drawing = dataclasses.replace(drawn, costs_note=note)
            if make_up:
                return Edit(table.made_up_rows(drawing), said)
            kept = self.editor.drawing.table
            return Edit(dataclasses.replace(drawing, table=kept), said)

        return self.editor.attempt(edit)

    def open_file(self, file: HypergraphFile, name: str) -> bool:
        """Draw what a file holds; a list of component costs only changes costs."""
        components = set(self.editor.drawing.hypergraph.components)
        read = file.hypergraph
        note = f"Costs from {name}."
        if file.layout == "costs" and components and set(read.components) <= components:
            return self.set_costs(
                dict(zip(read.components, read.component_costs, strict=True)),
                read.unit,
                f"Took costs from {name}",
                note,
            )
        return self.open_hypergraph(read, f"Loaded {name}", note=note)

    # --------------------------------------------------------------------------- costs

    def set_costs(
        self, costs: dict[str, float], unit: str, said: str, note: str = ""
    ) -> bool:
        """Set the costs of some components, by name.

        `costs`: in `unit`; names that are not drawn are left out.
        `note`: where the costs come from; it tells of how many, unless of all.
        """

        def edit() -> Edit:
            drawing = self.editor.drawing
            hypergraph = drawing.hypergraph
            factor = conversion(unit, hypergraph.unit)
            known = costs.keys() & set(hypergraph.components)
            if not known:
                raise HypergraphError(
                    "No component that is drawn is called "
                    f"{shown(next(iter(costs), ''))} or any other of these names; "
                    "name components as in the drawing."
                )
            drawn = zip(hypergraph.components, hypergraph.component_costs, strict=True)
            new = np.array([costs[n] * factor if n in known else c for n, c in drawn])
            more = len(costs) - len(known)
            left = f" ({more} are of components that are not drawn)" if more else ""
            told = note
            if note and len(known) < len(new):
                told = f"{note.rstrip('.')}, for {len(known)} of {len(new)} components."
            priced = drawing.set_costs(new, hypergraph.unit, told)
            return Edit(priced, said + left)

        return self.editor.attempt(edit)

    def set_unit(self, unit: str) -> bool:
        """Show costs in another unit of time, or say in which the first ones are."""

        def edit() -> Edit:
            drawing = self.editor.drawing
            if drawing.hypergraph.unit in COUNTED:
                priced = drawing.set_costs(drawing.hypergraph.component_costs, unit)
                return Edit(priced, f"Took the numbers for costs in {unit}")
            factor = conversion(drawing.hypergraph.unit, unit)
            costs: NDArray[np.float64] = drawing.hypergraph.component_costs * factor
            converted = drawing.set_costs(costs, unit, drawing.costs_note)
            return Edit(converted, f"Converted costs to {unit}")

        if unit == self.editor.drawing.hypergraph.unit:
            return True
        return self.editor.attempt(edit)

    # ------------------------------------------------------------------------ remedies

    def add_missing_features(self) -> None:
        """Give each column that has no feature one that costs nothing."""
        self._settle(table.add_missing_features, "Added missing columns at no cost")

    def drop_features(self) -> None:
        """Delete the features that describe no column."""
        self._settle(table.drop_features, "Dropped features without a column")

    def leave_out_columns(self) -> None:
        """Leave the columns that no feature describes out of the table."""
        self._settle(table.leave_out_columns, "Left out columns that are not drawn")

    def make_up_rows(self) -> None:
        """Make up a table that fits the drawing."""
        self._settle(table.made_up_rows, "Made up rows for the drawing")

    def _settle(self, remedy: Any, said: str) -> None:
        self.editor.attempt(lambda: Edit(remedy(self.editor.drawing), said))

    # ----------------------------------------------------------------------- following

    def _follow(self, event: Any) -> None:
        before, drawing = event.old, event.new
        if drawing.hypergraph is before.hypergraph and drawing.table is before.table:
            return  # nodes were moved
        found = table.match(drawing)
        self.param.update(
            disagreement=_sentence(drawing, found),
            is_behind=not found.is_whole,
            n_unpriced=len(found.unpriced),
            n_absent=len(found.absent),
        )
        if found.is_whole:
            self.session.learn_from(table.fitted(drawing), _origin(drawing))


def _origin(drawing: Drawing) -> Mapping[str, Any]:
    """Return the files of a drawing's table; edits of costs come from one of them.

    None where columns were renamed: a script reads what was kept of them instead.
    """
    if drawing.table is None:
        return {}
    base, origin = drawing.table.dataset, drawing.table.origin
    if not origin or drawing.hypergraph is base.hypergraph:
        return origin
    if set(drawing.hypergraph.features) != set(base.feature_names):
        return {}
    return {**origin, "hypergraph_file": HYPERGRAPH}


def _sentence(drawing: Drawing, found: table.Match) -> str:
    is_empty = not (drawing.feature_ids or drawing.component_ids)
    if drawing.table is None or found.is_whole or is_empty:
        return ""  # an empty drawing disagrees with nothing yet
    base = drawing.table.dataset
    unpriced = [base.feature_names[j] for j in found.unpriced]
    absent = [drawing.name(node) for node in found.absent]
    parts = []
    if unpriced:
        parts.append(f"no feature describes {_called('column', unpriced)} of the table")
    if absent:
        parts.append(f"the table has no column for {_called('feature', absent)}")
    return (
        f"Drawing and table {base.name!r} disagree: {'; '.join(parts)}. The other "
        "pages keep the last hypergraph that fitted."
    )


def _called(what: str, names: list[str]) -> str:
    return f"{what}{'s' if len(names) > 1 else ''} {listed(names, MAX_LISTED)}"
