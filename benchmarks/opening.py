"""What opening the app costs the server, beside a bare page in the same run.

``python -m benchmarks.opening`` builds both in turns and writes processor time and how
many models each sends. The bare page has the same template, menu and controls, and as
many figures and marks, counted as the app opens; it computes nothing and is laid out in
one column. As on a server, what the page opens on has been computed for all; before
that it has fewer marks to send, and is measured beside a bare page with as few.

What the app sends once the browser has the page, below the fold, is told apart: piece
by piece, since other people are served between two of them.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import panel as pn
import panel_material_ui as pmui
from bokeh.document import Document
from bokeh.models import Plot
from bokeh.plotting import figure
from panel.io.state import set_curdoc

from explorer.app import Explorer, open_session
from explorer.pages.frontier.queries import warm_frontier
from solvers import all_methods

from .machine import machine

RESULT = Path(__file__).parent / "results" / "opening.json"
ROUNDS = 15
# Controls in sight as it opens
SLIDERS, MENUS, PAGES = 3, 7, 8
REQUEST = {
    **{"protocol": "http", "host": "localhost:5006", "uri": "/app"},
    **{"arguments": {}, "cookies": {}},
}


@dataclass
class Opening:
    """What opening a page took."""

    seconds: float  # Of this thread, until the document is ready to be sent
    n_models: int  # Of that document
    pieces: list[float] = field(default_factory=list)  # Seconds of each, afterwards


@dataclass
class Visitor:
    """Whose session it is, as far as a page asks."""

    request: SimpleNamespace
    id: str = "visitor"
    server_context: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(sessions=[])
    )


def main() -> None:
    """Measure, print and write the results."""
    before = machine()
    results: dict[str, Any] = {"machine": before, "rounds": ROUNDS}
    results["before its picture is computed"] = _measure()
    warm_frontier()
    results |= _measure()
    text = json.dumps(results, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _measure() -> dict[str, Any]:
    """Return what opening the app takes now, beside a page with as many marks."""
    marks = marks_of_app()
    opened: dict[str, list[Opening]] = {"app": [], "bare page": []}
    builds = {"app": _app, "bare page": lambda: (bare_page(marks), None)}
    for number in range(ROUNDS + 1):
        for name, build in builds.items():
            opening = _open(build)
            if number:  # the first one imports and warms up
                opened[name].append(opening)
    seconds = {name: [one.seconds for one in all_] for name, all_ in opened.items()}
    ratios = [app / bare for app, bare in zip(*seconds.values(), strict=True)]
    below = [opening.pieces for opening in opened["app"]]
    return {
        "marks": marks,
        "models": {name: found[0].n_models for name, found in opened.items()},
        "processor time, ms": {
            name: _ms(statistics.median(all_)) for name, all_ in seconds.items()
        },
        "app beside bare page": round(statistics.median(ratios), 2),
        "of a round, least and most": [round(min(ratios), 2), round(max(ratios), 2)],
        "afterwards, ms": {
            "in all": _ms(statistics.median(map(sum, below))),
            "longest piece": _ms(statistics.median(map(max, below))),
        },
    }


def marks_of_app() -> list[int]:
    """Return how many renderers each figure has that the app opens on."""
    found: list[int] = []

    def look(document: Document) -> None:
        plots = (one for one in document.models if isinstance(one, Plot))
        found.extend(len(plot.renderers) for plot in plots)

    _open(_app, look)
    return found


def _open(
    build: Callable[[], tuple[Any, Explorer | None]],
    look: Callable[[Document], None] = lambda document: None,
) -> Opening:
    """Open a page in a session of its own, and look at it.

    What is trained meanwhile is on threads of its own and not counted.
    """
    document, visitor = Document(), Visitor(SimpleNamespace(**REQUEST))
    document._session_context = weakref.ref(visitor)
    gc.collect()
    with set_curdoc(document):
        started = time.thread_time()
        page, explorer = build()
        page.server_doc(document)
        document.to_json()
        opening = Opening(time.thread_time() - started, len(list(document.models)))
        look(document)
        if explorer is not None:
            opening.pieces = _pieces(document)
            explorer.close()
    return opening


def _pieces(document: Document) -> list[float]:
    """Return the seconds of each thing that a page does once its browser has it."""
    for loaded, _ in pn.state._onload.pop(document):
        loaded()
    seconds = []
    while waiting := list(document.callbacks.session_callbacks):
        for one in waiting:
            document.callbacks.remove_session_callback(one)
            started = time.thread_time()
            one.callback()
            seconds.append(time.thread_time() - started)
    return seconds


def _app() -> tuple[Any, Explorer]:
    explorer = open_session()
    return explorer.page, explorer


def bare_page(marks: Sequence[int]) -> Any:
    """Return a page with as much on it; `marks` of each of its figures."""
    wide = {"sizing_mode": "stretch_width"}
    controls = [
        *(pmui.FloatSlider(label=f"Slider {k}", **wide) for k in range(SLIDERS)),
        *(pmui.Select(label=f"Menu {k}", options=["a"], **wide) for k in range(MENUS)),
        pmui.CheckBoxGroup(label="Methods", options=list(all_methods())),
        pmui.Switch(label="Switch"),
    ]
    return pmui.Page(
        title="Bare",
        sidebar=[pmui.MenuList(items=[f"Page {k}" for k in range(PAGES)]), *controls],
        main=[pn.pane.Bokeh(_figure(n), **wide) for n in marks],
    )


def _figure(n_marks: int) -> Any:
    plot = figure(height=330, sizing_mode="stretch_width", output_backend="canvas")
    for _ in range(n_marks):
        plot.scatter([0.0, 1.0], [0.0, 1.0])
    return plot


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


if __name__ == "__main__":
    main()
