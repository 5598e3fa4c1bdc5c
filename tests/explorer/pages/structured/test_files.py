"""An upload is capped, must be text, and says what it means."""

import pytest

from explorer.pages.structured.files import MAX_BYTES, graph_of, text_of
from explorer.session.opened_files import opened_file
from solvers.errors import InterchangeError


def test_uploads_are_capped_and_must_be_text():
    with pytest.raises(InterchangeError, match="give at most 16"):
        text_of(b"x" * (MAX_BYTES + 1), "nodes.csv")
    with pytest.raises(InterchangeError, match="not text in UTF-8"):
        text_of(b"\xff\xfe\x00", "nodes.csv")
    assert text_of("id,é\n".encode(), "n.csv").read() == "id,é\n"


def test_a_number_that_may_be_read_in_two_ways_is_told_with_what_to_write():
    nodes = b"id,label,age\na,one,1.230\nb,two,950\n"
    files = [
        opened_file(role, f"{role}.csv", content)
        for role, content in [("nodes", nodes), ("edges", b"source,target\na,b\n")]
    ]
    told = r"'1\.230' may be 1\.23 or 1230; write the numbers of its column"
    with pytest.raises(InterchangeError, match=told):
        graph_of(files)
