"""Whether the token that a websocket shows is one that this server gave to a page."""

from __future__ import annotations

from bokeh.server.tornado import BokehTornado
from bokeh.util.token import check_token_signature

# What text that is no token, or no message, makes Bokeh's parsers say.
MALFORMED = (
    *(ValueError, TypeError, KeyError, AttributeError),
    *(AssertionError, RecursionError),
)


def offered_token(protocols: str) -> str:
    """Return the token in a header of protocols, of which it is the last."""
    return protocols.rpartition(",")[2].strip()


def is_ours(token: str, app: BokehTornado) -> bool:
    """Return whether a token was signed here; text from anywhere may stand for one."""
    try:
        return bool(
            check_token_signature(
                token, signed=app.sign_sessions, secret_key=app.secret_key
            )
        )
    except MALFORMED:
        return False
