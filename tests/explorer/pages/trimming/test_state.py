"""What the trimming page is asked, what is searched, and what of it is shown."""

import numpy as np
import pytest

from explorer.pages.trimming.folding import MAX_READ
from explorer.pages.trimming.log import (
    SearchLog,
    event_text,
    follow_search,
    why,
)
from explorer.pages.trimming.network import NetworkView
from explorer.pages.trimming.page import _network_line
from explorer.pages.trimming.sources import (
    FILE,
    OpenRequest,
    open_network,
    opening_features,
    sources,
)
from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.summary import summary_text
from explorer.pages.trimming.tree import TreeView
from explorer.plots.search_style import fate_of
from explorer.session.opened_files import opened_file
from explorer.session.state import bundled
from solvers.bayes import (
    bundled_classifier,
    classifier_to_json,
    network_to_json,
    search_trimmings,
    trim,
)
from solvers.errors import ThriftscopeError


def opened(source="quiz", **more):
    state = TrimmingState(dataset=bundled("breast_cancer"), source=source, **more)
    take(state, state.open_request())
    return state


def take(state, request):
    state.take(next(open_network(request)), request)


def search(state, **options):
    question = state.question()
    state.collector(question)(follow_search(question, **options))
    return state


def told(event):
    where = (event.node, event.parent, event.included, event.excluded)
    return event.state, *where, event.best.features


@pytest.fixture
def quiz():
    return search(opened("quiz"))


@pytest.fixture
def wine():
    return search(opened("wine", model="tan", n_columns=12))


# ------------------------------------------------------------------------------ opening


@pytest.mark.parametrize("source", ["quiz", "fig3", "wine", "digits", "session"])
def test_every_source_opens_with_a_question_that_can_be_searched(source):
    assert search(opened(source)).log.is_complete


def test_the_quiz_opens_as_printed(quiz):
    assert (quiz.target, quiz.positive, quiz.threshold) == ("C", "+", 0.07)
    assert quiz.best().features == ("Q1", "Q2")
    assert quiz.best().agreement == pytest.approx(4874 / 5000)


def test_what_is_printed_stands_beside_what_the_tables_give():
    rows = {row.what: row.computed for row in opened("quiz").opened.published}
    assert [*rows.values()] == pytest.approx([0.2682, 0.6918, 0.9082, 0.7318])
    (row,) = opened("fig3").opened.published
    assert (row.published, row.computed) == ("0.56", pytest.approx(0.5528))


