"""A proof page's state with everything computed, without a page."""

from functools import cache

from explorer.pages.proof.state import ProofState
from tests.explorer.worlds import own_table


def prove(state, *, is_short=False):
    """Prove floors; `is_short`: only until every first budget is closed."""
    work = state.floor_request()
    for run in work() if work else ():
        state.take_floors([run])
        if is_short and run.is_whole and all(o.proven for o in run.certified.values()):
            break
    return state


def answer(state):
    """Answer the budget."""
    work = state.answer_request()
    for one in work() if work else ():
        state.take_answers([one])
    return state


def train(state):
    """Train the linear methods."""
    work, collect = state.points_request(), state.points_collector()
    for point in work() if work else ():
        collect([point])
    state.keep_points()
    return state


@cache
def choices():
    """What the methods choose on the small table, trained once for all tests."""
    return train(prove(ProofState(dataset=own_table(), source="session"))).points


def small(**chosen):
    """A person's table of 40 rows, all of it computed."""
    state = ProofState(dataset=own_table(), source="session", **chosen)
    answer(prove(state))
    state.points = choices()
    state.keep_points()
    return state
