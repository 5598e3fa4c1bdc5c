"""A theme that is changed again and again leaves nothing behind on any page."""

import gc
import time

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.model import Model
from bokeh.models import Drag, Plot, Range1d, Scroll

from explorer.pages import all_pages
from explorer.pages.papers.paper_index import PaperClaims
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from explorer.widgets.figure_view import FigureView
from explorer.widgets.tables import DataTable

# There and back: what one change leaves, two leave; nothing may be more than before.
N_CHANGES = 2
# What is left each time is left by the changes; threads of earlier tests that come to
# their end meanwhile leave something once.
N_TRIES = 3
# What has come by then is drawn, and the rest of what is computed is given up.
SECONDS = 0.5


@pytest.fixture(scope="module", params=all_pages())
def opened(request):
    """A page with what it has computed so far, in a document as a browser has it."""
    # What earlier tests left is no part of what is looked through again and again.
    gc.collect()
    gc.freeze()
    waiting, others = [], views()
    session = SessionState(dataset=bundled("breast_cancer"), page=request.param)
    context = Context(session, waiting.append)
    parts = all_pages()[request.param].build(context)
    document = Document()
    document.add_root(pn.Column(parts.tuned(), parts.main).get_root(document))
    parts.start()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        while waiting:
            waiting.pop(0)()
        time.sleep(0.01)
    context.abandon()
    own = [one for one in views() if not any(one is other for other in others)]
    return session, parts.state, document, own


def views():
    """All figures and tables that there are."""
    kinds = FigureView | DataTable | PaperClaims
    return [one for one in gc.get_objects() if isinstance(one, kinds)]


def n_watchers(watched):
    """How many callbacks wait for a change of any parameter."""
    if watched is None:
        return 0
    kinds = watched.param.watchers.values()
    return sum(len(watchers) for kind in kinds for watchers in kind.values())


def counts(session, state, document, _):
    gc.collect()
    return {
        "models of the document": len(document.models),
        "models in memory": sum(isinstance(one, Model) for one in gc.get_objects()),
        "callbacks of the document": len(document.session_callbacks),
        "watchers of the session": n_watchers(session),
        "watchers of the page": n_watchers(state),
    }


def change(session, times):
    for _ in range(times):
        session.dark = not session.dark


def test_theme_changes_reach_everything_move_nothing_and_leave_nothing_behind(opened):
    session, _, document, own = opened
    assert own
    # Both themes are drawn once before: what they need is there.
    for _ in range(2):
        change(session, 1)
        assert not [type(one) for one in own if one.dark != session.dark]
    for _ in range(N_TRIES):
        before = counts(*opened)
        change(session, N_CHANGES)
        after = counts(*opened)
        # What earlier tests left in memory may go meanwhile, so less is no finding.
        more = {what: n for what, n in after.items() if n > before[what]}
        if not more:
            break
    assert more == {}
    assert_one_sees_what_one_looked_at(session, document)


def assert_one_sees_what_one_looked_at(session, document):
    """In another theme too."""
    seen = {}
    for plot in document.select({"type": Plot}):
        if not any(isinstance(tool, Drag | Scroll) for tool in plot.tools):
            continue
        for one in (plot.x_range, plot.y_range):
            if isinstance(one, Range1d):
                one.update(start=0.3 * one.start + 0.1, end=0.6 * one.end + 0.2)
                seen[one] = one.start, one.end
    change(session, 1)
    moved = [one.id for one, ends in seen.items() if (one.start, one.end) != ends]
    assert not moved
