"""Lessons are short, go step by step, are linked, and lead to pages that are there."""

import re
from html import unescape
from urllib.parse import parse_qs

import pytest

from explorer.pages import all_pages
from explorer.pages.cascade.state import CascadeState
from explorer.pages.frontier.state import FrontierState
from explorer.pages.lessons.course import all_lessons, sharing, wrong_prices
from explorer.pages.lessons.lesson_view import (
    RECALLED,
    LessonClaim,
    LessonPicture,
    LessonQuestion,
    LessonSummary,
    LessonTable,
    LessonVerdict,
)
from explorer.pages.lessons.state import SHOWN, VERDICT, LessonsState, answers_page
from explorer.pages.papers.paper_index import PAPERS
from explorer.pages.proof.state import ProofState
from explorer.pages.selectivity.state import SelectivityState
from explorer.pages.structured.state import StructuredState
from explorer.pages.trimming.state import TrimmingState
from explorer.session.declared import link_names
from explorer.session.link import (
    asked_by,
    read_link,
    read_page_link,
    write_link,
    write_page_link,
)
from explorer.session.saved import read_session
from explorer.session.saved_drawing import read_graph_text
from explorer.session.state import SessionState
from solvers.frontier.evaluation import trace_frontier
from tests.each import each
from tests.explorer.worlds import DECLARED, World

LINK = link_names(LessonsState)
LESSONS = list(all_lessons())


# ------------------------------------------------------------------------- every lesson


def test_there_are_at_least_ten_lessons():
    assert len(LESSONS) >= 10


@each("name", LESSONS)
def test_a_lesson_is_short_names_its_limit_is_answered_linked_and_goes_on(name):
    lesson = all_lessons()[name]
    assert 2 <= lesson.text.count(". ") + 1 <= 5
    assert lesson.limit.startswith("Holds ")
    assert " not " in lesson.limit
    assert 2 <= len(lesson.answers) <= 4
    assert len(set(lesson.answers)) == len(lesson.answers)
    assert len(lesson.supposes) == len(lesson.answers)
    assert lesson.visit.page in all_pages()
    verdict, last = lesson.judge(), len(lesson.control.settings) - 1
    assert 0 <= verdict.right < len(lesson.answers)
    assert 0 <= verdict.at <= last
    link = write_page_link(LessonsState(lesson=name, at=last), LINK)
    other = LessonsState()
    read_page_link("?page=lessons" + link, other, LINK)
    assert (other.lesson, other.at) == (name, last)


@each("name", LESSONS)
def test_every_setting_of_a_lesson_can_be_drawn_within_its_axes(name):
    lesson = all_lessons()[name]
    for at in range(len(lesson.control.settings)):
        shown = list(lesson.show(at))[-1]
        assert shown.share == 1.0
        assert shown.summary
        assert all(len(row) == len(shown.columns) for row in shown.rows)
        x, y = shown.picture.x, shown.picture.y
        for mark in shown.picture.marks:
            assert x.low <= mark.x <= x.high
            assert y.low <= mark.y <= y.high


def shown_text(html):
    """Return what is read of HTML, without what terms mean."""
    meant = re.sub(r'<span class="meaning".*?</span>', "", html)
    return unescape(re.sub("<.*?>", "", meant))


@each("name", LESSONS)
def test_nothing_is_given_away_before_the_answer_is_revealed(name):
    lesson = all_lessons()[name]
    assert lesson.control.start != lesson.judge().at
    assert lesson.title not in (lesson.short, lesson.world, lesson.question)
    state = LessonsState(lesson=name)
    asked = LessonQuestion(state=state).__panel__()
    told = LessonClaim(state=state).__panel__()
    assert shown_text(lesson.question) in shown_text(asked.object)
    assert told.object == ""
    VERDICT.answer(state)
    for said in (lesson.title, lesson.text, lesson.limit):
        assert shown_text(said) in shown_text(told.object)


# ---------------------------------------------------------------------------- the state


def computed(state):
    SHOWN.answer(state)
    return state


def test_stepping_goes_to_the_last_setting_and_stays():
    state = LessonsState(lesson="sharing", at=5)
    state.step()
    state.step()
    assert state.at == state.last == 6


def test_playing_stops_by_itself_at_the_last_setting():
    state = LessonsState(lesson="sharing", at=5)
    state.play()
    state.step()
    assert not state.is_playing


def test_playing_from_the_last_setting_begins_with_the_first():
    state = LessonsState(lesson="sharing", at=6)
    state.play()
    assert (state.at, state.is_playing) == (0, True)


def test_reset_opens_the_lesson_anew():
    state = LessonsState(lesson="sharing", guess=1)
    VERDICT.answer(state)
    state.reset()
    control = all_lessons()["sharing"].control
    assert (state.at, state.guess, state.verdict) == (control.start, -1, None)


