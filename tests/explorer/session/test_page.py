"""What the pages of one session have in common."""

import panel as pn
import param

from explorer.session.context import Context
from explorer.session.declared import linked
from explorer.session.page import SessionPage
from explorer.session.state import SessionState
from explorer.widgets.figure_view import FigureView


class Shown(FigureView):
    """A view of the page's state."""

    state = param.Parameter()


class Level(param.Parameterized):
    """One choice, and what is computed for it."""

    level = param.Integer(default=1, metadata=linked("l"))
    answer = param.Integer(default=2)


class Small(SessionPage):
    """A page of two views."""

    name = "frontier"

    def __init__(self, context):
        super().__init__(context)
        self.state = Level()
        self._views = self._made(figure=Shown)

    def start(self):
        pass

    def _main(self):
        return pn.Column()

    def _tuned(self):
        return pn.Row()


def test_the_views_of_a_page_follow_the_theme_of_the_session():
    page = Small(Context(SessionState()))
    page.context.session.dark = True
    assert page._views["figure"].dark


def test_a_page_is_in_front_while_the_session_shows_it():
    page = Small(Context(SessionState(page="frontier")))
    assert page._is_in_front
    page.context.session.page = "problem"
    assert not page._is_in_front


def test_a_page_gives_what_it_is_and_what_a_link_restores():
    page = Small(Context(SessionState()))
    parts = page.parts()
    assert parts.state is page.state
    assert parts.link == {"level": "l"}
    assert parts.start == page.start
