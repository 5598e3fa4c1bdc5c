"""What colours, marks and sizes of the graph mean."""

from __future__ import annotations

from typing import Any

import panel as pn
import param

from ...figures.structured_style import CHEAPER, COSTLIER, label_colour, lamp_colour
from ...widgets.figure_view import FigureView
from ...widgets.glossary import explained
from ...widgets.markup import markup
from ...widgets.theme import palette
from .runs import Run
from .state import NO_RIVAL, StructuredState

SHAPES = (
    '<circle cx="9" cy="9" r="6" {look}/>',
    '<rect x="3" y="3" width="12" height="12" {look}/>',
    '<path d="M9 2 L16 15 L2 15 Z" {look}/>',
    '<path d="M9 1 L16 9 L9 17 L2 9 Z" {look}/>',
    '<path d="M5 3 H13 L17 9 L13 15 H5 L1 9 Z" {look}/>',
)
STAR = "M9 1 L11 7 H17 L12 11 L14 17 L9 13 L4 17 L6 11 L1 7 H7 Z"


class GraphLegend(FigureView):
    """A line of marks and words under the picture."""

    draws_colours = True
    state = param.ClassSelector(class_=StructuredState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=44)
        self._watch_state(self._draw, ["run", "rival", "method"])
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _draw(self) -> None:
        run: Run | None = self.state.run
        if run is None:
            return
        items = [*self._label_items(run), *self._cost_items()]
        if run.request.scene == "sensors":
            star = f'<path d="{STAR}" fill="{lamp_colour(self.dark)}"/>'
            items.append(_item(star, f"lamp that burns: called {run.labels[0]}"))
        html = f'<div class="legend">{"".join(items)}</div>'
        if self._pane.object != html:
            self._pane.object = html

    def _label_items(self, run: Run) -> list[str]:
        items = []
        for label, name in enumerate(run.labels[: len(SHAPES)]):
            colour = label_colour(label, self.dark)
            is_compared = self.state.rival != NO_RIVAL
            fill = "none" if is_compared else colour
            look = f'fill="{fill}" stroke="{colour}" stroke-width="2"'
            words = f"Shape: predicted {name}. Ring: true {name}"
            if not is_compared:
                words = f"Inside: predicted {name}. Ring: true {name}"
            items.append(_item(SHAPES[label].format(look=look), words))
        return items

    def _cost_items(self) -> list[str]:
        state = self.state
        costlier, cheaper = COSTLIER[self.dark], CHEAPER[self.dark]
        if state.rival == NO_RIVAL:
            return [
                _item(_line(costlier), "cost paid on a link: colour and width"),
                _item(_line(palette(self.dark).faded), "nothing paid"),
                _item("", "a large node is called wrongly, and pays"),
            ]
        drawn, rival = state.title(state.method), state.title(state.rival)
        return [
            _item(_line(costlier), f"{drawn} pays more than {rival}"),
            _item(_line(cheaper), f"{drawn} pays less"),
            _item(_line(palette(self.dark).faded), "the same"),
            _item("", "size and width: the difference"),
        ]


def _line(colour: str) -> str:
    return f'<path d="M1 9 H17" stroke="{colour}" stroke-width="4"/>'


def _item(shape: str, words: str) -> str:
    svg = f'<svg width="18" height="18" aria-hidden="true">{shape}</svg>'
    return f"<span>{svg if shape else ''}{explained(words)}</span>"
