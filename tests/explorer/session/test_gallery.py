"""The cards open what they name, and say of invented prices that they are."""

from dataclasses import replace

import pytest

from explorer.session.context import Context
from explorer.session.gallery import CARDS, OWN, DataGallery
from explorer.session.state import SessionState
from solvers.datasets import all_datasets
from tests.waiting import until


@pytest.fixture
def asked():
    return []


@pytest.fixture
def gallery(asked):
    return DataGallery(Context(SessionState()), lambda: asked.append("own"))


def test_every_card_is_a_data_set_or_ones_own_and_has_two_sentences():
    assert {name for name, *_ in CARDS} - {OWN} < set(all_datasets())
    assert len({title for _, title, _ in CARDS}) == len(CARDS)
    for _, _, story in CARDS:
        assert story.count(". ") + 1 == 2
        assert story[-1] in ".?"


def test_invented_prices_are_called_so_on_the_card():
    for name, title, story in CARDS:
        if name != OWN:
            note = all_datasets()[name]().costs_note
            assert ("nobody" in note.lower()) == ("invented" in (title + story).lower())


def test_a_card_opens_its_data_set(gallery, asked):
    session = gallery._context.session
    assert gallery.cards.picked == session.dataset.name == "signals"
    gallery.cards._handle_msg({"open": "heart"})
    until(lambda: session.dataset.name == "heart")
    assert gallery.cards.picked == "heart"
    gallery.cards._handle_msg({"open": OWN})
    assert asked == ["own"]


def test_cards_leave_once_a_table_of_ones_own_is_open(gallery):
    assert gallery.cards.visible
    session = gallery._context.session
    session.open(replace(session.dataset, name="mine.csv"))
    assert not gallery.cards.visible


@pytest.mark.parametrize("message", [None, {"open": "gaussian"}, {"open": 3}, "heart"])
def test_what_is_on_no_card_opens_nothing(gallery, asked, message):
    gallery.cards._handle_msg(message)
    assert (gallery._context.session.dataset.name, asked) == ("signals", [])


def test_it_wears_the_theme(gallery):
    light = dict(gallery.cards.colours)
    gallery._context.session.dark = True
    assert gallery.cards.colours != light
