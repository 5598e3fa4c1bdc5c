"""The menu of the session."""

from explorer.session.menu import SessionMenu
from tests.explorer.worlds import World


def test_the_menu_closes_whenever_a_session_was_taken():
    world = World()
    menu = SessionMenu(world.context, world.autosave, str)
    for _ in range(2):
        menu.dialog.open = True
        world.autosave.start_afresh()
        assert not menu.dialog.open
