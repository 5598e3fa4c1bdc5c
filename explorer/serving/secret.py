"""The secret that signs sessions: made once, kept for the account that serves."""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from bokeh.settings import settings
from bokeh.util.token import generate_secret_key
from platformdirs import user_state_path

from solvers.errors import DataError

log = logging.getLogger(__name__)

LEAST_BYTES = 32
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def secret_path() -> Path:
    """Return where the secret is kept between two runs."""
    return user_state_path("thriftscope") / "session-secret"


def session_secret() -> bytes:
    """Return what signs the sessions, the same at each start.

    It is BOKEH_SECRET_KEY where that is set; else a file of this account's, made at the
    first start. Where no file can be kept, each start has a secret of its own.
    """
    if given := (settings.secret_key() or "").encode():
        if len(given) < LEAST_BYTES:
            raise DataError(
                f"BOKEH_SECRET_KEY has {len(given)} bytes; give {LEAST_BYTES} at "
                "least, such as 'bokeh secret' prints."
            )
        return given
    path = secret_path()
    try:
        return _kept(path)
    except OSError as error:
        log.warning(
            "The secret of the sessions cannot be kept at %s (%s): pages that are open "
            "now must be loaded anew after a restart. BOKEH_SECRET_KEY would give one.",
            path,
            error.strerror,
        )
        return generate_secret_key().encode()


def _kept(path: Path) -> bytes:
    if not path.exists():
        _make(path)
    if os.name == "posix" and path.stat().st_mode & OTHERS:
        raise DataError(
            f"Others may read {str(path)!r}, the secret of the sessions; remove it, "
            "and the next start makes another."
        )
    secret = path.read_bytes()
    if len(secret) < LEAST_BYTES:
        raise DataError(
            f"{str(path)!r} holds {len(secret)} bytes, which is no secret; remove it, "
            "and the next start makes one."
        )
    return secret


def _make(path: Path) -> None:
    """Write a new secret whole, unless another process was quicker."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(dir=path.parent)  # of mode 600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(generate_secret_key().encode())
        with suppress(FileExistsError):
            os.link(written, path)
    finally:
        os.unlink(written)