def test_revealing_says_whether_the_guess_is_right_and_goes_where_it_shows():
    state = LessonsState(lesson="sharing", guess=1)
    VERDICT.answer(state)
    assert state.is_right
    assert state.at == sharing.ASKED
    state.guess = 0
    assert not state.is_right


def test_a_picture_of_another_lesson_is_not_taken():
    state = LessonsState(lesson="sharing")
    late = list(SHOWN.work(state))
    state.lesson = "order"
    state.take(late)
    assert state.shown is None


def test_nothing_of_another_lesson_is_shown_while_its_own_is_computed():
    state = computed(LessonsState(lesson="sharing"))
    summary, table = LessonSummary(state=state), LessonTable(state=state)
    drawn = LessonPicture(state=state)
    state.reset()
    assert "sharing saves" in str(summary._pane.object)
    state.lesson = "order"
    assert "Computing" in str(summary._pane.object)
    assert not table._pane.object
    assert not len(drawn._shown["bars"])
    assert not drawn.figure.xaxis[0].visible
    assert computed(state).is_up_to_date


def test_what_is_shown_is_up_to_date_until_the_control_moves():
    state = computed(LessonsState(lesson="sharing"))
    assert state.is_up_to_date
    state.step()
    assert not state.is_up_to_date


def test_turning_stays_at_both_ends():
    state = LessonsState(lesson=LESSONS[0])
    state.turn(-1)
    assert state.lesson == LESSONS[0]
    state.turn(len(LESSONS) + 5)
    assert state.lesson == LESSONS[-1]


@each("wrong", ["lesson=nonsense", "at=-1", "at=x", "lesson=<b>"])
def test_a_link_that_makes_no_sense_opens_the_first_lesson(wrong):
    state = LessonsState()
    read_page_link(f"?page=lessons&{wrong}", state, LINK)
    assert state.lesson == LESSONS[0]
    assert state.at == state.now.control.start


def test_a_setting_beyond_the_last_of_a_link_is_the_last():
    state = LessonsState()
    read_page_link("?page=lessons&lesson=sharing&at=999", state, LINK)
    assert state.at == state.last


# ------------------------------------------------------------------------- answers


def answered(name="sharing", guess=0):
    state = LessonsState(lesson=name, guess=guess)
    VERDICT.answer(state)
    return state


def test_an_answer_is_kept_when_another_lesson_is_opened_and_recalled():
    state = answered()
    state.lesson = "order"
    assert (state.guess, state.is_to_recall) == (-1, False)
    state.lesson = "sharing"
    assert (state.guess, state.is_to_recall) == (0, True)
    VERDICT.answer(state)
    assert not state.is_right
    # As it stood when it was revealed, unless a link says where its control stands.
    assert state.at == state.verdict.at != state.now.control.start
    linked = LessonsState(answers=state.answers, at=state.last)
    VERDICT.answer(linked)
    assert linked.at == linked.last


def test_an_answer_is_not_answered_again():
    state = answered()
    kept = state.answers["sharing"]
    state.guess = 1
    VERDICT.answer(state)
    assert state.answers["sharing"] == kept


def test_reset_forgets_the_answer_of_its_lesson_alone():
    state = answered()
    state.lesson = "order"
    state.guess = 1
    VERDICT.answer(state)
    state.reset()
    assert [*state.answers] == ["sharing"]


def test_a_lesson_is_tried_again_and_its_first_answer_is_kept():
    state = answered()
    first, right = state.answers["sharing"], state.verdict.right
    state.try_again()
    assert (state.guess, state.verdict) == (-1, None)
    assert not state.is_to_recall
    state.guess = (right + 1) % len(state.now.answers)
    VERDICT.answer(state)
    assert state.verdict.right == right
    assert not state.is_right
    assert state.answers == {"sharing": first}
    assert not state.is_recalled
    # Another lesson, and back: what was answered first stands there, and is told.
    state.lesson = "order"
    state.lesson = "sharing"
    assert state.is_to_recall
    VERDICT.answer(state)
    assert state.is_recalled
    assert RECALLED in LessonVerdict(state=state)._markup()


def test_answers_that_are_taken_back_are_not_shown():
    state = answered()
    state.answers = {}
    assert (state.guess, state.verdict) == (-1, None)


def test_answers_come_back_with_a_session():
    world, other = World(), World()
    kept = dict(answered().answers)
    world.choices.set("lessons", {"lesson": "order", "answers": kept})
    saved = read_session(world.autosave.text(), DECLARED)
    other.autosave._take(saved, "Opened")
    found = other.choices.values("lessons")
    assert (found["lesson"], found["answers"]) == ("order", kept)


@each(
    "wrong",
    [
        {"sharing": "0 1"},
        {"sharing": "0 1 2 yesterday"},
        {"sharing": "9 1 2 2026-01-01T00:00:00+00:00"},
        {"sharing": "0 1 99 2026-01-01T00:00:00+00:00"},
        {"nonsense": "0 1 2 2026-01-01T00:00:00+00:00"},
    ],
)
def test_answers_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match=r"no such|isoformat|unpack"):
        LessonsState(answers=wrong)


