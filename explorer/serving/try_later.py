"""What somebody is told who cannot have a page now: why, and when to ask again."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from tornado.web import HTTPError

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{seconds}"></head>
<body style="font-family: sans-serif; max-width: 34rem; margin: 4rem auto">
<h1>{title}</h1>
<p>{sentence} This page tries again by itself.</p></body></html>
"""


@dataclass(frozen=True)
class TryLaterReason:
    """What a person reads, and how long to wait."""

    title: str
    sentence: str
    seconds: int  # until it is worth asking again


FULL = TryLaterReason(
    "Thriftscope is full just now",
    "Every place on this server is taken. A place becomes free when somebody closes "
    "the page.",
    60,
)
BUSY = TryLaterReason(
    "Many people open Thriftscope just now",
    "Pages are made one after the other, and too many are waited for.",
    5,
)
LEFT = TryLaterReason("You have left", "Nobody waits for this page any more.", 5)


class TryLaterError(HTTPError):
    """Status 503, for a reason that a person can read."""

    def __init__(self, reason: TryLaterReason) -> None:
        super().__init__(503)
        self.why = reason

    def page(self) -> str:
        """Return what a browser shows."""
        return PAGE.format(
            title=escape(self.why.title),
            sentence=escape(self.why.sentence),
            seconds=self.why.seconds,
        )
