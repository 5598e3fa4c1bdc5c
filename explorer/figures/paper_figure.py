"""Figures of the papers, drawn from what was computed anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import holoviews as hv
import numpy as np

from solvers.bayes import Comparison
from solvers.errors import ThriftscopeError, shown
from solvers.markov import CurvePoint, summarise
from solvers.methods.selective_ridge.chronometry import ContenderTiming
from solvers.papers.cascades import Figure
from solvers.papers.figures import Study, all_figures

from ..widgets.theme import method_style
from .backends import framed
from .elements import drawn_line, marked
from .paper_pictures import (
    PaperLine,
    PaperPicture,
    line_styles,
    paper_pictures,
    series_styles,
)
from .structured_style import structured_style
from .trimming import SELECTIONS

# A line of more points than this is a curve, without a mark at each.
MAX_MARKED = 40
CONTENDERS = {"dual": "selective_ridge", "primal": "acafh", "scikit": "l1"}


def paper_figure(
    results: Any,
    rows: Iterable[Any] = (),
    *,
    picture: str | None = None,
    dark: bool = False,
) -> hv.Overlay | hv.Layout:
    """Draw a figure of one of the papers.

    Parameters
    ----------
    results : str, Study, Figure, or sequence of results
        Of the ACAFH paper, a name of `solvers.papers.figures.all_figures`, with
        `rows`. Of the TEFE paper, what `solvers.papers.cascades.trace_figure` yields.
        Of the others what is yielded by `solvers.bayes.compare_over_thresholds`,
        `solvers.markov.trace_curve`, or the timings of selective ridge.
    rows : iterable, default=()
        Of a figure of the ACAFH paper.
    picture : str, optional
        Title of one of several pictures; all of them by default.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay or holoviews.Layout
        A layout where the figure has several pictures.

    Raises
    ------
    ThriftscopeError
        If there is nothing to draw, or no such figure or picture.
    """
    if isinstance(results, str):
        if results not in all_figures():
            raise ThriftscopeError(
                f"There is no figure {shown(results)}; choose from "
                f"{', '.join(all_figures())}."
            )
        results = all_figures()[results]
    if isinstance(results, Study):
        found = _of_acafh(results, list(rows), dark)
    elif isinstance(results, Figure):
        found = {results.title: _of_cascade(results, dark)}
    else:
        found = _of_others(list(results), dark)
    if picture is not None:
        if picture not in found:
            raise ThriftscopeError(
                f"There is no picture {shown(picture)}; choose from {', '.join(found)}."
            )
        return found[picture]
    if not found:
        raise ThriftscopeError("There is nothing to draw; give rows of the figure.")
    if len(found) == 1:
        return next(iter(found.values()))
    return hv.Layout(list(found.values())).cols(2).opts(shared_axes=False)


def _of_acafh(figure: Study, rows: list[Any], dark: bool) -> dict[str, Any]:
    pictures = paper_pictures(figure, rows)
    names = [line.name for picture in pictures.values() for line in picture.lines]
    styles = line_styles(names)
    return {title: _drawn(one, styles, dark) for title, one in pictures.items()}


def _of_cascade(figure: Figure, dark: bool) -> Any:
    if not figure.series:
        raise ThriftscopeError(
            f"{figure.title} has no picture; print its claims instead."
        )
    lines = [PaperLine(one.name, one.x, one.y, one.joined) for one in figure.series]
    picture = PaperPicture(
        figure.title, figure.title, figure.x_label, figure.y_label, tuple(lines)
    )
    return _drawn(picture, series_styles(figure.series), dark)


def _of_others(results: list[Any], dark: bool) -> dict[str, Any]:
    drawers: dict[type, Any] = {
        CurvePoint: _of_costs,
        Comparison: _of_thresholds,
        ContenderTiming: _of_timings,
    }
    for kind, draw in drawers.items():
        if results and all(isinstance(one, kind) for one in results):
            one, styles = draw(results)
            return {one.title: _drawn(one, styles, dark)}
    names = sorted({type(one).__name__ for one in results})
    raise ThriftscopeError(
        f"A figure can't be drawn of {', '.join(names) or 'nothing'}; give rows of one "
        "kind: curve points, comparisons or timings."
    )


def _of_costs(results: Sequence[CurvePoint]) -> tuple[PaperPicture, Mapping[str, Any]]:
    """Return the mean cost of each method over a knob, all seeds and folds together."""
    knob = results[0].knob
    at: dict[str, dict[float, list[Any]]] = {}
    for point in results:
        for result in point.results:
            at.setdefault(result.method, {}).setdefault(point.value, []).append(result)
    lines = []
    for name, found in at.items():
        values = tuple(sorted(found))
        costs = tuple(summarise(found[value])[0].cost for value in values)
        lines.append(PaperLine(name, values, costs))
    picture = PaperPicture(
        "costs",
        f"mean cost over {knob}",
        knob,
        "mean cost of a graph (nodes and links)",
        tuple(lines),
    )
    return picture, {name: structured_style(name) for name in at}


def _of_thresholds(
    results: Sequence[Comparison],
) -> tuple[PaperPicture, Mapping[str, Any]]:
    """Return how often each selection decides as the original, over its threshold."""
    at = tuple(result.threshold for result in results)
    agreed = {
        "trimmed": [result.trimmed.agreement for result in results],
        "same_decision": [result.same_decision.agreement for result in results],
        "information": [result.information.agreement for result in results],
        "information_kept": [result.information_agreement for result in results],
    }
    lines = [PaperLine(SELECTIONS[k].title, at, tuple(v)) for k, v in agreed.items()]
    picture = PaperPicture(
        "agreement",
        "agreement with the original over its threshold",
        "decision threshold T",
        "expected classification agreement",
        tuple(lines),
    )
    return picture, {look.title: look for look in SELECTIONS.values()}


def _of_timings(
    results: Sequence[ContenderTiming],
) -> tuple[PaperPicture, Mapping[str, Any]]:
    """Return the seconds of each contender over the number of features."""
    at: dict[str, list[tuple[float, float]]] = {}
    for timing in results:
        if timing.seconds is not None:
            point = (float(timing.n_features), timing.seconds)
            at.setdefault(timing.contender, []).append(point)
    lines = [
        PaperLine(name, *(tuple(v) for v in zip(*sorted(points), strict=True)))
        for name, points in at.items()
    ]
    picture = PaperPicture(
        "timing", "time to train", "features", "seconds", tuple(lines), True, True
    )
    return picture, {name: method_style(CONTENDERS[name]) for name in at}


def _drawn(picture: PaperPicture, styles: Mapping[str, Any], dark: bool) -> Any:
    x = hv.Dimension("x", label=picture.x_label)
    y = hv.Dimension("y", label=picture.y_label)
    layers = []
    for line in picture.lines:
        style, at = styles[line.name], (np.array(line.x), np.array(line.y))
        if line.is_joined:
            drawn = hv.Curve(at, x, y, label=line.name)
            layers.append(drawn_line(drawn, style.colour(dark), style.dash, 2.0))
        if not line.is_joined or len(line.x) <= MAX_MARKED:
            marks = hv.Scatter(at, x, y, label=line.name)
            layers.append(marked(marks, style, dark, 8 if line.is_joined else 12))
    return framed(
        hv.Overlay(layers),
        title=picture.title,
        dark=dark,
        legend="right",
        width=900,
        logx=picture.is_x_log,
        logy=picture.is_y_log,
    )
