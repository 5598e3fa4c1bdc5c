"""The proof page wires controls, jobs and views, without a browser."""

import threading

import pytest

from explorer.pages.proof import streams
from explorer.pages.proof.page import PAGE, ProofPage
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.streams import methods_in_turn
from explorer.session.context import Context
from explorer.session.state import SessionState
from tests.explorer.pages.proof.answered import proofs
from tests.explorer.worlds import own_table
from tests.waiting import until

# A linear one, one of many models and one that is not linear.
FEW = ("l1", "acafh", "csdt")


class Posted:
    """Callbacks that wait until the test runs them, as a page's next tick would."""

    def __init__(self):
        self.waiting, self.lock = [], threading.Lock()

    def __call__(self, callback):
        with self.lock:
            self.waiting.append(callback)

    def run(self):
        with self.lock:
            due, self.waiting = self.waiting, []
        for callback in due:
            callback()


@pytest.fixture
def opened(monkeypatch):
    """The page on a person's table of 40 rows, with few methods to train."""
    few = {name: methods_in_turn()[name] for name in FEW}
    monkeypatch.setattr(streams, "methods_in_turn", lambda: few)
    post = Posted()
    page = ProofPage(Context(SessionState(page=PAGE.name, dataset=own_table()), post))
    page.state.source = "session"
    parts = page.parts()
    parts.start()
    yield page, post
    page.context.abandon()


def test_a_kept_session_without_a_budget_of_proof_leaves_that_of_the_problem(opened):
    """Its share was taken as at first, and told to all pages as if it were chosen."""
    page, _ = opened
    session, choices = page.context.session, page.context.choices
    choices.adopt(page.name, page.state, ["share"], page.parts().restored)
    session.budget = 0.1 * session.dataset.hypergraph.total_cost
    choices.set(page.name, {"share": ProofState.share})
    page.state.rests += 1  # settled
    assert page.state.share == pytest.approx(0.1)
    assert session.budget == pytest.approx(0.1 * session.dataset.hypergraph.total_cost)


def settle(page, post):
    """Run what is posted until nothing is computed any more."""
    jobs = page.floors, page.answers, page.methods
    until(
        lambda: not any(job.busy for job in jobs) and _is_answered(page.state),
        post.run,
    )
    assert [job.message for job in jobs] == ["", "", ""]


def _is_answered(state):
    run = state.floors
    is_proven = run is not None and run.question == state.question() and run.is_final
    return is_proven and state.is_answered and state.answer.is_final


def test_the_page_opens_with_floors_the_answer_and_the_methods(opened):
    page, post = opened
    settle(page, post)
    assert {p.method for p in page.state.points} >= {"acafh", "l1"}
    assert page._without.options == ["fft", "sum"]
    trained = page.state.points
    page.start()
    settle(page, post)
    assert page.state.points is trained


def test_a_search_goes_on_while_another_page_is_in_front(opened):
    page, _ = opened
    submitted, submit = [], page.floors.submit

    def note(*arguments, **named):
        submitted.append(page.state.ridge)
        submit(*arguments, **named)

    page.floors.submit = note
    page.start()
    page.context.session.page = "problem"
    assert page.floors.busy
    page.context.session.page = PAGE.name
    page.start()
    assert submitted == []


def test_a_table_that_was_read_behind_another_page_is_answered_on_return(opened):
    page, _ = opened
    search = proofs(page.state)
    page.context.session.page = "problem"
    page.floors.cancel()
    page.state.show_floors(next(search))
    assert page.state.is_read
    assert not page.answers.busy
    page.context.session.page = PAGE.name
    page.start()
    assert page.floors.busy
    assert page.answers.busy


def test_every_control_moves_what_is_proven(opened):
    page, post = opened
    page._tuned()
    settle(page, post)
    state, trained = page.state, page.state.points
    state.share = 0.9
    state.rests += 1
    settle(page, post)
    bought = state.answer.certified.upper
    page._without.value = ["fft"]
    assert state.without == ["fft"]
    settle(page, post)
    assert state.answer.certified.lower > bought
    assert state.unrestricted.question.without == ()
    assert page._budget.value == pytest.approx(0.9)
    page._without.value = []
    settle(page, post)
    assert state.answer.certified.upper == bought
    assert state.points is trained
    state.ridge = 0.5
    settle(page, post)
    assert state.points is not trained


def test_another_table_is_proven_anew_and_knows_no_component_of_the_old_one(opened):
    page, post = opened
    settle(page, post)
    page.state.without = ["fft"]
    settle(page, post)
    session = page.context.session
    session.param.update(dataset=own_table(60))
    settle(page, post)
    assert len(page.state.data.y) == 30
    assert page.state.points


def test_a_page_that_is_not_in_front_computes_nothing(opened):
    page, post = opened
    settle(page, post)
    page.context.session.page = "problem"
    page.state.ridge = 0.5
    assert not page.floors.busy
    assert not page.answers.busy
    page.context.session.page = PAGE.name
    page.start()
    settle(page, post)
    assert page.state.floors.question.ridge == 0.5
