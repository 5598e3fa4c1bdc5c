"""Figures of the papers, drawn from what was computed anew: on a page and in print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers import all_methods
from solvers.bayes import Comparison
from solvers.errors import ThriftscopeError, shown
from solvers.markov import CurvePoint, summarise
from solvers.methods.selective_ridge.chronometry import ContenderTiming
from solvers.papers.cascades import Figure, Series
from solvers.papers.figures import Axes, Study, all_figures
from solvers.papers.figures.gradients import ORDERS
from solvers.values.rounding import number

from ..widgets.theme import MethodStyle, method_style
from .scene import Axis, Layer, Scene, dots, line, room_around
from .structured_graph import structured_style
from .trimming import SELECTIONS

if TYPE_CHECKING:
    import holoviews as hv

PROCEDURES = {order.title for order in ORDERS}
# A line of more points than this is a curve, without a mark at each.
MAX_MARKED = 40
FEW_POWERS = 2.5
CONTENDERS = {"dual": "selective_ridge", "primal": "acafh", "scikit": "l1"}
_DASHES = ("solid", "dashed", "dotdash", "dotted")
_MARKERS = ("circle", "square_cross", "circle_cross", "diamond_cross")
# What a series is drawn as when another already looks like its method.
OTHERS = ("forward_selection", "jit", "csdt", "csnb", "acafh")
HOVER = (("", "@name"), ("", "@x{number}, @y{number}"))


@dataclass(frozen=True)
class PaperLine:
    """One line of a picture."""

    name: str  # What it stands for
    x: tuple[float, ...]  # Its points, by rising x
    y: tuple[float, ...]
    style: MethodStyle
    is_joined: bool = True  # Whether a line goes through them


@dataclass(frozen=True)
class PaperPicture:
    """What is drawn of a figure at a time."""

    title: str  # What distinguishes it from the others of the figure
    x_label: str  # What the axes are called, with units
    y_label: str
    lines: tuple[PaperLine, ...]  # In the order in which they came
    is_x_log: bool = False  # Whether the axes go by powers of ten
    is_y_log: bool = False


Pictures = dict[str, PaperPicture]


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
        `rows`; or any study that has axes, with its rows. Of the TEFE paper, what
        `solvers.papers.cascades.trace_figure` yields. Of the others what is yielded by
        `solvers.bayes.compare_over_thresholds`, `solvers.markov.trace_curve`, or the
        timings of selective ridge.
    rows : iterable, default=()
        Of a study.
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
    import holoviews as hv

    from .still import still

    if isinstance(results, str):
        if results not in all_figures():
            raise ThriftscopeError(
                f"There is no figure {shown(results)}; choose from "
                f"{', '.join(all_figures())}."
            )
        results = all_figures()[results]
    if isinstance(results, Study):
        found = study_pictures(results, list(rows))
    elif isinstance(results, Figure):
        found = cascade_pictures(results)
        if not found:
            raise ThriftscopeError(
                f"{results.title} has no picture; print its claims instead."
            )
    else:
        found = _of_others(list(results))
    if picture is not None and picture not in found:
        raise ThriftscopeError(
            f"There is no picture {shown(picture)}; choose from {', '.join(found)}."
        )
    if not found:
        raise ThriftscopeError("There is nothing to draw; give rows of the figure.")
    look: dict[str, Any] = {"dark": dark, "legend": "right", "width": 900}
    drawn = [
        still(picture_scene(one), title=one.title, **look)
        for title, one in found.items()
        if picture in (None, title)
    ]
    if len(drawn) == 1:
        return drawn[0]
    return hv.Layout(drawn).cols(2).opts(shared_axes=False)


def picture_scene(picture: PaperPicture) -> Scene:
    """Return a line or marks for each line of a picture."""
    x = [value for one in picture.lines for value in one.x]
    y = [value for one in picture.lines for value in one.y]
    return Scene(
        _axis(picture.x_label, x, is_log=picture.is_x_log),
        _axis(picture.y_label, y, is_log=picture.is_y_log),
        [layer for one in picture.lines for layer in _layers(one)],
    )


def _axis(label: str, values: Sequence[float], *, is_log: bool) -> Axis:
    if not is_log:
        return Axis(label, *room_around(values, 0.05))
    known = np.asarray([value for value in values if value > 0] or [1.0])
    low, high = room_around(np.log10(known), 0.05)
    # Within few powers of ten those between are told, too; Bokeh tells all, over
    # each other.
    ticks = None
    if high - low < FEW_POWERS:
        powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
        places = [float(f"{k}e{power}") for power in powers for k in (1, 2, 5)]
        ticks = {at: number(at) for at in places if 10.0**low <= at <= 10.0**high}
    return Axis(label, 10.0**low, 10.0**high, ticks=ticks, is_log=True)


def _layers(one: PaperLine) -> list[Layer]:
    told = {"name": [one.name] * len(one.x)}
    x, y, look = list(one.x), list(one.y), {"hover": HOVER, "told": told}
    layers = []
    if one.is_joined:
        drawn = {"dash": one.style.dash, "key": one.name}
        layers.append(line(f"{one.name}: line", x, y, one.style, **drawn))
    if not one.is_joined or len(one.x) <= MAX_MARKED:
        size = 8 if one.is_joined else 12
        mark = {"marker": one.style.marker, "size": size, "key": one.name}
        layers.append(dots(one.name, x, y, one.style, fill_alpha=0.35, **mark, **look))
    return layers


# --------------------------------------------------------------------------- of studies


def study_pictures(figure: Study, rows: Sequence[Any]) -> Pictures:
    """Return the pictures that the rows of a study suffice for, by title."""
    axes = figure.axes
    if axes is None:
        return {}
    panels: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        if hasattr(row, axes.x):
            values = tuple(getattr(row, name) for name in axes.panels)
            panels.setdefault(values, []).append(row)
    styles = _study_styles(dict.fromkeys(getattr(row, axes.series, "") for row in rows))
    pictures = [
        _picture(axes, y, values, found, styles)
        for y in axes.y
        for values, found in panels.items()
    ]
    return {picture.title: picture for picture in pictures}


def _study_styles(names: Iterable[str]) -> dict[str, MethodStyle]:
    """Return each line's look: classifiers of linked things have theirs, too."""
    names = list(names)
    if set(names) <= CONTENDERS.keys():
        return {name: method_style(CONTENDERS[name]) for name in names}
    linked = {name: structured_style(name) for name in names if _is_linked(name)}
    return line_styles(names) | linked


