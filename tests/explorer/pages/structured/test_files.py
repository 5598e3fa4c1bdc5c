"""An upload is capped and must be text."""

import pytest

from explorer.pages.structured.files import MAX_BYTES, text_of
from solvers.errors import InterchangeError


def test_uploads_are_capped_and_must_be_text():
    with pytest.raises(InterchangeError, match="give at most 16"):
        text_of(b"x" * (MAX_BYTES + 1), "nodes.csv")
    with pytest.raises(InterchangeError, match="not text in UTF-8"):
        text_of(b"\xff\xfe\x00", "nodes.csv")
    assert text_of("id,é\n".encode(), "n.csv").read() == "id,é\n"