def test_classic_networks_are_offered_where_they_can_be_read(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not any(title.startswith("Classic") for title in sources())


def test_a_classic_network_opens_on_a_cause_and_what_shows_it():
    pytest.importorskip("pgmpy")
    state = search(opened("asia"))
    assert state.target in state.network().roots
    assert set(state.features) <= set(state.network().leaves)
    assert state.log.is_complete


def test_a_file_with_a_classifier_brings_its_question():
    state = opened("wine")
    state.forget()
    text = classifier_to_json(bundled_classifier("fig3"))
    take(
        state,
        OpenRequest(FILE, file=opened_file("network", "mine.json", text.encode())),
    )
    assert (state.source, state.threshold) == (FILE, 0.55)
    assert state.features == ["F1", "F2", "F3"]


def test_a_file_that_is_refused_changes_nothing(quiz):
    before = quiz.opened
    with pytest.raises(ThriftscopeError):
        take(quiz, OpenRequest(FILE, file=opened_file("network", "bad.json", b"[1, 2")))
    assert quiz.opened is before
    assert quiz.source == "quiz"


def test_a_network_file_opens_with_features_that_can_be_searched():
    text = network_to_json(bundled_classifier("quiz").network)
    state = opened()
    state.forget()
    take(
        state, OpenRequest(FILE, file=opened_file("network", "net.json", text.encode()))
    )
    assert (state.target, state.threshold) == ("C", 0.1)
    assert state.features == ["Q1", "Q2", "Q3"]


def test_what_a_link_asks_for_stays_where_it_fits():
    state = opened("quiz", threshold=0.2, budget=1.0)
    assert (state.threshold, state.budget) == (0.2, 1.0)


def test_what_a_link_asks_for_is_left_out_where_it_does_not_fit():
    state = opened("quiz", target="Elsewhere", positive="?", budget=99.0)
    assert (state.target, state.positive, state.budget) == ("C", "+", 3.0)


def test_another_network_brings_its_own_question_and_the_old_one_stays_till_then():
    state = opened("quiz", threshold=0.2)
    state.forget()
    assert (state.target, state.threshold) == ("C", 0.2)
    state.source = "fig3"
    take(state, state.open_request())
    assert (state.threshold, state.budget) == (0.55, 2.0)


def test_a_link_to_the_session_s_data_keeps_its_budget():
    state = opened("session", budget=3.0)
    assert (state.charging, state.budget) == ("hypergraph", 3.0)


def test_opening_features_are_leaves_below_the_target_first():
    network = bundled_classifier("fig3").network
    assert opening_features(network, "C") == ("F1", "F2", "F3")


# ------------------------------------------------------------------------- the question


def test_another_target_brings_its_states_and_features(quiz):
    quiz.target = "Q1"
    assert quiz.positive in quiz.network().states["Q1"]
    assert "Q1" not in quiz.features
    assert quiz.question().original.target == "Q1"


def test_an_edited_cost_is_charged(quiz):
    quiz.set_cost("Q1", 2.5)
    assert quiz.charging == "edited"
    assert quiz.total_cost() == 4.5
    assert "Q1" not in search(quiz).best().features


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf")])
def test_a_cost_that_is_none_is_not_taken(quiz, cost):
    quiz.set_cost("Q1", cost)
    assert quiz.charging == "ones"


def test_the_session_s_hypergraph_charges_shared_components_once():
    state = search(opened("session"))
    hypergraph = state.dataset.hypergraph
    assert (state.charging, state.unit) == ("hypergraph", hypergraph.unit)
    kept = list(state.best().features)
    assert state.best().cost == pytest.approx(hypergraph.cost(kept))
    assert state.total_cost() == pytest.approx(hypergraph.cost(list(state.features)))


def test_a_hypergraph_of_other_names_is_not_offered(quiz):
    assert quiz.hypergraph() is None


def test_the_budget_never_exceeds_what_all_features_cost(quiz):
    quiz.budget = 3.0
    quiz.features = ["Q1", "Q3"]
    assert quiz.budget == 2.0


def test_moving_the_threshold_keeps_the_tables_of_the_distribution(quiz):
    before = quiz.question()
    quiz.threshold = 0.3
    after = quiz.question()
    assert after.original is before.original
    assert after.classifier().masses is before.classifier().masses


def test_no_feature_is_no_question(quiz):
    quiz.features = []
    assert quiz.question() is None


# --------------------------------------------------------------------------- the search


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
    assert capped.n_events == whole.n_events


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


def test_the_old_log_stays_until_news_have_come(quiz):
    before = quiz.log
    quiz.threshold = 0.3
    collect = quiz.collector(quiz.question())
    assert quiz.log is before
    collect(follow_search(quiz.question()))
    assert quiz.log is not before


# ------------------------------------------------------------------------------ playing


def test_all_events_are_shown_at_first(quiz):
    assert quiz.n_shown == len(quiz.log.events)
    assert quiz.shown().state == "finished"


def test_reset_goes_back_to_the_root(wine):
    wine.reset()
    assert wine.n_shown == 1
    assert wine.shown().node == 0


def test_step_shows_one_event_more(wine):
    wine.reset()
    wine.step()
    assert wine.shown() is wine.log.events[1]


def test_best_so_far_is_that_of_the_last_event_shown(wine):
    wine.reset()
    seen = [wine.best().agreement]
    while wine.position is not None:
        wine.step()
        seen.append(wine.best().agreement)
    assert seen == sorted(seen)
    assert seen[0] < seen[-1] == wine.log.best.agreement


def test_play_at_the_end_begins_anew(wine):
    wine.play()
    assert (wine.position, wine.is_playing) == (1, True)


def test_stepping_over_the_end_stops_playing(quiz):
    quiz.play()
    quiz.step(1000)
    assert (quiz.position, quiz.is_playing) == (None, False)


def test_a_new_search_is_shown_whole(wine):
    wine.play()
    search(wine)
    assert (wine.position, wine.is_playing) == (None, False)


def test_the_way_to_the_best_runs_to_the_root(wine):
    way = wine.ways()
    assert way[-1] == 0
    assert wine.log.first_events[way[0]].state == "improved"


def test_nobody_watches_a_search_for_longer_than_twenty_seconds(wine, quiz):
    assert quiz.pace == quiz.speed
    kept = wine.log.events
    wine.log.events = kept * 100
    assert len(wine.log.events) / wine.pace < 20
    wine.log.events = kept


def test_the_page_opens_on_a_tree_that_can_be_read():
    log = search(opened("breast_cancer")).log
    assert 15 <= log.n_nodes <= MAX_READ
    tree = log.tree(is_folded=True)
    assert tree.drawn.all()
    # Each level decides one feature: it can be named beside the level.
    depths = range(1, 1 + tree.depth.max())
    assert [*log.features_by_depth()] == [*depths]


# ------------------------------------------------------------------------- in one place


def test_a_large_tree_folds_and_counts_what_it_folds():
    state = search(opened("breast_cancer", n_columns=12))
    log, tree = state.log, state.log.tree(is_folded=True)
    n_nodes = log.n_nodes
    assert n_nodes > 4 * MAX_READ
    below = len(set(state.ways()))
    assert MAX_READ / 2 < tree.drawn.sum() <= MAX_READ + below
    # What is drawn stands for itself, all else for the nearest above that is drawn.
    for row, parent in enumerate(log.parents):
        is_own = tree.drawn[row]
        assert tree.stands_for[row] == (row if is_own else tree.stands_for[parent])
        assert np.isnan(tree.x[row]) != is_own
        assert parent < 0 or not is_own or tree.drawn[parent]
    assert tree.drawn[state.ways()].all()
    for first in (1, 100, n_nodes):
        hidden = tree.hidden(first)
        assert sum(hidden.values()) + tree.drawn[:first].sum() == first
        assert all(tree.drawn[row] for row in hidden)
    assert log.tree().drawn.all()


def test_a_folded_tree_is_drawn_as_it_grows_and_unfolds():
    state = search(opened("breast_cancer", n_columns=12))
    view = TreeView(state=state)

    def drawn():
        return sum(len(source.data["x"]) for source in view._nodes.values())

    tree = state.log.tree(is_folded=True)
    assert drawn() == tree.drawn.sum()
    assert "nodes are folded away" in view._words.object
    state.reset()
    assert drawn() == 1
    state.step(80)
    n_nodes = state.log.nodes_upto(state.n_shown)
    assert drawn() == tree.drawn[:n_nodes].sum()
    counts = [int(text) for text in view._folds.data["text"]]
    assert sum(counts) == n_nodes - drawn()
    state.is_folded = False
    assert drawn() == n_nodes
    assert "folded away" not in view._words.object


def test_nothing_is_said_of_a_network_before_there_is_one():
    state = TrimmingState()
    assert "Opening" in NetworkView(state=state)._words.object
    assert _network_line(state) == summary_text(state) == "Opening the network."


def test_every_node_has_a_place_of_its_own(wine):
    tree = wine.log.tree()
    points = set(zip(tree.x, tree.depth, strict=True))
    assert len(points) == len(wine.log.first_events) == wine.log.n_nodes


def test_a_parent_stands_above_the_middle_of_its_children(wine):
    log, places = wine.log, wine.log.tree()
    for row in set(log.parents) - {-1}:
        children = [i for i, parent in enumerate(log.parents) if parent == row]
        ends = places.x[children].min(), places.x[children].max()
        assert places.x[row] == pytest.approx(sum(ends) / 2)
        assert (places.depth[children] == places.depth[row] + 1).all()


@pytest.mark.parametrize("source", ["quiz", "wine", "digits"])
def test_variables_stand_apart_and_in_the_same_place_each_time(source):
    places = opened(source).opened.places
    assert opened(source).opened.places == places
    points = np.array([*places.values()])
    apart = np.abs(points[:, np.newaxis] - points).max(axis=2)
    assert apart[~np.eye(len(points), dtype=bool)].min() > 0.04


def test_every_state_of_an_event_is_said_in_words(wine):
    said = {event.state: why(event) for event in wine.log.events}
    assert {"expanded", "improved", "bounded", "leaf", "finished"} <= set(said)
    assert len(set(said.values())) == len(said)


def test_a_cut_is_explained_with_its_bound(quiz):
    cut = next(event for event in quiz.log.events if event.state == "bounded")
    assert fate_of(cut) == "bounded"
    assert f"MPA {cut.mpa:.4f} cannot beat the best" in event_text(cut)


def test_an_empty_log_shows_nothing(quiz):
    quiz.log = SearchLog(quiz.question())
    assert quiz.shown() is None
    assert quiz.best() is None
    assert not len(quiz.ways())
