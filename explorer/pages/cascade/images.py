"""Rows of the scenes as pictures, and examples of each exit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import param

from solvers.papers.cascades import CascadeRows, ExitRound

from ...widgets.figure_view import TextView
from ...widgets.text import plain
from .state import CascadeState
from .training import TrainedCascade

# Examples of each round: those that leave right, and those that leave wrong.
N_RIGHT, N_WRONG = 4, 2


@dataclass(frozen=True)
class Example:
    """An image that leaves in a round."""

    row: int  # Row of the data set
    truth: str  # What it is, and what it is called
    called: str
    stage: int  # Stage at which it leaves, from 1

    @property
    def is_right(self) -> bool:
        """Whether it is called what it is."""
        return self.truth == self.called


def examples_of(
    cascade: TrainedCascade, rows: CascadeRows, found: ExitRound, threshold: float
) -> list[Example]:
    """Return examples of those that leave in a round.

    At most four that are right, then at most two that are wrong.
    """
    exits, classes = rows.exits(threshold), cascade.model.classes_
    shown = [*found.right_rows[:N_RIGHT], *found.wrong_rows[:N_WRONG]]
    return [
        Example(
            int(cascade.split.rows["test"][i]),
            str(classes[rows.truth[i]]),
            str(classes[rows.called[i, exits[i]]]),
            int(exits[i]) + 1,
        )
        for i in shown
    ]


class CascadeExamples(TextView):
    """Images that leave early, late and last; right and wrong."""

    state = param.ClassSelector(class_=CascadeState)
    follows = ("cascade", "confidence", "cap", "rests", "images")

    def _markup(self) -> str:
        if not self.state.has_images:
            return (
                "<p>Only the scenes are images that can be shown; choose them at the "
                "left.</p>"
            )
        picture = self.state.picture
        threshold = picture.threshold(self.state.share)
        parts = []
        for found in self.state.rounds():
            shown = examples_of(picture.cascade, picture.test, found, threshold)
            heading = f"{found.title}: {found.n_rows} rows, {found.n_right} right"
            parts.append(_gallery(heading, shown, self.state.images))
        return "".join(parts)


def _gallery(
    heading: str, examples: Sequence[Example], images: Mapping[int, str]
) -> str:
    drawn = "".join(_drawn(example, images.get(example.row)) for example in examples)
    body = f'<div class="gallery">{drawn}</div>' if drawn else "<p>None.</p>"
    return f"<h3>{plain(heading[:1].upper() + heading[1:])}</h3>{body}"


def _drawn(example: Example, uri: str | None) -> str:
    truth, called = plain(example.truth), plain(example.called)
    words = "right" if example.is_right else f"called {called}"
    kind = "right" if example.is_right else "wrong"
    image = (
        f'<img src="{uri}" alt="" width="96" height="64">'
        if uri
        else '<div class="waiting"></div>'
    )
    return (
        f'<figure class="{kind}">{image}<figcaption>{truth}: {words}, stage '
        f"{example.stage}</figcaption></figure>"
    )
