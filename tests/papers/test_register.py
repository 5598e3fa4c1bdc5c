"""Only figures that can be computed are recorded."""

from solvers.papers import findings
from solvers.papers.recording import RECORDED
from solvers.papers.register import computed


def test_only_figures_that_can_be_computed_are_recorded():
    import json

    kept = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    assert set(kept) <= set(computed())
    for key in computed():
        assert (findings(key) is None) == (key not in kept)
