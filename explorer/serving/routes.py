"""Addresses of the server besides the app itself: its root, manifest, icons, files."""

from __future__ import annotations

import re
import sys
from typing import Any

from panel.io.server import ComponentResourceHandler
from panel_material_ui.base import DIST_PATH
from tornado.web import HTTPError, RequestHandler, StaticFileHandler

from ..widgets.assets import asset_folder
from .first_theme import ask_for_theme
from .manifest import MANIFEST, announce_manifest, manifest

ICON_FONTS = "material-icons.css"
FONT_RULE = re.compile(r"@font-face \{[^}]*\}")


def routes() -> list[tuple[Any, ...]]:
    """Return the addresses as Bokeh's ``extra_patterns``."""
    announce_manifest()
    ask_for_theme()
    icons = {"path": str(asset_folder() / "icons")}
    return [
        (r"/?", _Root),
        (rf"/{MANIFEST}", _Manifest),
        (r"/icons/([a-z0-9-]+\.(?:png|svg))", StaticFileHandler, icons),
        (r"/components/(.*)", _LoadedComponents, {}),
        (rf"/static/extensions/panel-material-ui/{ICON_FONTS}", _IconFonts),
    ]


class _Root(RequestHandler):
    """Sends to the app, with whatever a link says."""

    def get(self) -> None:
        # Relative, since a proxy may have put a prefix before the path.
        above = self.request.path.rsplit("/", 1)[-1]
        query = f"?{self.request.query}" if self.request.query else ""
        self.redirect(f"{above or '.'}/app{query}")


class _Manifest(RequestHandler):
    def get(self) -> None:
        self.write(manifest())
        self.set_header("Content-Type", "application/manifest+json")


class _LoadedComponents(ComponentResourceHandler):
    """Files of components that some page has loaded.

    Panel imports whatever module an address names; nobody may have code run that way.
    """

    def parse_url_path(self, path: str) -> str:
        if path.split("/")[0] not in sys.modules:
            raise HTTPError(404)
        return super().parse_url_path(path)


class _IconFonts(RequestHandler):
    """The template's fonts of icons.

    Its file has those of text as well, without the characters of each, so that browsers
    load all scripts; another of its files names them with theirs.
    """

    def get(self) -> None:
        rules = FONT_RULE.findall((DIST_PATH / ICON_FONTS).read_text(encoding="utf-8"))
        self.set_header("Content-Type", "text/css")
        self.set_header("Cache-Control", "max-age=86400")
        self.write("\n".join(rule for rule in rules if '"Material Icons' in rule))
