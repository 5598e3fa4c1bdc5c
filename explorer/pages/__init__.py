"""Pages, one a file. A page that has no file is not in the menu.

A page module has a constant ``PAGE``: its name in the URL, its place in the menu and
the function that builds it for a session.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .base import Page, PageParts

__all__ = ["Page", "PageParts", "all_pages"]


@cache
def all_pages() -> dict[str, Page]:
    """Return every page by its name, in the order of the menu.

    Returns
    -------
    dict of str to Page
    """
    modules = (
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
        if info.name != "base"
    )
    pages = [module.PAGE for module in modules if hasattr(module, "PAGE")]
    return {page.name: page for page in sorted(pages, key=lambda page: page.order)}
