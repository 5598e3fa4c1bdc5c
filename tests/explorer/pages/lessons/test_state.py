"""Lessons are short, go step by step, are linked, and lead to pages that are there."""

from urllib.parse import parse_qs

import pytest

from explorer.pages import all_pages
from explorer.pages.cascade import page as cascade_page
from explorer.pages.cascade.state import CascadeState
from explorer.pages.frontier import page as frontier_page
from explorer.pages.frontier.state import FrontierState
from explorer.pages.lessons.course import all_lessons, sharing
from explorer.pages.lessons.paper_index import PAPERS
from explorer.pages.lessons.state import LessonsState
from explorer.pages.selectivity import page as selectivity_page
from explorer.pages.selectivity.state import SelectivityState
from explorer.pages.structured import page as structured_page
from explorer.pages.structured.state import StructuredState
from explorer.pages.trimming import page as trimming_page
from explorer.pages.trimming.state import TrimmingState
from explorer.session.graph_link import read_graph_text
from explorer.session.link import read_link, read_page_link, write_link, write_page_link
from explorer.session.state import SessionState

LINK = {"lesson": "lesson", "at": "at"}
LESSONS = list(all_lessons())


# ------------------------------------------------------------------------- every lesson


def test_there_are_at_least_ten_lessons():
    assert len(LESSONS) >= 10


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_short_and_names_its_limit(name):
    lesson = all_lessons()[name]
    assert 2 <= lesson.text.count(". ") + 1 <= 5
    assert lesson.limit.startswith("Holds ")
    assert " not " in lesson.limit
    assert 2 <= len(lesson.answers) <= 4
    assert len(set(lesson.answers)) == len(lesson.answers)


@pytest.mark.parametrize("name", LESSONS)
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


@pytest.mark.parametrize("name", LESSONS)
def test_the_answer_is_one_of_those_offered_and_can_be_seen(name):
    lesson = all_lessons()[name]
    verdict = lesson.judge()
    assert 0 <= verdict.right < len(lesson.answers)
    assert 0 <= verdict.at < len(lesson.control.settings)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_goes_on_to_a_page_that_is_there(name):
    assert all_lessons()[name].visit.page in all_pages()


# ---------------------------------------------------------------------------- the state


def computed(state):
    state.take(state.showing()())
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
    state.reveal(state.judging()())
    state.reset()
    control = all_lessons()["sharing"].control
    assert (state.at, state.guess, state.verdict) == (control.start, -1, None)


def test_revealing_says_whether_the_guess_is_right_and_goes_where_it_shows():
    state = LessonsState(lesson="sharing", guess=1)
    state.reveal(state.judging()())
    assert state.is_right
    assert state.at == sharing.ASKED
    state.guess = 0
    assert not state.is_right


def test_a_picture_of_another_lesson_is_not_taken():
    state = LessonsState(lesson="sharing")
    late = list(state.showing()())
    state.lesson = "order"
    state.take(late)
    assert state.shown is None


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


@pytest.mark.parametrize("name", LESSONS)
def test_a_link_restores_lesson_and_setting(name):
    last = len(all_lessons()[name].control.settings) - 1
    link = write_page_link(LessonsState(lesson=name, at=last), LINK)
    other = LessonsState()
    read_page_link("?page=lessons" + link, other, LINK)
    assert (other.lesson, other.at) == (name, last)


@pytest.mark.parametrize("wrong", ["lesson=nonsense", "at=-1", "at=x", "lesson=<b>"])
def test_a_link_that_makes_no_sense_opens_the_first_lesson(wrong):
    state = LessonsState()
    read_page_link(f"?page=lessons&{wrong}", state, LINK)
    assert state.lesson == LESSONS[0]
    assert state.at == state.now.control.start


def test_a_setting_beyond_the_last_of_a_link_is_the_last():
    state = LessonsState()
    read_page_link("?page=lessons&lesson=sharing&at=999", state, LINK)
    assert state.at == state.last


# ------------------------------------------------------------------------- the index


def test_the_index_lists_every_figure_and_table_of_the_papers():
    numbers = {paper.title.split(":")[0]: len(paper.entries) for paper in PAPERS}
    assert list(numbers.values()) == [11, 12, 7, 1, 3]


@pytest.mark.parametrize(
    "entry",
    [entry for paper in PAPERS for entry in paper.entries if entry.visit],
    ids=lambda entry: entry.visit.page + "-" + entry.number.replace(" ", ""),
)
def test_an_entry_opens_a_page_that_is_there(entry):
    assert entry.visit.page in all_pages()
    assert entry.shows
    assert entry.verdict


VISITS = {
    **{f"lesson {name}": lesson.visit for name, lesson in all_lessons().items()},
    **{
        f"{paper.title.split()[0]} {entry.number}": entry.visit
        for paper in PAPERS
        for entry in paper.entries
    },
}


def states():
    """State and names in the link of every page that a link can set."""
    data = SessionState().dataset
    return {
        "frontier": (FrontierState(dataset=data), frontier_page.LINK),
        "cascade": (CascadeState(session_dataset=data), cascade_page.LINK),
        "trimming": (TrimmingState(dataset=data), trimming_page.LINK),
        "selectivity": (SelectivityState(dataset=data), selectivity_page.LINK),
        "structured": (StructuredState(), structured_page.LINK),
    }


@pytest.mark.parametrize("name", VISITS)
def test_a_visit_sets_everything_that_its_link_names(name):
    visit = VISITS[name]
    asked = {key: value[0] for key, value in parse_qs(visit.link).items()}
    graph = asked.pop("g", None)
    if graph is not None:
        assert read_graph_text(graph).features == sharing.FEATURES
    session, found = SessionState(), states()
    read_link(visit.query, session, found["frontier"][0])
    written = write_link(session, found["frontier"][0])
    if visit.page in found:
        state, link = found[visit.page]
        read_page_link(visit.query, state, link)
        written += write_page_link(state, link)
    now = {key: value[0] for key, value in parse_qs(written.lstrip("?")).items()}
    assert now["page"] == visit.page
    assert {key: now.get(key) for key in asked} == asked
