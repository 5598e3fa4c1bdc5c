"""Selections that are nearly as good, as a matrix: components by selections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from ...figures.live import SceneView
from ...figures.scene import Axis, Layer, Scene, boxes
from ...widgets.lights import COMPONENT, things
from ...widgets.page_layout import SIDE
from ...widgets.text import cost_text, cut_text, objective_text, percent_text, plain
from ...widgets.theme import PLOT_HEIGHT
from .questions import BudgetAnswer, NearlyAsGood
from .state import ProofState
from .text import EARLIER, nearly_texts

# So many can be told apart.
MOST_ROWS, MOST_COLUMNS = 24, 60
# Name, pattern and entry of the legend.
CELLS = (("must", " ", "in every selection"), ("some", "dot", "in some"))
# Of a name beside the matrix.
LETTERS = 18
# Halves of a cell.
HALF = 0.46, 0.42
HOVER = [
    ("component", "@name"),
    ("selection", "@place"),
    ("objective", "@objective, @above above the best"),
    ("cost", "@cost"),
    ("click", "rule it out"),
]


class NearlyMatrix(SceneView):
    """One column a selection, best first; one row a component, must-haves on top.

    A cell that is clicked rules its component out.
    """

    state = param.ClassSelector(class_=ProofState)

    called = "nearly"
    height = PLOT_HEIGHT
    style = SIDE
    follows = ("answer",)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._watch_state(self._say, ["answer", "floors", "share", "within"])
        self._say()

    # ------------------------------------------------------------------------- drawing

    def scene(self) -> Scene | None:
        """Return the cells of what is nearly as good; None while that is not known."""
        answer = self.state.answer
        if answer is None:  # another table: its components have other names
            none = np.empty(0, dtype=int)
            empty = [_cells(None, name, none, none, []) for name, *_ in CELLS]
            return Scene(_columns(0), _rows([]), empty)
        if answer.nearly is None:
            return None
        nearly, graph = answer.nearly, answer.data.hypergraph
        rows = ranked_components(nearly)[:MOST_ROWS]
        names = [graph.component_names[c] for c in rows]
        shown = nearly.found.selections[:MOST_COLUMNS]
        must = nearly.found.in_all
        layers = []
        for name, chosen in (("must", must[rows]), ("some", ~must[rows])):
            y, x = np.nonzero(shown[:, rows].T & chosen[:, np.newaxis])
            layers.append(_cells(answer, name, x, y, names))
        return Scene(_columns(len(shown)), _rows(names), layers)

    def taps(self) -> Mapping[str, Callable[[int], None]]:
        """Rule out the component of a cell that is tapped."""

        def rules_out(layer: str) -> Callable[[int], None]:
            def rule_out(at: int) -> None:
                self.state.rule_out(self._shown[layer].columns["name"][at])

            return rule_out

        return {name: rules_out(name) for name, *_ in CELLS}

    def _say(self) -> None:
        answer = self.state.answer
        if answer is None:
            self._text.object = ""
        if answer is None or answer.nearly is None:
            return
        said = self._said(answer, answer.nearly)
        if not self.state.is_answered:
            said = [EARLIER, *said]
        self._text.object = "".join(f"<p>{plain(text)}</p>" for text in said)

    def _said(self, answer: BudgetAnswer, nearly: NearlyAsGood) -> list[str]:
        count, n_rows = nearly.found.count, len(ranked_components(nearly))
        left = []
        if count > MOST_COLUMNS:
            left.append(f"the {MOST_COLUMNS} best of {count} selections")
        if n_rows > MOST_ROWS:
            left.append(f"the {MOST_ROWS} most frequent of {n_rows} components")
        drawn = [f"Drawn are {' and '.join(left)}."] if left else []
        # How many there are stands above, where all are.
        first = 1 if nearly.found.complete else 0
        return [*nearly_texts(nearly, answer)[first:], *drawn]


def ranked_components(nearly: NearlyAsGood) -> NDArray[np.int_]:
    """Return the components that any selection buys: those in most of them first."""
    shares = nearly.shares
    ranked = np.argsort(-shares, kind="stable")
    return ranked[shares[ranked] > 0]


def _columns(count: int) -> Axis:
    step = max(1, -(-count // 10))
    ticks = {float(k): str(k) for k in range(step, count + 1, step)}
    return Axis("selections, best first", 0.5, max(count, 1) + 0.5, ticks)


def _rows(names: list[str]) -> Axis:
    """Return the axis of components, the first on top."""
    ticks = {float(k): cut_text(name, LETTERS) for k, name in enumerate(names, 1)}
    return Axis("", max(len(names), 1) + 0.5, 0.5, ticks)


def _cells(
    answer: BudgetAnswer | None,
    name: str,
    x: NDArray[np.int_],
    y: NDArray[np.int_],
    names: list[str],
) -> Layer:
    """Return cells at selections and components; `name`: of `CELLS`.

    Shapes: `x` and `y` (n_cells,), from 0.
    """
    (pattern, key), (wide, high) = {n: more for n, *more in CELLS}[name], HALF
    told: dict[str, Any] = {"name": [names[i] for i in y]}
    told["thing"] = things(COMPONENT, told["name"])
    told["place"] = (x + 1).tolist()
    found = None if answer is None else answer.nearly.found
    told |= {key: [] for key in ("objective", "above", "cost")}
    if found is not None:
        unit, gain = answer.data.dataset.unit, answer.certified.full_gain
        told["objective"] = [objective_text(found.objectives[i]) for i in x]
        above = (found.objectives - found.best) / gain
        told["above"] = [percent_text(above[i]) for i in x]
        told["cost"] = [cost_text(float(found.costs[i]), unit) for i in x]
    look: dict[str, Any] = {"hatch_pattern": pattern, "hatch_color": "background"}
    return boxes(
        name,
        *(x + 1 - wide, x + 1 + wide, y + 1 - high, y + 1 + high),
        "lit",
        key=key,
        hover=HOVER,
        told=told,
        hatch_scale=10,
        hatch_weight=0.5,
        **look,
    )
