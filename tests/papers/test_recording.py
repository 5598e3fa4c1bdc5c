"""Findings on disk are read back, and none is of a figure that nothing computes."""

from __future__ import annotations

from solvers.papers import Finding, findings, record
from solvers.papers.recording import RECORDED, computed


def test_what_is_recorded_is_read_back(tmp_path):
    path = tmp_path / "recorded.json"
    found = [Finding("It is so.", "yes", "+1 ± 2", "within noise")]
    record("ACAFH Fig. 2", found, "abc", path)
    record("ECA Fig. 1", [], "def", path)
    import json

    kept = json.loads(path.read_text("utf-8"))
    assert [Finding(**one) for one in kept["ACAFH Fig. 2"]["findings"]] == found
    assert kept["ACAFH Fig. 2"]["code"] == "abc"


def test_only_figures_that_can_be_computed_are_recorded():
    import json

    kept = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    assert set(kept) <= set(computed())
    for key in computed():
        assert (findings(key) is None) == (key not in kept)
