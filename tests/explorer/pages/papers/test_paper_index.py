"""No verdict of the papers is written down: each follows from a result."""

from explorer.pages.papers import paper_index
from explorer.pages.papers.paper_index import (
    NOT_COMPUTED,
    PAPERS,
    UNCLAIMED,
    PaperClaims,
)
from solvers.papers import Finding
from solvers.papers.studies import computed
from tests.each import each

ENTRIES = [entry for paper in PAPERS for entry in paper.entries]
CLAIMED = [entry for entry in ENTRIES if entry.key is not None]


def name(entry):
    return entry.key or entry.number


@each("entry", CLAIMED, ids=name)
def test_what_is_shown_of_a_claim_is_a_result_and_turns_round_with_it(
    entry, monkeypatch
):
    assert entry.key in computed()
    found = {}
    monkeypatch.setattr(paper_index, "findings", found.get)
    assert entry.shown["said"] == NOT_COMPUTED
    assert entry.shown["claims"] == entry.counts == []
    for outcome, said in (("holds", "holds"), ("does not hold", "does not hold")):
        found[entry.key] = [Finding("It is so.", "yes", "+1 ± 2e-05", outcome)]
        (claim,) = entry.shown["claims"]
        assert (claim["text"], claim["measured"]) == (said, "+1 ± 2·10⁻⁵")
        assert entry.counts == [{"outcome": outcome, "text": f"1 {said}"}]


def test_nothing_that_claims_is_left_out():
    silent = {entry.number for entry in ENTRIES if entry.key is None}
    assert silent == {"Table 1", "Fig. 1", "Fig. 2", "Fig. 4"}
    assert {entry.key for entry in CLAIMED} == set(computed())
    silent = [entry for entry in ENTRIES if entry.key is None]
    assert all(entry.shown["said"] == UNCLAIMED for entry in silent)


def test_the_screen_shows_every_figure_and_opens_those_that_have_a_page():
    for paper in PAPERS:
        visited = []
        claims = PaperClaims(paper, visited.append)
        assert [one["number"] for one in claims.entries] == [
            entry.number for entry in paper.entries
        ]
        for place in (-1, len(paper.entries), "0", None):
            claims._handle_msg({"open": place})
        assert visited == []
        claims._handle_msg({"open": 0})
        assert visited == [paper.entries[0].visit]


def test_claims_are_counted_by_how_they_came_out(monkeypatch):
    entry = CLAIMED[0]
    outcomes = ["holds", "does not hold", "holds", "within noise", None]
    found = [Finding("It is so.", "yes", "+1 ± 2", one) for one in outcomes]
    monkeypatch.setattr(paper_index, "findings", lambda key: found)
    told = [one["text"] for one in entry.counts]
    assert told == ["2 hold", "1 within noise", "1 does not hold"]
    assert entry.shown["claims"][-1]["text"] == "not judged here"
