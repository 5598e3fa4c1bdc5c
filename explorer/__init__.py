"""Thriftscope's app: ``explorer.app()`` shows it in a notebook.

``explorer.HypergraphEditor(hypergraph)`` shows the editor alone; its ``hypergraph`` is
the edited one.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .app import Explorer
    from .pages.problem.hypergraph_editor import HypergraphEditor

__all__ = ["HypergraphEditor", "app"]


def app(**options: Any) -> Explorer:
    """Return the app, for the last line of a notebook cell.

    Parameters
    ----------
    **options
        For :class:`explorer.app.Explorer`.

    Returns
    -------
    Explorer
    """
    # The screen is slow to import: whoever only wants the exports does not wait for it.
    from .app import Explorer, extension

    extension()
    return Explorer(**options)


def __getattr__(name: str) -> Any:
    if name != "HypergraphEditor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .app import extension
    from .pages.problem.hypergraph_editor import HypergraphEditor

    extension()
    return HypergraphEditor


class _Package(ModuleType):
    """Keeps the function ``app`` where an import would put the module of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "app" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
