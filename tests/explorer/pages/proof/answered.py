"""A proof page's state with everything computed, without a page."""

from functools import cache

from explorer.pages.proof.queries import ANSWER, FLOORS, POINTS
from explorer.pages.proof.state import ProofState
from tests.explorer.worlds import own_table


def proofs(state):
    """Yield floors of all that is asked for and not known, as they are proven."""
    for part, question in FLOORS.missing(state).items():
        for run in FLOORS.work(state, part):
            yield run
        state.runs[question] = run


def answers(state):
    """Yield the answer to the budget as it is proven, if it is not known."""
    for question in ANSWER.missing(state).values():
        for one in ANSWER.work(state):
            yield one
        state.answers[question] = one


def more(state, shown, stream):
    """Yield what goes on where something has stopped."""
    state.ask_more(shown.question)
    return stream(state)


def prove(state, *, is_short=False):
    """Prove floors; `is_short`: only until every first budget is closed."""
    for run in proofs(state):
        state.show_floors(run)
        if is_short and run.is_whole and all(o.proven for o in run.certified.values()):
            break
    return state


def answer(state):
    """Answer the budget."""
    ANSWER.answer(state)
    return state


def train(state):
    """Train the linear methods."""
    POINTS.answer(state)
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
