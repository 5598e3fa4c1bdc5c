"""What could not be done with a message: a sentence for the page, the rest in the log.

Bokeh would send the traceback, and write the whole message into the log.
"""

from __future__ import annotations

import logging
import reprlib
import traceback

from bokeh.protocol.message import Message

FAILED = "The server could not do what was asked; its log says why."
LOGGERS = ("bokeh.server.protocol_handler", "bokeh.server.views.ws")
MOST_LOGGED = 20_000  # characters of a traceback: its end says what went wrong
MOST_SAID = 2_000  # characters of a line of it


class ShortRecords(logging.Filter):
    """Bounds what a record quotes of a message: who sends one may send millions."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record, and let it pass."""
        if isinstance(record.args, tuple):
            record.args = tuple(map(_short, record.args))
        if record.exc_info and record.exc_info[0] and not record.exc_text:
            told = "".join(traceback.format_exception(*record.exc_info))
            lines = [line[:MOST_SAID] for line in told[-MOST_LOGGED:].splitlines()]
            record.exc_text = "\n".join(lines)
        return True


def shorten_records() -> None:
    """Have the log quote messages in short; a second call changes nothing."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, ShortRecords) for one in logger.filters):
            logger.addFilter(ShortRecords())


class _Short(str):
    """A text that is quoted as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _short(quoted: object) -> object:
    if isinstance(quoted, int | float):
        return quoted
    if isinstance(quoted, Message):
        return _Short(f"Message {quoted.msgtype!r}: {reprlib.repr(quoted.content)}")
    return _Short(reprlib.repr(quoted) if not isinstance(quoted, str) else quoted[:200])
