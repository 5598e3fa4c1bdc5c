"""Where a page is, for any address that it may be asked for under.

Panel takes a request's address apart by its colons and question marks, and makes an
empty page of one that has more of them: ``http://[::1]:5006/app``, ``/app?a=b?c``.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from panel.io import location


def locate_pages() -> None:
    """Have Panel take addresses apart as RFC 3986 does."""
    location._get_location_params = _parts


def _parts(protocol: str | None, host: str | None, uri: str | None) -> dict[str, str]:
    """Return the parts of an address by the names that a browser gives them."""
    name, _, port = (host or "").rpartition(":")
    if not name or not port.isdecimal():
        name, port = host or "", ""
    path, _, fragment = (uri or "").partition("#")
    path, _, search = path.partition("?")
    if not path.startswith("/"):
        path = _path_of_whole(path)
    parts = {
        "protocol": protocol and f"{protocol}:",
        "hostname": name,
        "port": port,
        "pathname": path,
        "search": search and f"?{search}",
        "hash": fragment and f"#{fragment}",
    }
    told = {key: value for key, value in parts.items() if value}
    origin = f"{told.get('protocol', '')}{'//' if host else ''}{host or ''}"
    rest = "".join(told.get(key, "") for key in ("pathname", "search", "hash"))
    return {**told, "href": origin + rest}


def _path_of_whole(address: str) -> str:
    """Return the path of an address that begins with its protocol."""
    try:
        return urlsplit(address).path or "/"
    except ValueError:  # a bracket of a host that is not closed
        return "/"
