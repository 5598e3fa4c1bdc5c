"""Pages, one a folder. A page that has no folder is not in the menu.

The module ``page`` of a folder has a constant ``PAGE``: its name in the URL, its
place in the menu and the function that builds it for a session. What the page asks is
the constant ``QUESTION`` of the folder itself: it is shown before pages are imported.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ..session.page import Page, PageParts

__all__ = ["Page", "PageParts", "all_pages", "questions"]


@cache
def all_pages() -> dict[str, Page]:
    """Return every page by its name, in the order of the menu."""
    modules = (
        importlib.import_module(f"{__name__}.{info.name}.page")
        for info in pkgutil.iter_modules(__path__)
    )
    pages = [module.PAGE for module in modules]
    return {page.name: page for page in sorted(pages, key=lambda page: page.order)}


@cache
def questions() -> dict[str, str]:
    """Return what each page asks by the page's name, without importing the pages."""
    packages = (info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    return {
        name: importlib.import_module(f"{__name__}.{name}").QUESTION
        for name in packages
    }
