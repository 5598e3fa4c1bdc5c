"""Headers that every response of the server carries: what a page may load and do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tornado.httputil import HTTPHeaders
from tornado.web import OutputTransform

from solvers.errors import DataError, shown

# Each exception to "only this server" was measured: without it the page breaks.
# Bokeh's page starts by a script inside of it, its CustomJS models compile text, and
# Panel's own components are modules made of text, fetched from themselves (blob:).
# Material components make their styles while they run.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
# Nothing of this is used: a script that got in could not ask for it either.
PERMISSIONS = (
    *("accelerometer", "autoplay", "camera", "display-capture", "geolocation"),
    *("gyroscope", "magnetometer", "microphone", "midi", "payment", "usb"),
)
ANCESTOR = re.compile(r"(https?://)?(\*\.)?[A-Za-z0-9.-]+(:(\d{1,5}|\*))?")


def content_policy(ancestors: Sequence[str] = ()) -> str:
    """Return what the pages may load, and who may show them in a frame.

    `ancestors`: origins of other sites that may embed the app, as
    ``https://school.org``.
    """
    for ancestor in ancestors:
        if not ANCESTOR.fullmatch(ancestor):
            raise DataError(
                f"{shown(ancestor)} is no origin that may embed the app; write it as "
                "https://school.org or http://localhost:8888."
            )
    policy = {**POLICY, "frame-ancestors": " ".join(["'self'", *ancestors])}
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())


def security_headers(ancestors: Sequence[str] = ()) -> type[OutputTransform]:
    """Return what adds the headers to every response, errors and files included."""
    headers = {
        "Content-Security-Policy": content_policy(ancestors),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{name}=()" for name in PERMISSIONS),
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }

    class SecurityHeaders(OutputTransform):
        def transform_first_chunk(
            self, status_code: int, headers_: HTTPHeaders, chunk: bytes, finishing: bool
        ) -> tuple[int, HTTPHeaders, bytes]:
            headers_.update(headers)
            if "Server" in headers_:  # the version is nobody's business
                del headers_["Server"]
            return status_code, headers_, chunk

    return SecurityHeaders