def _is_linked(name: str) -> bool:
    return name.startswith(("MN", "CSMN", "LOGREG"))


def _picture(
    axes: Axes,
    y: str,
    values: tuple[Any, ...],
    rows: Iterable[Any],
    styles: dict[str, MethodStyle],
) -> PaperPicture:
    said = [
        value if isinstance(value, str) else f"{axes.headings[column]} = {value:g}"
        for column, value in zip(axes.panels, values, strict=True)
    ]
    return PaperPicture(
        ", ".join([axes.headings[y], *said]),
        axes.headings[axes.x],
        axes.headings[y],
        _lines(rows, axes.x, y, axes.series, styles),
        axes.x in axes.logarithmic,
        y in axes.logarithmic,
    )


def _lines(
    rows: Iterable[Any], x: str, y: str, series: str, styles: dict[str, MethodStyle]
) -> tuple[PaperLine, ...]:
    """Return a line for each of a series: where rows share a place, their mean."""
    found: dict[str, dict[float, list[float]]] = {}
    for row in rows:
        at = found.setdefault(getattr(row, series), {})
        at.setdefault(float(getattr(row, x)), []).append(float(getattr(row, y)))
    return tuple(
        PaperLine(
            name,
            tuple(sorted(at)),
            tuple(float(np.mean(at[place])) for place in sorted(at)),
            styles[name],
        )
        for name, at in found.items()
    )


def line_styles(names: Iterable[str]) -> dict[str, MethodStyle]:
    """Return each line's look; what comes later changes nothing of what came before."""
    # Orders of multiplication and problems are of no method: each has a colour.
    others = {method_style(key).light: method_style(key) for key in all_methods()}
    free = cycle(others.values())
    styles, variants = {}, Counter[str]()
    for name in dict.fromkeys(names):
        owner = _owner(name)
        if owner is None:
            styles[name] = next(free)
        else:
            styles[name] = _variant(method_style(owner), variants[owner])
            variants[owner] += 1
    return styles


