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
    from .session.state import SessionState

__all__ = ["HypergraphEditor", "app"]


def app(
    data: Any = None,
    target: str | None = None,
    *,
    session: SessionState | None = None,
    **options: Any,
) -> Explorer:
    """Return the app, for the last line of a notebook cell.

    Parameters
    ----------
    data : DataFrame or Dataset, optional
        What it opens with: a frame of pandas, polars or Arrow, or a data set.
    target : str, optional
        The column of a frame that says which class a row is of.
    session : SessionState, optional
        Instead of `data`: what pages share.
    **options
        For ``solvers.datasets.from_frame``: costs, kinds of columns, groups of rows.

    Returns
    -------
    Explorer

    Raises
    ------
    DataError
        If the frame cannot be learned from, or does not match its costs.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = {"age": range(40), "pain": ["dull", "none", "sharp", "none"] * 10}
    >>> frame = pd.DataFrame({**rows, "ill": [0, 1] * 20})
    >>> shown = app(frame, target="ill", costs={"age": 1.0, "pain": 3.0}, unit="CAD")
    >>> shown.session.dataset.feature_names
    ('age', 'pain')
    >>> shown.close()
    """
    # The screen is slow to import: whoever only wants the exports does not wait for it.
    from .app import Explorer, extension
    from .session.state import opened_with

    if data is not None or target is not None or options:
        session = opened_with(data, target, session, options)
    extension()
    return Explorer(session)


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
