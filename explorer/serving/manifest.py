"""What a browser needs to install the served app: its manifest, by whatever server."""

from __future__ import annotations

import base64
import json
from typing import Any

from ..widgets.assets import asset_folder

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