def test_the_page_of_answers_says_what_was_picked_what_is_right_when_and_where():
    state = answered()
    page = answers_page(state.answers)
    control = state.now.control
    assert "Right at the first answer: 0 of 1 " in page
    assert "✗ 21 µs" in page
    assert "<td>9 µs</td>" in page
    assert f"{control.label}: {control.settings[control.start]}" in page
    assert state.answers["sharing"].split()[-1][:10] in page


def test_the_address_of_a_lesson_carries_nothing_else():
    state = answered("prefix")
    assert asked_by(state.address) == {"page": "lessons", "lesson": "prefix"}


# ------------------------------------------------------------------------- the index


def test_the_index_lists_every_figure_and_table_of_the_papers():
    numbers = {paper.title.split(":")[0]: len(paper.entries) for paper in PAPERS}
    assert list(numbers.values()) == [11, 12, 7, 1, 4]


@each(
    "entry",
    [entry for paper in PAPERS for entry in paper.entries if entry.visit],
)
def test_an_entry_opens_a_page_that_is_there(entry):
    assert entry.visit.page in all_pages()
    assert entry.shows
    assert entry.shown["claims"] or entry.shown["said"]


VISITS = {
    **{f"lesson {name}": lesson.visit for name, lesson in all_lessons().items()},
    **{
        f"{paper.title.split()[0]} {entry.number}": entry.visit
        for paper in PAPERS
        for entry in paper.entries
        if entry.visit  # others are drawn where they are listed
    },
}


def states():
    """State and names in the link of every page that a link can set."""
    data = SessionState().dataset
    found = {
        "frontier": FrontierState(dataset=data),
        "cascade": CascadeState(session_dataset=data),
        "trimming": TrimmingState(dataset=data),
        "selectivity": SelectivityState(dataset=data),
        "proof": ProofState(dataset=data),
        "structured": StructuredState(),
    }
    return {name: (state, link_names(type(state))) for name, state in found.items()}


@each("name", VISITS)
def test_a_visit_sets_everything_that_its_link_names(name):
    visit = VISITS[name]
    asked = {key: value[0] for key, value in parse_qs(visit.link).items()}
    graph = asked.pop("g", None)
    if graph is not None:
        worlds = (sharing.world(), wrong_prices.world())
        features = read_graph_text(graph).features
        assert features in {world.features for world in worlds}
    session, found = SessionState(), states()
    refused = read_link(visit.query, session, found["frontier"][0])
    written = write_link(session, found["frontier"][0])
    if visit.page in found:
        state, link = found[visit.page]
        refused += read_page_link(visit.query, state, link)
        written += write_page_link(state, link)
    now = {key: value[0] for key, value in parse_qs(written.lstrip("?")).items()}
    assert refused == []
    assert now["page"] == visit.page
    assert {key: now.get(key) for key in asked} == asked


def opened_frontier(name, *methods):
    """The data set, the budget and each method's points on the page a lesson opens."""
    session, (state, _) = SessionState(), states()["frontier"]
    read_link(all_lessons()[name].visit.query, session, state)
    traced = {
        method: list(trace_frontier(method, session.dataset))
        for method in methods or state.methods
    }
    return session.dataset, state.budget, traced


def best_within(points, budget):
    paid = [point for point in points if point.cost["mean"] <= budget]
    return max(paid, key=lambda point: point.scores["validation"]["f1"])


def test_the_page_of_the_three_costs_opens_where_they_differ():
    _, budget, traced = opened_frontier("three-costs", "csdt", "forward_selection")
    mean, p95, worst = best_within(traced["csdt"], budget).cost.values()
    assert 1.5 * mean < p95 < worst <= 1.1 * budget
    fixed = best_within(traced["forward_selection"], budget).cost.values()
    assert max(fixed) == pytest.approx(min(fixed))


def test_the_page_of_the_quasi_norm_opens_where_sources_are_used_whole_or_in_part():
    data, budget, traced = opened_frontier("quasi-norm")
    incidence = data.hypergraph.incidence.toarray().astype(bool)
    sources = incidence[incidence.sum(axis=1) > 1]

    def used(method):
        """How many features are used of each source that is paid for."""
        counts = (sources & best_within(traced[method], budget).features).sum(axis=1)
        return counts[counts > 0].mean()

    assert used("acafh") > max(used("reweighted_l1"), used("l1")) + 1


def test_the_page_of_the_flattery_opens_where_validation_rows_flatter():
    _, budget, traced = opened_frontier("flattery")
    for points in traced.values():
        scores = best_within(points, budget).scores
        assert scores["validation"]["f1"] > scores["test"]["f1"] + 0.05
