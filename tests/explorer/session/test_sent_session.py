"""A fresh session, and what is too long to be one."""

from explorer.session.own_files import refuse_unlearnable
from explorer.session.saved import SavedSession


def test_a_fresh_session_is_one_that_can_be_learned():
    refuse_unlearnable(SavedSession().dataset)
