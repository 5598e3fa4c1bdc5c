"""Stylesheets of the template's themes: looked up once, not at every change of a text.

Panel asks a theme for them whenever a pane of text changes, and each time the disk is
asked whether they are there. Waiting for the disk, a page's thread lets those that
compute take the interpreter.
"""

from __future__ import annotations

import param
from panel_material_ui.theme import MuiDarkTheme, MuiDefaultTheme


def keep_theme_files() -> None:
    """Let each theme keep where its stylesheets were found."""
    for theme in (MuiDefaultTheme, MuiDarkTheme):
        for name in ("css", "base_css"):
            if isinstance(theme.param[name], param.Filename):
                found = param.Parameter(default=getattr(theme, name))
                theme.param.add_parameter(name, found)
