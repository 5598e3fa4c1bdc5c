"""Bytes come back from their text; what is endless or cut off does not."""

import pytest

from explorer.session.checked import packed, unpacked
from solvers.errors import InterchangeError
from tests.each import each


def test_bytes_come_back():
    assert unpacked(packed(b"rows" * 9), 36, "broken") == b"rows" * 9


@each("text", [packed(bytes(10**6)), packed(bytes(99))[:8], "AAAA", "é", "not base64"])
def test_what_is_endless_or_damaged_is_refused_in_the_sentence_that_is_given(text):
    with pytest.raises(InterchangeError, match="It is broken"):
        unpacked(text, 100, "It is broken; save it again.")
