"""Figures of results as HoloViews objects, for notebooks and print.

Every function takes results and returns an element, an overlay or a layout that
composes (``+``, ``*``, ``.opts``), shows itself in the last line of a notebook cell,
and is written to a file by `save`; `holomap` makes a page whose slider needs no
server. They are described in `explorer.figures`, for the app and for print alike.

>>> from explorer import plots
>>> plots.__all__[:2]
['budget_bars', 'cascade_exits']
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Each stands in a file of its name, but for these.
_HOMES = {"budget_bars": "frontier", "save": "saving"}

__all__ = [
    "budget_bars",
    "cascade_exits",
    "cascade_journey",
    "frontier",
    "holomap",
    "hypergraph",
    "lesson",
    "paper_figure",
    "proven_floor",
    "regularisation_path",
    "save",
    "structured_graph",
    "trimming_tree",
]


def __getattr__(name: str) -> Any:
    # HoloViews is slow to import: whoever only wants a layout does not wait for it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"..figures.{_HOMES.get(name, name)}", __name__)
    found = getattr(home, name)
    globals()[name] = found
    return found
