"""Which sites may have a page built and read what names its session."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bokeh.server.util import check_allowlist

BY_ITSELF = ("same-origin", "none")  # The app's own pages, and what a person types
PORT_OF = {"https": "443", "http": "80"}


class Origins:
    """Those of the app itself, and of sites that may embed it.

    `hosts`: names under which people reach the app, as ``name:port``. `ancestors`:
    sites of ``--embed-in``.
    """

    def __init__(self, hosts: Iterable[str], ancestors: Sequence[str] = ()) -> None:
        self._hosts = list(hosts)
        self._ancestors = [_pattern(ancestor) for ancestor in ancestors]

    def include(self, origin: str, host: str) -> bool:
        """Return whether an origin is ours; `host` has passed the gate."""
        scheme, _, name = origin.lower().partition("://")
        if scheme not in PORT_OF or not name:
            return False
        if name == host.lower() or check_allowlist(name, self._hosts):
            return True
        full = name if ":" in name else f"{name}:{PORT_OF[scheme]}"
        return any(one.fullmatch(f"{scheme}://{full}") for one in self._ancestors)

    def may_read(self, headers: Mapping[str, str], host: str) -> bool:
        """Return whether a script may be told of a session that is made for it.

        A page of another site that loads it as a script says no origin, and reads it.
        """
        if "Origin" in headers:
            return self.include(headers["Origin"], host)
        return headers.get("Sec-Fetch-Site") in BY_ITSELF

    def may_open(self, headers: Mapping[str, str], host: str) -> bool:
        """Return whether a page may be built: not as a picture of another site's."""
        if "Origin" in headers:
            return self.include(headers["Origin"], host)
        is_theirs = headers.get("Sec-Fetch-Site", "none") not in BY_ITSELF
        return not is_theirs or headers.get("Sec-Fetch-Mode") == "navigate"


def _pattern(ancestor: str) -> re.Pattern[str]:
    """Return what matches an origin with its port, read as browsers read a policy."""
    scheme, _, rest = ancestor.lower().rpartition("://")
    host, _, port = rest.partition(":")
    name = re.escape(host).replace(r"\*\.", r"([a-z0-9-]+\.)+")
    ports = {"*": r"\d+", "": None}.get(port, port)
    schemes = [scheme] if scheme else PORT_OF
    return re.compile(
        "|".join(f"{one}://{name}:{ports or PORT_OF[one]}" for one in schemes)
    )
