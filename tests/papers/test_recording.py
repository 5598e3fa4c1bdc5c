"""Findings on disk are read back, and none is of a figure that nothing computes."""

from solvers.papers import Finding, record
from solvers.papers.recording import read


def test_what_is_recorded_is_read_back(tmp_path):
    path = tmp_path / "recorded.json"
    found = [Finding("It is so.", "yes", "+1 ± 2", "within noise")]
    record("ACAFH Fig. 2", found, "abc", path)
    record("ECA Fig. 1", [], "def", path)
    import json

    kept = json.loads(path.read_text("utf-8"))
    assert list(read(kept["ACAFH Fig. 2"])) == found
    assert kept["ACAFH Fig. 2"]["code"] == "abc"
