"""What is packed in a session or a link is unpacked as far as it may be."""

import base64
import zlib

import pytest

from explorer.session.checked import packed, unpacked
from solvers.errors import InterchangeError
from tests.fuzz.bounded import bounded


def test_what_swells_is_refused_in_little_memory():
    bomb = packed(bytes(100_000_000))
    with bounded(megabytes=20), pytest.raises(InterchangeError, match="too large"):
        unpacked(bomb, 1000, "It is too large.")


def test_what_is_cut_off_is_refused():
    whole = zlib.compress(b"a" * 99)
    assert unpacked(base64.b64encode(whole).decode(), 99, "No.") == b"a" * 99
    with pytest.raises(InterchangeError, match="cut off"):
        unpacked(base64.b64encode(whole[:-1]).decode(), 99, "It is cut off.")
