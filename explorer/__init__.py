"""Thriftscope's app: ``explorer.app()`` shows it in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .app import Explorer

__all__ = ["app"]


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
