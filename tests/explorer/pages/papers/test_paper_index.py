"""No verdict of the index is written down: each follows from a result."""

import pytest

from explorer.pages.papers import paper_index
from explorer.pages.papers.paper_index import PAPERS, UNCLAIMED, PaperTable
from solvers.papers import Finding
from solvers.papers.studies import computed

ENTRIES = [entry for paper in PAPERS for entry in paper.entries]
CLAIMED = [entry for entry in ENTRIES if entry.key is not None]


def name(entry):
    return entry.key or entry.number


@pytest.mark.parametrize("entry", CLAIMED, ids=name)
def test_every_verdict_is_a_function_of_a_result_and_turns_round_with_it(
    entry, monkeypatch
):
    assert entry.key in computed()
    found = {}
    monkeypatch.setattr(paper_index, "findings", found.get)
    assert entry.verdict == "Not computed yet."
    for outcome, said in (("holds", "Holds"), ("does not hold", "Does not hold")):
        found[entry.key] = [Finding("It is so.", "yes", "+1 ± 2", outcome)]
        assert entry.verdict == f"It is so. {said}: +1 ± 2."


def test_nothing_that_claims_is_left_out():
    silent = {entry.number for entry in ENTRIES if entry.key is None}
    assert silent == {"Table 1", "Fig. 1", "Fig. 2", "Fig. 4"}
    assert {entry.key for entry in CLAIMED} == set(computed())
    assert all(entry.verdict == UNCLAIMED for entry in ENTRIES if entry.key is None)


def test_the_screen_shows_what_follows_from_the_results(monkeypatch):
    monkeypatch.setattr(paper_index, "findings", lambda key: None)
    for paper in PAPERS:
        rows = PaperTable(paper, lambda visit: None).rows
        shown = [row[3] for row in rows]
        assert shown == [entry.verdict for entry in paper.entries]
        assert "Not computed yet." in shown


def test_claims_are_counted_by_how_they_came_out(monkeypatch):
    entry = CLAIMED[0]
    outcomes = ["holds", "does not hold", "holds", "within noise"]
    found = [Finding("It is so.", "yes", "+1 ± 2", one) for one in outcomes]
    monkeypatch.setattr(paper_index, "findings", lambda key: found)
    assert entry.outcomes == "2 hold, 1 within noise, 1 does not"
    monkeypatch.setattr(paper_index, "findings", lambda key: None)
    assert entry.outcomes == ""
