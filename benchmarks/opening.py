"""What opening the app costs the server, beside a bare page in the same run.

``python -m benchmarks.opening`` builds both in turns and writes processor time and how
many models each sends. The bare page has the same template, menu and controls, and
three figures with as many marks; it computes nothing and is laid out in one column.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
from bokeh.document import Document
from bokeh.plotting import figure
from panel.io.state import set_curdoc

from explorer.app import Explorer, open_session

from .machine import machine

RESULT = Path(__file__).parent / "results" / "opening.json"
ROUNDS = 5
MARKS = (11, 3, 2)  # Renderers of the app's three figures as it opens
SLIDERS, MENUS = 3, 4


def main() -> None:
    """Measure, print and write the results."""
    seconds: dict[str, list[float]] = {"app": [], "bare page": []}
    models: dict[str, int] = {}
    for number in range(ROUNDS + 1):
        for name, build in (("app", _app), ("bare page", _bare)):
            took, n_models = _open(build)
            models[name] = n_models
            if number:  # the first one imports and warms up
                seconds[name].append(took)
    app, bare = (statistics.median(seconds[name]) for name in ("app", "bare page"))
    results = {
        "machine": machine(),
        "models": models,
        "processor time, ms": {"app": _ms(app), "bare page": _ms(bare)},
        "app beside bare page": round(app / bare, 2),
        "rounds": ROUNDS,
    }
    text = json.dumps(results, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _open(build: Callable[[], tuple[Any, Explorer | None]]) -> tuple[float, int]:
    """Return this thread's seconds until a document is ready to be sent, and its size.

    What is trained meanwhile is on threads of its own and not counted.
    """
    document = Document()
    gc.collect()
    with set_curdoc(document):
        started = time.thread_time()
        page, explorer = build()
        page.server_doc(document)
        document.to_json()
        took = time.thread_time() - started
    n_models = len(list(document.models))
    if explorer is not None:
        explorer.close()
    return took, n_models


def _app() -> tuple[Any, Explorer]:
    explorer = open_session()
    return explorer.page, explorer


def _bare() -> tuple[Any, None]:
    wide = {"sizing_mode": "stretch_width"}
    controls = [
        *(pmui.FloatSlider(label=f"Slider {k}", **wide) for k in range(SLIDERS)),
        *(pmui.Select(label=f"Menu {k}", options=["a"], **wide) for k in range(MENUS)),
        pmui.CheckBoxGroup(label="Methods", options=["a", "b"]),
        pmui.Switch(label="Switch"),
    ]
    page = pmui.Page(
        title="Bare",
        sidebar=[pmui.MenuList(items=["a", "b"]), *controls],
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