def _variant(style: MethodStyle, place: int) -> MethodStyle:
    """Return a method's own look, or for its variants the same colour only."""
    if not place:
        return style
    dash = _DASHES[(_DASHES.index(style.dash) + place) % len(_DASHES)]
    return replace(style, dash=dash, marker=_MARKERS[place % len(_MARKERS)])


def _owner(name: str) -> str | None:
    """Return the method that a line is of."""
    if name in PROCEDURES:
        return None
    titles = {found.title: key for key, found in all_methods().items()}
    titles["CAFH"] = "acafh"  # the same class, told not to decompose
    prefixes = [title for title in titles if name.startswith(title)]
    return titles[max(prefixes, key=len)] if prefixes else None


# -------------------------------------------------------------------------- of cascades


def cascade_pictures(figure: Figure) -> Pictures:
    """Return the picture of a figure of the TEFE paper; none where it is a table."""
    if not figure.series:
        return {}
    looks = series_styles(figure.series)
    lines = tuple(
        PaperLine(one.name, tuple(one.x), tuple(one.y), looks[one.name], one.joined)
        for one in figure.series
    )
    title = figure.title
    return {title: PaperPicture(title, figure.x_label, figure.y_label, lines)}


def series_styles(series: Iterable[Series]) -> dict[str, MethodStyle]:
    """Return a look for each series: its method's, unless that is taken."""
    taken: set[str] = set()
    looks = {}
    for one in series:
        names = (one.method, *OTHERS)
        name = next((n for n in names if n not in taken), one.method)
        taken.add(name)
        looks[one.name] = method_style(name)
    return looks


# --------------------------------------------------------------------- of other results


def _of_others(results: list[Any]) -> Pictures:
    drawers: dict[type, Any] = {
        CurvePoint: _of_costs,
        Comparison: _of_thresholds,
        ContenderTiming: _of_timings,
    }
    for kind, draw in drawers.items():
        if results and all(isinstance(one, kind) for one in results):
            one: PaperPicture = draw(results)
            return {one.title: one}
    names = sorted({type(one).__name__ for one in results})
    raise ThriftscopeError(
        f"A figure can't be drawn of {', '.join(names) or 'nothing'}; give rows of one "
        "kind: curve points, comparisons or timings."
    )


def _of_costs(results: Sequence[CurvePoint]) -> PaperPicture:
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
        lines.append(PaperLine(name, values, costs, structured_style(name)))
    label = "mean cost of a graph (nodes and links)"
    return PaperPicture(f"mean cost over {knob}", knob, label, tuple(lines))


def _of_thresholds(results: Sequence[Comparison]) -> PaperPicture:
    """Return how often each selection decides as the original, over its threshold."""
    at = tuple(result.threshold for result in results)
    agreed = {
        "trimmed": [result.trimmed.agreement for result in results],
        "same_decision": [result.same_decision.agreement for result in results],
        "information": [result.information.agreement for result in results],
        "information_kept": [result.information_agreement for result in results],
    }
    lines = [
        PaperLine(SELECTIONS[kind].title, at, tuple(values), SELECTIONS[kind])
        for kind, values in agreed.items()
    ]
    return PaperPicture(
        "agreement with the original over its threshold",
        "decision threshold T",
        "expected classification agreement",
        tuple(lines),
    )


def _of_timings(results: Sequence[ContenderTiming]) -> PaperPicture:
    """Return the seconds of each contender over the number of features."""
    at: dict[str, list[tuple[float, float]]] = {}
    for timing in results:
        if timing.seconds is not None:
            point = (float(timing.n_features), timing.seconds)
            at.setdefault(timing.contender, []).append(point)
    lines = []
    for name, points in at.items():
        x, y = zip(*sorted(points), strict=True)
        lines.append(PaperLine(name, x, y, method_style(CONTENDERS[name])))
    return PaperPicture(
        "time to train", "features", "seconds", tuple(lines), True, True
    )
