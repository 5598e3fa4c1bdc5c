"""A drawing that is being edited, by whatever view, and what is looked at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import param

from solvers import FeatureHypergraph, ThriftscopeError

from .drawing import Drawing
from .hypergraph_layout import STEP, places
from .operations import Edit, apply, checked_nodes
from .undo_stack import UndoStack


class EditorState(param.Parameterized):
    """A drawing that is being edited, what was said of it, and what is looked at."""

    drawing: Any = param.ClassSelector(class_=Drawing, doc="What is drawn.")
    said = param.String(default="", doc="What was done last.")
    refused = param.String(default="", doc="Why the last operation was not done.")
    focus = param.Parameter(default=(), doc="Nodes that it was about.")
    lit = param.Parameter(default=(), doc="Nodes that are looked at.")
    window = param.Parameter(
        default=None, doc="Numbers of the nodes that are drawn; None for all."
    )
    part = param.Dict(
        default={}, doc="Places of nodes while a part is laid out by itself."
    )
    serial = param.Integer(default=0, doc="How many messages were answered.")

    def __init__(self, hypergraph: FeatureHypergraph | Drawing, **params: Any) -> None:
        is_drawing = isinstance(hypergraph, Drawing)
        drawing = hypergraph if is_drawing else Drawing.of(hypergraph)
        super().__init__(drawing=drawing, **params)
        self.undo_stack = UndoStack(lambda: self.drawing, self._draw_again)

    @property
    def undoes(self) -> str:
        """What undoing takes back; empty where there is nothing."""
        return self.undo_stack.drawing_undoes

    @property
    def redoes(self) -> str:
        """What redoing does again; empty where there is nothing."""
        return self.undo_stack.drawing_redoes

    @property
    def next_id(self) -> int:
        """A number that no node has had."""
        return self.drawing.next_id

    def receive(self, message: Any) -> None:
        """Do what a browser asks for, or say why not.

        `message`: as `apply` takes it, or with ``op`` one of "undo", "redo" and "look".
        """
        name = message.get("op") if isinstance(message, dict) else None
        if name in ("undo", "redo") and len(message) == 1:
            self.undo() if name == "undo" else self.redo()
        elif self.part and name in ("move", "arrange"):
            self.attempt(lambda: self._moved_part(apply(self.drawing, message)))
        elif name == "look":
            self._look(message.get("nodes"))
        else:
            self.attempt(lambda: apply(self.drawing, message))

    def attempt(self, edit: Callable[[], Any]) -> bool:
        """Do an edit, or say why not."""
        try:
            done = edit()
        except ThriftscopeError as error:
            self._answer(refused=str(error))
            return False
        if not done.said:  # nothing would change
            self._answer(focus=done.focus)
            return True
        self.do(done.drawing, done.said, done.focus)
        return True

    def do(self, drawing: Drawing, said: str, focus: Sequence[int] = ()) -> None:
        """Replace the drawing, so that it can be undone."""
        window = self._grown(self.drawing, drawing)
        with self.undo_stack.step(said):
            self._take(drawing=drawing, said=said, focus=tuple(focus), window=window)
        self.serial += 1  # the answer says what can be undone now

    def begin(self, drawing: Drawing) -> None:
        """Draw something that is no step; the undo stack is to forget all others."""
        self._answer(drawing=drawing, window=None)

    def undo(self) -> None:
        """Take back the last edit, whatever else was done since."""
        if not self.undo_stack.undo_drawing():
            self._answer(said="There is nothing to undo")

    def redo(self) -> None:
        """Do again what was undone last."""
        if not self.undo_stack.redo_drawing():
            self._answer(said="There is nothing to redo")

    def point_at(self, node: int, said: str) -> None:
        """Choose a node for the person who looks on, and say why."""
        self._answer(focus=(node,), said=said)

    def look_at(
        self, nodes: Collection[int] | None, *, by_itself: bool = False
    ) -> None:
        """Draw only some nodes, or all.

        `by_itself`: whether they are laid out by themselves instead of where they stand
        in the whole.
        """
        window = None if nodes is None else frozenset(nodes)
        part = part_places(self.drawing, window) if by_itself and window else {}
        self._answer(window=window, part=part)

    # ------------------------------------------------------------------------ plumbing

    def _draw_again(self, drawing: Drawing, said: str) -> None:
        if drawing is not self.drawing:
            window = self._grown(self.drawing, drawing)
            self._answer(drawing=drawing, said=said, window=window)

    def _grown(self, before: Drawing, after: Drawing) -> frozenset[int] | None:
        """Add to the window what came, or give it up if little of it is left."""
        if self.window is None:
            return None
        old = {*before.component_ids, *before.feature_ids}
        new = {*after.component_ids, *after.feature_ids}
        came = new - old
        kept = self.window & new
        return kept | came if kept and len(came) < len(new) / 2 else None

    def _moved_part(self, edit: Edit) -> Edit:
        """Take the places of a move or a layout for the part, not for the whole."""
        if edit.kind == "layout":
            self.part = part_places(self.drawing, self.window)
            return Edit(self.drawing, "")
        before, after = self.drawing.places, edit.drawing.places
        ids = (*edit.drawing.component_ids, *edit.drawing.feature_ids)
        moved = np.flatnonzero((before != after).any(axis=1))
        self.part = self.part | {ids[k]: after[k].tolist() for k in moved}
        return Edit(self.drawing, "")

    def _look(self, nodes: Any) -> None:
        try:
            seen = checked_nodes(self.drawing, nodes) if nodes else ()
        except ThriftscopeError:
            return  # it was deleted while the message was under way
        if seen != self.lit:
            self.lit = seen

    def _answer(self, **changes: Any) -> None:
        self._take(**changes, serial=self.serial + 1)

    def _take(self, **changes: Any) -> None:
        drawing = changes.get("drawing", self.drawing)
        lit = tuple(
            node for node in self.lit if node in drawing.rows or node in drawing.columns
        )
        answer = {"said": "", "refused": "", "focus": (), "lit": lit}
        if changes.get("window", self.window) is None:
            answer["part"] = {}
        elif self.part and drawing is not self.drawing:
            answer["part"] = with_newcomers(self.part, self.drawing, drawing)
        self.param.update(**{**answer, **changes})


def neighbourhood(drawing: Drawing, node: int, at_most: int = 120) -> frozenset[int]:
    """Return the nodes around one node, for editing part of a large drawing.

    The node, its neighbours, and the components that these features need: what the
    features cost can be seen as a whole.
    """
    links = drawing.hypergraph.incidence
    by_feature = links.tocsc()
    if node in drawing.columns:
        own = by_feature.indices[slice(*by_feature.indptr[drawing.columns[node] :][:2])]
        near = np.unique(links[own].indices)
        columns = [drawing.columns[node], *near.tolist()]
    else:
        row = drawing.rows[node]
        columns = links.indices[slice(*links.indptr[row:][:2])].tolist()
    found: dict[int, None] = {node: None}
    for column in dict.fromkeys(columns):
        rows = by_feature.indices[slice(*by_feature.indptr[column:][:2])]
        group = [drawing.feature_ids[column], *(drawing.component_ids[i] for i in rows)]
        if len(found) + len(group) > at_most and len(found) > 1:
            break
        found.update(dict.fromkeys(group[:at_most]))
    return frozenset(found)


def part_places(drawing: Drawing, part: frozenset[int]) -> dict[int, list[float]]:
    """Return where the nodes of a part of a drawing stand if it is laid out alone.

    Place of each node; components that no feature of the part needs stand aside.
    """
    columns = [j for j, node in enumerate(drawing.feature_ids) if node in part]
    rows = [i for i, node in enumerate(drawing.component_ids) if node in part]
    links = drawing.hypergraph.incidence[rows][:, columns]
    whole = np.diff(links.tocsc().indptr) > 0
    kept = [j for j, is_linked in zip(columns, whole, strict=True) if is_linked]
    alone = FeatureHypergraph(links[:, whole], np.ones(len(rows)))
    components, features = places(alone)
    found = (
        [drawing.component_ids[i] for i in rows],
        [drawing.feature_ids[j] for j in kept],
    )
    return {
        node: place
        for nodes, at in zip(found, (components, features), strict=True)
        for node, place in zip(nodes, at.tolist(), strict=True)
    }


def with_newcomers(
    part: dict[int, list[float]], before: Drawing, after: Drawing
) -> dict[int, list[float]]:
    """Return the places of a part with those of nodes that an edit has added.

    A node that is connected to the part stands above or below its neighbours; any other
    stands where the edit has put it.
    """
    places = dict(part)
    links = after.hypergraph.incidence
    for ids, known, near_of, others, side in (
        (after.component_ids, before.rows, links, after.feature_ids, 1.6),
        (after.feature_ids, before.columns, links.T.tocsr(), after.component_ids, -1.6),
    ):
        for k, node in enumerate(ids):
            if node in known:
                continue
            near = near_of.indices[near_of.indptr[k] : near_of.indptr[k + 1]]
            stand = [places[others[i]] for i in near if others[i] in places]
            if stand:
                x, y = np.mean(stand, axis=0)
                places[node] = [float(x), float(y + side * STEP[1])]
    return places
