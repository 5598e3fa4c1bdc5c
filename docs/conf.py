"""How the docs are built: ``make docs-html``; offline, and a warning is an error."""

from __future__ import annotations

from typing import Any

from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx

from docs.reference import fill_in

project = "Thriftscope"
author = "The Thriftscope developers"
project_copyright = "The Thriftscope developers"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
]
exclude_patterns = ["notebooks", "__pycache__"]
root_doc = "index"

myst_heading_anchors = 3
myst_links_external_new_tab = False
autodoc_member_order = "groupwise"
autodoc_typehints = "none"
autodoc_default_options = {"show-inheritance": True}
autosummary_generate = False
numpydoc_show_class_members = False

html_theme = "alabaster"
html_title = "Thriftscope"
html_static_path = ["static"]
html_css_files = ["docs.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_theme_options = {
    "description": "Which features can you afford to compute before you must answer?",
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
    "code_font_family": "ui-monospace, Menlo, Consolas, monospace",
    "fixed_sidebar": True,
    "globaltoc_maxdepth": 2,
    "show_powered_by": False,
    "page_width": "1100px",
    "sidebar_width": "250px",
}


class _OneEnvironment:
    """What compiles a template once: numpydoc would for every docstring."""

    def __init__(self) -> None:
        self._made: SandboxedEnvironment | None = None

    def __call__(self, loader: Any) -> SandboxedEnvironment:
        self._made = self._made or SandboxedEnvironment(loader=loader)
        return self._made


docscrape_sphinx.SandboxedEnvironment = _OneEnvironment()


def setup(app: Any) -> None:
    """Let pages name what the reference describes."""

    def fill(app: Any, page: str, source: list[str]) -> None:
        source[0] = fill_in(source[0])

    app.connect("source-read", fill)
