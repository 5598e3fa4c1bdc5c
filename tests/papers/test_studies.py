"""A study gives its rows when it is called, and what follows; findings are kept."""

from __future__ import annotations

import pytest

from solvers import ThriftscopeError
from solvers.papers import Finding, findings, record
from solvers.papers.claims import Above, Ahead, Claim, Row
from solvers.papers.studies import (
    RECORDED,
    Axes,
    check_sizes,
    computed,
    figure_table,
    study,
)


@pytest.fixture
def tiny():
    @study("Tiny Fig. 1", pair="seed", pairs="seeds", step=("seed",), n_steps=4)
    def tiny(seeds: int = 4):
        """Yield two costs a seed."""
        for seed in range(seeds):
            yield Row(seed=seed, method="a", cost=1.0 + seed)
            yield Row(seed=seed, method="b", cost=2.0 + seed)

    tiny.claims = [Claim("a is cheaper.", "2 %", Ahead("a", of="b", by="-cost"))]
    return tiny


def test_calling_a_study_gives_its_rows(tiny):
    assert [row.cost for row in tiny(2)] == [1.0, 2.0, 2.0, 3.0]
    assert tiny.key == "Tiny Fig. 1"
    assert tiny.__doc__ == "Yield two costs a seed."


def test_findings_follow_from_the_rows(tiny):
    (found,) = tiny.findings()
    assert (found.sentence, found.published, found.where) == (
        "a is cheaper.",
        "2 %",
        "Fig. 1",
    )
    assert found.outcome == "holds"
    assert tiny.judge(tiny(1))[0].outcome == "one run"
    assert tiny.measured(list(tiny())) == [
        "a is cheaper. Holds: a 2.5, b 3.5: +1 ± 0 over 4 seeds."
    ]


def test_claims_may_be_of_derived_rows_and_of_another_study_too(tiny):
    @study("Tiny Fig. 2", pair="seed", pairs="seeds", also=tiny)
    def other():
        return tiny(3)

    other.derive = lambda rows: [Row(seed=r.seed, twice=2 * r.cost) for r in rows]
    other.claims = [Claim("Twice is more.", "", Above("twice", 1.0))]
    assert [one.sentence for one in other.findings()] == [
        "Twice is more.",
        "a is cheaper.",
    ]


def test_progress_is_the_share_of_the_steps_that_came(tiny):
    rows = list(tiny())
    assert [tiny.share_done(rows[:n]) for n in (0, 1, 2, 3, 8)] == [
        0,
        0.25,
        0.25,
        0.5,
        1,
    ]


def test_a_table_is_made_of_rows_and_sizes_are_checked():
    axes = [Axes("x", ("y",), "who", {}), Axes("z", ("y",), "who", {})]
    assert list(figure_table(axes).x) == ["x", "z"]
    with pytest.raises(ThriftscopeError, match="A row of a figure is a int"):
        figure_table([1])
    with pytest.raises(ThriftscopeError, match="psis is empty"):
        check_sizes("psis", [], 0, 1)
    with pytest.raises(ThriftscopeError, match=r"psis holds 2; give .* 0 to 1"):
        check_sizes("psis", [0.5, 2], 0, 1)


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
