"""No verdict of the papers is written down: each follows from a result."""

from explorer.pages.papers import paper_index
from explorer.pages.papers.page import PaperList, PapersPage
from explorer.pages.papers.paper_index import (
    NOT_COMPUTED,
    PAPERS,
    UNCLAIMED,
)
from explorer.session.context import Context
from explorer.session.declared import link_names
from explorer.session.link import read_page_link
from explorer.session.state import SessionState
from solvers.papers import Finding
from solvers.papers.studies import computed
from tests.each import each
from tests.waiting import until

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


def test_the_screen_shows_every_figure_and_opens_it_or_its_page():
    for paper in PAPERS:
        visited, seen = [], []
        shown = PaperList(paper, visited.append, seen.append)
        assert [one["number"] for one in shown.above.entries] == [
            entry.number for entry in paper.entries
        ]
        for place in (-1, len(paper.entries), "0", None):
            shown.above._handle_msg({"open": place, "see": place})
        assert visited == seen == []
        for place, entry in enumerate(paper.entries):
            shown.above._handle_msg({"open": place})
            shown.above._handle_msg({"see": place})
            assert visited == ([entry.visit] if entry.visit else [])
            assert seen == ([entry.name] if entry.key else [])
            visited.clear()
            seen.clear()


def test_what_is_opened_stands_between_its_entry_and_the_rest():
    paper, seen = PAPERS[0], []
    shown = PaperList(paper, lambda _: None, seen.append)
    shown.place(paper.entries[3].name, "the figure")
    entries = [*shown.above.entries, *shown.below.entries]
    assert entries == [entry.shown for entry in paper.entries]
    assert len(shown.above.entries) == 4
    shown.above._handle_msg({"see": 3})  # pressed again it is closed
    shown.below._handle_msg({"see": 0})
    assert seen == ["", paper.entries[4].name]
    shown.place("", None)
    assert len(shown.above.entries) == len(paper.entries)
    assert not shown.below.visible


def test_a_link_opens_a_figure_and_computes_it_where_it_says_so():
    page = PapersPage(Context(SessionState()))
    link = link_names(type(page.state))
    read_page_link("?study=ECA+Table+4", page.state, link)
    assert page.study.state.measured is None
    assert page._papers[2].above.opened == 3
    read_page_link("?study=ECA+Fig.+3&compute=yes", page.state, link)
    until(lambda: page.study.state.found and page.study.state.found.is_whole)
    assert page.study.state.found.findings
    page.see("CSMN Fig. 1")
    assert page._papers[2].above.opened == -1
    assert not page.study.state.is_figure_asked


def test_claims_are_counted_by_how_they_came_out(monkeypatch):
    entry = CLAIMED[0]
    outcomes = ["holds", "does not hold", "holds", "within noise", None]
    found = [Finding("It is so.", "yes", "+1 ± 2", one) for one in outcomes]
    monkeypatch.setattr(paper_index, "findings", lambda key: found)
    told = [one["text"] for one in entry.counts]
    assert told == ["2 hold", "1 within noise", "1 does not hold"]
    assert entry.shown["claims"][-1]["text"] == "not judged here"
