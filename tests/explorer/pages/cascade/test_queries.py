"""The cascade page trains, then traces rivals, and then its own other cascade."""

from explorer.pages.cascade.page import CascadePage
from explorer.pages.cascade.queries import RIVALS
from explorer.pages.cascade.training import RIVALS as METHODS
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from tests.waiting import until


def test_a_page_trains_traces_the_rivals_and_then_trains_the_hypergraph_cascade():
    session = SessionState(page="cascade", dataset=bundled("breast_cancer"))
    page = CascadePage(Context(session))
    state, order = page.state, []
    state.param.watch(
        lambda *events: order.extend(event.name for event in events if event.new),
        ["cascade", "rivals", "hyper"],
    )
    page.start()
    until(lambda: "hyper" in order and not page.hypergraph.training.busy)
    assert set(order) == {"cascade", "rivals", "hyper"}
    assert order[-1] == "hyper"  # not before the last of the rivals
    assert len(state.rivals) == len(METHODS)
    assert not RIVALS.missing(state)
    state.C = 10.0
    until(lambda: state.cascade.request.C == 10.0)
    until(lambda: not RIVALS.missing(state))
