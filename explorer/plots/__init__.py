"""Figures, each described once as a HoloViews object.

Every function takes results and returns an element, an overlay or a layout that
composes (``+``, ``*``, ``.opts``), shows itself in the last line of a notebook cell,
and is written to a file by `save`; `holomap` makes a page whose slider needs no
server.

>>> from explorer import plots
>>> plots.__all__[:2]
['budget_bars', 'cascade_exits']
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

# A file is not called as its function: the file would hide the function here.
_HOMES = {"save": "saving"}
_FILES = [file.name for file in iter_modules(__path__) if file.name.startswith("_")]

__all__ = sorted([*(file[1:] for file in _FILES), *_HOMES])


def __getattr__(name: str) -> Any:
    # HoloViews is slow to import: whoever only wants a layout does not wait for it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f".{_HOMES.get(name, f'_{name}')}", __name__)
    found = getattr(home, name)
    globals()[name] = found
    return found
