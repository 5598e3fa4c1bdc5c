"""Pages, one a folder. A page that has no folder is not in the menu.

The module ``page`` of a folder has a constant ``PAGE``: its name in the URL, its
place in the menu and the function that builds it for a session.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ..session.page import Page, PageParts

__all__ = ["Page", "PageParts", "all_pages"]


@cache
def all_pages() -> dict[str, Page]:
    """Return every page by its name, in the order of the menu."""
    modules = (
        importlib.import_module(f"{__name__}.{info.name}.page")
        for info in pkgutil.iter_modules(__path__)
    )
    pages = [module.PAGE for module in modules]
    return {page.name: page for page in sorted(pages, key=lambda page: page.order)}
