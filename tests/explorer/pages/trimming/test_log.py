"""The log holds the events of the search, up to a cap, and says how far it is."""

import pytest

from explorer.figures.trimming_tree import event_text, fate_of, why
from explorer.pages.trimming.log import follow_search
from explorer.widgets.text import percent_text
from solvers.bayes import search_trimmings, trim
from tests.explorer.pages.trimming.asked import opened, search


def told(event):
    where = (event.node, event.parent, event.included, event.excluded)
    return event.state, *where, event.best.features


def test_the_log_holds_the_very_events_of_the_search(wine):
    question = wine.question()
    events = list(search_trimmings(question.classifier(), question.budget))
    assert [told(event) for event in wine.log.events] == [told(e) for e in events]


def test_the_share_that_is_decided_rises_to_one(wine):
    shares = [news.share for news in follow_search(wine.question())]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_search_that_runs_to_its_end_decides_every_set(wine):
    closed = [
        event.depth
        for event in wine.log.events
        if event.state in ("bounded", "leaf")
        or (event.state == "improved" and not event.undecided)
    ]
    assert sum(0.5**depth for depth in closed) == pytest.approx(1.0)


def test_beyond_the_cap_nodes_are_counted_but_not_kept():
    state = opened("wine", model="tan", n_columns=12)
    whole, capped = search(state).log, search(state, max_nodes=5).log
    assert capped.n_nodes == whole.n_nodes > 20
    assert len(capped.first_events) < len(whole.first_events)
    assert capped.best == whole.best


def test_a_search_that_is_stopped_keeps_the_best_with_its_gap():
    state = opened("breast_cancer", n_columns=12)
    state.budget = 6.0
    question = state.question()
    events = search_trimmings(question.classifier(), question.budget)
    first = [next(events) for _ in range(40)]
    best = trim(question.classifier(), question.budget)
    stopped = first[-1].best
    assert (
        stopped.agreement <= best.agreement <= stopped.agreement + stopped.gap + 1e-12
    )


def test_tables_of_every_best_set_come_with_the_events(wine):
    for event in wine.log.events:
        table = wine.log.tables[event.best.features]
        assert table.best.agreement == pytest.approx(event.best.agreement)


def test_every_state_of_an_event_is_said_in_words(wine):
    said = {event.state: why(event) for event in wine.log.events}
    assert {"expanded", "improved", "bounded", "leaf", "finished"} <= set(said)
    assert len(set(said.values())) == len(said)


def test_a_cut_is_explained_with_its_bound(quiz):
    cut = next(event for event in quiz.log.events if event.state == "bounded")
    assert fate_of(cut) == "bounded"
    assert f"at most {percent_text(cut.mpa)} cannot beat the best" in event_text(cut)
