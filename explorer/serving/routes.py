"""Addresses of the server besides the app itself: its root, manifest, icons, files."""

from __future__ import annotations

import base64
import json
import re
import sys
from typing import Any

from panel.io.server import ComponentResourceHandler
from panel_material_ui.base import DIST_PATH
from tornado.web import HTTPError, RequestHandler, StaticFileHandler

from ..widgets.assets import asset_folder
from .first_theme import ask_for_theme

MANIFEST = "manifest.webmanifest"
ICON_WIDTHS = (192, 512)
# Whether this process serves the manifest as a file; `panel serve` cannot.
_served: set[str] = set()


def announce_manifest() -> None:
    """Say that this process serves the manifest, and the icons, beside the app."""
    _served.add(MANIFEST)


def manifest() -> dict[str, Any]:
    """Return the manifest.

    Addresses are relative to the manifest's, which lies beside the app.
    """
    icons = [
        {"src": f"icons/icon-{n}.png", "sizes": f"{n}x{n}", "type": "image/png"}
        for n in ICON_WIDTHS
    ]
    scalable = {"src": "icons/icon.svg", "sizes": "any", "type": "image/svg+xml"}
    return {
        "name": "Thriftscope",
        "short_name": "Thriftscope",
        "description": "Which features can you afford to compute before you must "
        "answer?",
        "start_url": "./app",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#0b4a75",
        "icons": [*icons, scalable],
    }


def manifest_link(request: Any) -> str:
    """Return the address of the manifest for a page.

    Relative to the page; or, where no server has the file, all of it as a ``data:``
    address; empty where nobody asked.
    """
    if MANIFEST in _served:
        return MANIFEST
    host = getattr(request, "host", None)
    if host is None:  # a server that warms up has nobody who asks
        return ""
    start = f"{request.protocol}://{host}{request.path}"
    whole = manifest() | {"start_url": start, "scope": f"{start.rsplit('/', 1)[0]}/"}
    whole["icons"] = [
        icon | {"src": _data(icon["type"], _icon(icon["src"]))}
        for icon in whole["icons"]
    ]
    return _data("application/manifest+json", json.dumps(whole).encode())


def _icon(address: str) -> bytes:
    return (asset_folder() / address).read_bytes()


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


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
