"""What opening the app costs the server, beside a bare page in the same run.

``python -m benchmarks.opening`` builds both in turns and writes processor time and how
many models each sends. The bare page has the same template, menu and controls, and
three figures with as many marks; it computes nothing and is laid out in one column.

What the app sends once the browser has the page, below the fold, is told apart: piece
by piece, since other people are served between two of them.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import panel as pn
import panel_material_ui as pmui
from bokeh.document import Document
from bokeh.plotting import figure
from panel.io.state import set_curdoc

from explorer.app import Explorer, open_session
from solvers import all_methods

from .machine import machine

RESULT = Path(__file__).parent / "results" / "opening.json"
ROUNDS = 5
MARKS = (11, 3, 2)  # Renderers of the app's three figures as it opens
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
    opened: dict[str, list[Opening]] = {"app": [], "bare page": []}
    for number in range(ROUNDS + 1):
        for name, build in (("app", _app), ("bare page", bare_page)):
            opening = _open(build)
            if number:  # the first one imports and warms up
                opened[name].append(opening)
    app, bare = (
        statistics.median(opening.seconds for opening in opened[name])
        for name in ("app", "bare page")
    )
    below = [opening.pieces for opening in opened["app"]]
    results = {
        "machine": machine(),
        "models": {name: found[0].n_models for name, found in opened.items()},
        "processor time, ms": {"app": _ms(app), "bare page": _ms(bare)},
        "app beside bare page": round(app / bare, 2),
        "afterwards, ms": {
            "in all": _ms(statistics.median(map(sum, below))),
            "longest piece": _ms(statistics.median(map(max, below))),
        },
        "rounds": ROUNDS,
    }
    text = json.dumps(results, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _open(build: Callable[[], tuple[Any, Explorer | None]]) -> Opening:
    """Open a page in a session of its own.

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


def bare_page() -> tuple[Any, None]:
    """Return a page with as much on it, and no explorer."""
    wide = {"sizing_mode": "stretch_width"}
    controls = [
        *(pmui.FloatSlider(label=f"Slider {k}", **wide) for k in range(SLIDERS)),
        *(pmui.Select(label=f"Menu {k}", options=["a"], **wide) for k in range(MENUS)),
        pmui.CheckBoxGroup(label="Methods", options=list(all_methods())),
        pmui.Switch(label="Switch"),
    ]
    page = pmui.Page(
        title="Bare",
        sidebar=[pmui.MenuList(items=[f"Page {k}" for k in range(PAGES)]), *controls],
        main=[pn.pane.Bokeh(_figure(n), **wide) for n in MARKS],
    )
    return page, None


def _figure(n_marks: int) -> Any:
    plot = figure(height=330, sizing_mode="stretch_width", output_backend="canvas")
    for _ in range(n_marks):
        plot.scatter([0.0, 1.0], [0.0, 1.0])
    return plot


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


if __name__ == "__main__":
    main()
