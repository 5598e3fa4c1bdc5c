"""A search is shown whole at first, step by step, and stops at its end."""

from explorer.pages.trimming.queries import SEARCH
from tests.explorer.pages.trimming.asked import search


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
    SEARCH.known(wine).clear()
    search(wine)
    assert (wine.position, wine.is_playing) == (None, False)
