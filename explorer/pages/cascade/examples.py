"""Example images of each exit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import param

from ...widgets.figure_view import TextView
from ...widgets.text import plain
from .images import Example, examples_of
from .state import CascadeState

__all__ = ["CascadeExamples"]


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
